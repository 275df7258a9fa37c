import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** The project's folder. */
export const root = resolve(import.meta.dirname, '../..')

/** The built program. */
export const builtProgram = join(root, 'dist/main.js')

/** Hashing at full cost takes a third of a second, and many programs start with it. */
const cheaply = ['--import', new URL('hash-cheaply.mjs', import.meta.url).href]

/** Node keeps compiled code here for every process that tests start: the program, npm, a compiler. */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/linnet-tests')
const { PATH, NODE_COMPILE_CACHE } = process.env

/** How a process ended. */
export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Run {
  /** The environment of the process; it gets none of this machine's own settings. */
  readonly env?: Readonly<Record<string, string>>
  /** The text on standard input. */
  readonly stdin?: string
  readonly program?: string
  /** The working directory; by default ours. */
  readonly cwd?: string
  /** The command that starts it, as on another machine; by default none. */
  readonly through?: readonly string[]
  /** Whether hashing takes the time and the memory that it takes elsewhere. */
  readonly atFullCost?: boolean
  /** The user of the process, which only root may choose. */
  readonly uid?: number | undefined
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-e2e-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A folder for another build of the program, with the same packages as the project's. */
export function programFolder(): string {
  const folder = temporaryFolder()
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Starts the program; kills it if it still runs when the test ends. */
export function start(
  args: readonly string[],
  { env = {}, stdin, program, cwd, uid, through = [], atFullCost = false }: Run = {},
) {
  let end: () => unknown = () => undefined
  // First, because it throws if the test is over, and then nothing may start.
  onTestFinished(async () => {
    await end()
  })
  const node = [process.execPath, ...(atFullCost ? [] : cheaply), program ?? builtProgram]
  const [first = '', ...rest] = [...through, ...node, ...args]
  const child = spawn(first, rest, {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: 'pipe',
    cwd,
    ...(uid !== undefined && { uid, gid: uid }),
  })
  const exit = untilExit(child)
  end = () => {
    child.kill('SIGKILL')
    return exit
  }
  // A program that does not read its standard input may end before all is written.
  child.stdin.on('error', () => undefined).end(stdin)
  return { child, exit }
}

/** Runs a command to its end. */
export async function linnet(args: readonly string[], run: Run = {}) {
  const { child, exit } = start(args, run)
  const [{ code }, stdout, stderr] = await Promise.all([
    exit,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/** Creates a database in a folder, with its first admin. */
export async function setUp(dataDir: string): Promise<void> {
  const run = { env: { LINNET_DATA_DIR: dataDir }, stdin: 'correct horse' }
  const { code, stderr } = await linnet(['setup', '--email', 'ada@example.org'], run)
  if (code !== 0) throw new Error(stderr)
}

async function untilExit(child: ChildProcess): Promise<Exit> {
  const [code, signal] = await once(child, 'exit')
  return { code, signal }
}
