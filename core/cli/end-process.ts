import type { Log } from '../plugin.ts'

/** What Node does on threads of its own and cannot break off, as its kinds are called there. */
const onThreads: Readonly<Record<string, string>> = {
  GetAddrInfoReqWrap: 'a look-up of a name',
  GetNameInfoReqWrap: 'a look-up of an address',
  FSReqPromise: 'a file',
  FSReqCallback: 'a file',
}

/** As it is before any plugin is read: one that calls it then is kept from it. */
const exit: typeof process.exit = process.exit.bind(process)

/** What of that is under way, for people. */
export function heldByThreads(): readonly string[] {
  const held = process.getActiveResourcesInfo().flatMap(kind => onThreads[kind] ?? [])
  return [...new Set(held)]
}

/** End with a code: by itself when nothing is left to do, with all read that was written, or else soon. */
export function endWith(code: number): void {
  process.exitCode = code
  setTimeout(() => endProcess(code), 250).unref()
}

/**
 * End the process at once. `process.exit` waits for what is under way on threads, as for a name server that
 * never answers; then this process becomes another one, which has nothing to do and ends. Node from 22.15 on
 * can do that, and not on Windows.
 */
export function endProcess(code: number): void {
  const { execve, execPath } = process
  if (heldByThreads().length === 0 || execve === undefined) exit(code)
  execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
}

/**
 * How soon a signal that comes again is still the same one, in milliseconds: supervisors tell a process and
 * its group, and `npm start` hands on the Ctrl-C that the terminal sent to both.
 */
const sameMs = { SIGTERM: 2_000, SIGINT: 250 }

/**
 * Resolves at the first signal; one that comes again later ends the process at once. Who started this process for
 * themselves alone, as `linnet dev`, sends a message: it is answered, and the end of them is a signal too, as is that of npx.
 */
export function untilStopped(log: Log): Promise<NodeJS.Signals> {
  let firstAt: number | undefined
  return new Promise(resolve => {
    process.once('message', () => process.once('disconnect', () => resolve('SIGHUP')))
    process.on('message', () => process.send?.('heard'))
    process.channel?.unref()
    if (process.env.npm_command === 'exec') onEndOfParent(() => resolve('SIGHUP'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
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

/** npx hands a signal to the shell that it runs us in, which ends without a word to us. */
function onEndOfParent(then: () => void): void {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    then()
  }, 500).unref()
}

/** What a shell sees of a tool that a closed pipe ended: 128 and the number of SIGPIPE. */
const brokenPipe = 141

/**
 * Say nothing when nobody reads on, as behind `linnet plugins | head -1`: the command does its work to
 * the end, and its code tells that not all of what it wrote was read.
 */
export function endQuietlyWithoutReader(): void {
  let wasRead = true
  process.once('exit', code => {
    if (code === 0 && !wasRead) process.exitCode = brokenPipe
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      wasRead = false
    })
  }
}
