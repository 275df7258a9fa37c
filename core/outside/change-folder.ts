import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { FolderInUse, type FolderLock, lockFolder } from '../storage/files/lock.ts'
import { InstallFailed } from './npm.ts'

/**
 * What npm and Linnet keep in the folder of plugins, and the configuration of npm there; the rest belongs to the
 * operator.
 */
const kept = ['.npmrc', 'package.json', 'package-lock.json', 'node_modules', 'packages'] as const

const lockFile = '.lock'
const copyPrefix = '.next-'

/** How long to wait while another process moves a change into place, in milliseconds. */
const movingMs = 5_000

/**
 * Change the folder of plugins in a copy, and move that into place when the change has succeeded. If it fails or the
 * process ends before that, everything stays as it was; if the process ends while moving, `finishChange` does the
 * rest. One change at a time: throws `InstallFailed` while there is another.
 */
export async function changeFolder<T>(
  folder: string,
  change: (copy: string) => Promise<T>,
): Promise<T> {
  const wasThere = existsSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = takeLock(folder, 0)
  try {
    moveIn(folder)
    removeCopies(folder)
    const copy = makeCopy(folder)
    const result = await change(copy)
    renameSync(copy, join(folder, '.ready'))
    moveIn(folder)
    return result
  } finally {
    removeCopies(folder)
    lock.release()
    if (!wasThere && readdirSync(folder).every(name => name === lockFile)) {
      rmSync(folder, { recursive: true })
    }
  }
}

/** Finish moving a change into place, if a process ended while it did that. */
export function finishChange(folder: string): void {
  if (!existsSync(join(folder, '.ready'))) return
  const lock = takeLock(folder, movingMs)
  try {
    moveIn(folder)
  } finally {
    lock.release()
  }
}

/** Resumes an interrupted move: what is no longer in `.ready` is already in place. */
function moveIn(folder: string): void {
  const [ready, old] = [join(folder, '.ready'), join(folder, '.old')]
  for (const name of existsSync(ready) ? readdirSync(ready) : []) {
    const place = join(folder, name)
    rmSync(old, { recursive: true, force: true })
    if (existsSync(place)) renameSync(place, old)
    renameSync(join(ready, name), place)
  }
  rmSync(old, { recursive: true, force: true })
  rmSync(ready, { recursive: true, force: true })
}

/** Also removes the copies of processes that were killed. */
function removeCopies(folder: string): void {
  for (const name of readdirSync(folder).filter(it => it.startsWith(copyPrefix))) {
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The copy has everything in `kept`, if only empty folders, so that all of it is replaced. */
function makeCopy(folder: string): string {
  // Each copy has a new name: the npm of a killed process may still write to the old one.
  const copy = mkdtempSync(join(folder, copyPrefix))
  for (const name of kept) {
    if (!existsSync(join(folder, name))) continue
    cpSync(join(folder, name), join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    })
  }
  for (const name of ['node_modules', 'packages']) mkdirSync(join(copy, name), { recursive: true })
  if (existsSync(join(copy, 'package.json'))) return copy
  const project = { name: 'linnet-plugins', private: true, type: 'module', dependencies: {} }
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(project, null, 2)}\n`)
  return copy
}

function takeLock(folder: string, waitMs: number): FolderLock {
  try {
    return lockFolder(join(folder, lockFile), { waitMs })
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new InstallFailed('Another process is installing plugins. Try again when it is done.')
  }
}
