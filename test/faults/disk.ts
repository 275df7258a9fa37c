import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtProgram, programFolder, temporaryFolder } from '../e2e/program.ts'

/** How a server's disk fails; see disk.c in this folder. */
export interface Disk {
  /** The folder that receives only flushed data. */
  readonly keptIn?: string
  /** How much longer each flush takes. */
  readonly flushMs?: number
  /** While this file exists, flushes fail. */
  readonly failsWhile?: string
}

/** Why there is no such disk; undefined where there is one. */
export const noDisk = canCompile() ? undefined : 'there is no C compiler, or this is not Linux'

/** The environment of a server with its data folder on such a disk. */
export function onDisk(
  folder: string,
  { keptIn, flushMs, failsWhile }: Disk,
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: compile(),
    DISK_FOLDER: folder,
    ...(keptIn !== undefined && { DISK_KEPT: keptIn }),
    ...(flushMs !== undefined && { DISK_FLUSH_MS: String(flushMs) }),
    ...(failsWhile !== undefined && { DISK_FAILS: failsWhile }),
  }
}

/** Whether the flush that copied a file into the kept folder has ended. */
export function isOnDisk(path: string): boolean {
  return !path.endsWith('.flushing')
}

/** A changed program that answers without waiting until its writes are flushed. */
export function carelessProgram(): string {
  return changedProgram(/await (\w+\.datasync\(\))/g, 'void $1')
}

/** A changed program that flushes the disk at each commit on the thread of redirects. */
export function anxiousProgram(): string {
  return changedProgram(/synchronous = NORMAL/g, 'synchronous = FULL')
}

function changedProgram(from: RegExp, to: string): string {
  const program = join(programFolder(), 'dist/main.js')
  cpSync(dirname(builtProgram), dirname(program), { recursive: true })
  let changed = 0
  for (const name of readdirSync(dirname(program))) {
    if (!name.endsWith('.js')) continue
    const file = join(dirname(program), name)
    const before = readFileSync(file, 'utf8')
    const after = before.replaceAll(from, to)
    if (after === before) continue
    writeFileSync(file, after)
    changed += 1
  }
  if (changed === 0) throw new Error(`Nothing in the program is ${from}.`)
  return program
}

function compile(): string {
  const library = join(temporaryFolder(), 'disk.so')
  const source = join(import.meta.dirname, 'disk.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'])
  return library
}

function canCompile(): boolean {
  if (process.platform !== 'linux') return false
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
