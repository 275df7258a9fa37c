import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { leastMebibytes, memoryMebibytes } from '../memory.ts'
import { type Asked, type Item, type Source, SourceError, type SourceFile } from '../source.ts'

/** What the process that reads a file is told. */
export interface Work extends Pick<Asked, 'settings' | 'folder'> {
  readonly source: string
  readonly file: Pick<SourceFile, 'path' | 'name'>
  readonly nowMs: number
}

/** What it says. It waits with more items until it hears `more`. */
export type Said =
  | { readonly bytesRead: number; readonly items?: readonly Item[] }
  | { readonly isDone: true }
  | {
      readonly failed: {
        readonly isOfFile: boolean
        readonly message: string
        readonly stack: string | undefined
        readonly code: string | undefined
      }
    }

/** A process that says nothing for so long, in milliseconds, works at something that was made to have no end. */
const silentMs = 5 * 60_000
const silent =
  'The file cannot be read: nothing came of it for five minutes. It has something that takes without end.'
const ended =
  'The file ended the process that reads it: it has more at once than there is memory for. Split it, or give the server more memory.'
/** By whom, nobody says. */
const killed =
  'The process that reads the file was killed: by the system, as it does where memory is short, or by somebody. Go on; if that ends in the same way, split the file, or give the server more memory.'

/** There is no room for that process beside the server: the kernel would end the process, and then the server. */
const tooLittle =
  'To read files, a server needs 192 MiB of memory, and this one has less. Give it more, or run linnet import on its machine, outside of the container or service that has so little.'

/**
 * A source that reads files in a process of its own: whatever somebody put into one, the server goes on, because the process has little
 * memory of its own, gives way to all others, and can be ended at any moment. Where there is no room for it, files are refused.
 */
export function apart(source: Source, mebibytes = memoryMebibytes()): Source {
  const { name, file } = source
  return {
    ...source,
    ...(file && mebibytes < leastMebibytes && { file: { ...file, refusal: tooLittle } }),
    read: asked => (asked.file ? readApart(name, asked, asked.file) : source.read(asked)),
  }
}

async function* readApart(
  source: string,
  { settings, folder, signal, now }: Asked,
  file: SourceFile,
): AsyncGenerator<Item> {
  const reader = start(folder)
  const output = lastOf(reader)
  let isSilent = false
  let isOurTurn = false
  const silence = setTimeout(() => {
    isSilent = !isOurTurn
    if (isSilent) reader.kill('SIGKILL')
  }, silentMs)
  const work: Work = {
    ...{ source, settings, folder, nowMs: now().getTime() },
    file: { path: file.path, name: file.name },
  }
  try {
    reader.send(work, () => undefined)
    for await (const [said] of on(reader, 'message', { signal, close: ['disconnect'] })) {
      const one = said as Said
      if ('isDone' in one) return
      if ('failed' in one) throw errorOf(one.failed)
      file.noteRead(one.bytesRead)
      isOurTurn = true
      for (const item of one.items ?? []) {
        signal.throwIfAborted()
        yield item
      }
      isOurTurn = false
      if (one.items) reader.send('more', () => undefined)
      silence.refresh()
    }
    if (isSilent) throw new SourceError(silent)
    throw whyEnded(await exitOf(reader), output())
  } finally {
    clearTimeout(silence)
    await end(reader)
  }
}

function start(cwd: string): ChildProcess {
  // The built one for tests of the sources too, which would take ten times as long to start.
  const isBuilt = !import.meta.url.endsWith('.ts')
  const folder = isBuilt ? './' : '../../../../dist/'
  const program = fileURLToPath(new URL(`${folder}import-reader.js`, import.meta.url))
  const options = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${heapMebibytes()} --max-semi-space-size=1`
  const reader = spawn(process.execPath, [...process.execArgv, program], {
    // glibc keeps less of what was freed.
    env: { ...process.env, NODE_OPTIONS: options, MALLOC_ARENA_MAX: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    cwd,
    serialization: 'advanced',
  })
  // What it could not be told, or that it could not be started, ends the loop above.
  reader.on('error', () => undefined)
  reader.stderr?.on('error', () => undefined)
  return reader
}

/** An eighth of the memory that there is. */
function heapMebibytes(): number {
  return Math.min(512, Math.max(24, Math.floor(memoryMebibytes() / 8)))
}

/** The end of what a process writes when it fails. */
function lastOf(reader: ChildProcess): () => string {
  let last = ''
  reader.stderr?.on('data', bytes => {
    last = `${last}${bytes}`.slice(-4_096)
  })
  return () => last
}

type Exit = Pick<ChildProcess, 'exitCode' | 'signalCode'>

async function exitOf(reader: ChildProcess): Promise<Exit> {
  const isRunning = reader.exitCode === null && reader.signalCode === null
  if (isRunning && reader.pid !== undefined) await once(reader, 'exit')
  return reader
}

async function end(reader: ChildProcess): Promise<void> {
  reader.kill('SIGKILL')
  await exitOf(reader)
}

/** By V8, by the kernel or somebody, or by a fault of ours, which is for the log. */
function whyEnded({ exitCode, signalCode }: Exit, output: string): Error {
  if (/heap out of memory/i.test(output)) return new SourceError(ended)
  if (signalCode === 'SIGKILL') return new SourceError(killed)
  return new Error(`The process that reads a file ended with ${signalCode ?? exitCode}: ${output}`)
}

function errorOf({
  isOfFile,
  message,
  stack,
  code,
}: Extract<Said, { readonly failed: object }>['failed']): Error {
  if (isOfFile) return new SourceError(message)
  return Object.assign(new Error(message), { stack, code })
}
