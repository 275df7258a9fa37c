import { fstatSync, writeSync } from 'node:fs'
import { caught } from '../lib/caught.ts'
import type { Log } from '../plugin.ts'

/** Work on Node's own threads that cannot be aborted, by the name of its kind in Node. */
const onThreads: Readonly<Record<string, string>> = {
  GetAddrInfoReqWrap: 'a look-up of a name',
  GetNameInfoReqWrap: 'a look-up of an address',
  FSReqPromise: 'a file',
  FSReqCallback: 'a file',
}

/** The original `process.exit`, kept before it is replaced to stop plugins from calling it. */
const exit: typeof process.exit = process.exit.bind(process)

/** Such work that is running now, for people. */
export function heldByThreads(): readonly string[] {
  const held = process.getActiveResourcesInfo().flatMap(kind => onThreads[kind] ?? [])
  return [...new Set(held)]
}

/** Ends with a code once nothing is left to do and all output is read, but at the latest after 250 ms. */
export function endWith(code: number): void {
  process.exitCode = code
  setTimeout(() => endProcess(code), 250).unref()
}

/**
 * Ends the process at once. `process.exit` would wait for work on threads, such as a query to a name server that never
 * answers. In that case this process replaces itself with one that ends immediately, which needs Node 22.15 and does
 * not work on Windows.
 */
export function endProcess(code: number): void {
  const { execve, execPath } = process
  if (heldByThreads().length === 0 || execve === undefined) exit(code)
  execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
}

/**
 * How soon a repeated signal still counts as the same one, in milliseconds. Supervisors signal a process and its group,
 * and `npm start` passes on the Ctrl-C that the terminal sent to both.
 */
const sameMs = { SIGTERM: 2_000, SIGINT: 250, SIGHUP: 2_000 }

/**
 * Resolves at the first signal; a later one ends the process at once. SIGHUP comes when a terminal is closed. A
 * parent that needs this process only for itself, such as `linnet dev`, sends it a message, which is answered. The
 * end of such a parent, or of npx, counts as a signal.
 */
export function untilStopped(log: Log): Promise<NodeJS.Signals> {
  let firstAt: number | undefined
  return new Promise(resolve => {
    process.once('message', () => process.once('disconnect', () => resolve('SIGHUP')))
    process.on('message', () => process.send?.('heard'))
    process.channel?.unref()
    if (process.env.npm_command === 'exec') onEndOfParent(() => resolve('SIGHUP'))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const at = performance.now()
        firstAt ??= at
        resolve(signal)
        if (at - firstAt < sameMs[signal]) return
        log.error(`${signal} again: exiting now`)
        endProcess(1)
      })
    }
  })
}

/** npx passes signals to the shell that runs this process. The shell then ends without passing them on. */
function onEndOfParent(then: () => void): void {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    then()
  }, 500).unref()
}

/** The exit code of a tool that a closed pipe ended: 128 plus the number of SIGPIPE. */
const brokenPipe = 141

/** Node takes a piece for written into a file, however little of it there was room for. */
function writeWhole(stdout: NodeJS.WriteStream): void {
  stdout._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(1, chunk, at)
      done()
    } catch (error) {
      done(caught(error))
    }
  }
}

/**
 * Ignores errors of output that nobody reads, as in `linnet plugins | head -1` or when a terminal was closed, and of
 * output that its disk has no room for. The program still does all its work; the exit code of a command, but not that of
 * the server, tells that not all of the output was written.
 */
export function surviveLostOutput(isServer: boolean): void {
  let codeOfLoss: number | undefined
  process.once('exit', code => {
    if (code === 0 && codeOfLoss !== undefined && !isServer) process.exitCode = codeOfLoss
  })
  if (!isServer && fstatSync(process.stdout.fd).isFile()) writeWhole(process.stdout)
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      const isUnread = code === 'EPIPE' || code === 'EIO'
      if (codeOfLoss === undefined && !isUnread && stream === process.stdout) {
        process.stderr.write(`Not all output could be written: ${message}\n`)
      }
      codeOfLoss ??= isUnread ? brokenPipe : 1
    })
  }
}
