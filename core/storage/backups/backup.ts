import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase, removeUnfinished, unfinishedName } from './copy-database.ts'
import { addSettingsToBackup, settingsBeside } from './settings-beside.ts'

/** The folder of the copies of a database: next to it. */
export function backupsFolder(file: string): string {
  return join(dirname(file), 'backups')
}

/**
 * Reserve a name for a new copy, such as `backups/nightly-20261120T151200Z.db`, or `…Z-2.db` if a copy of the same
 * second has that name; the folder next to the database is created if needed. The copy begins as an empty file, which
 * also keeps other processes from taking the name.
 */
export function backupPath(file: string, kind: string, now: number, elsewhere?: string): string {
  const folder = elsewhere ?? backupsFolder(file)
  if (elsewhere === undefined) mkdirSync(folder, { recursive: true })
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${kind}-${stamp}${number === 1 ? '' : `-${number}`}.db`)
    if (take(path)) return path
  }
}

function take(path: string): boolean {
  if (existsSync(path)) return false
  try {
    closeSync(openSync(unfinishedName(path), 'wx'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  // Whoever had the name may have finished after we looked.
  if (existsSync(path)) removeUnfinished(path)
  return !existsSync(path)
}

/** Make one file that an instance can be restored from: its database, with the settings inside. */
export function backUp(file: string, copy: string): Promise<void> {
  return copyDatabase(file, copy, { alter: it => addSettingsToBackup(it, file) })
}

/**
 * Copy a database before its schema changes, to `backups/before-schema-2-20261120T151200Z.db`, unless an interrupted
 * start has already copied this very state.
 */
export async function copyBeforeMigrating(
  file: string,
  version: number,
  now: number,
): Promise<void> {
  const kind = `before-schema-${version + 1}`
  if (isCopied(file, kind)) return
  await backUp(file, backupPath(file, kind, now))
}

/** Whether such a copy is newer than everything that it would contain. */
function isCopied(file: string, kind: string): boolean {
  const folder = backupsFolder(file)
  if (!existsSync(folder)) return false
  const copies = readdirSync(folder)
    .filter(name => name.startsWith(`${kind}-`) && name.endsWith('.db'))
    .map(name => writtenAt(join(folder, name)))
  const copied = [file, `${file}-wal`, settingsBeside(file)].map(writtenAt)
  return Math.max(...copies) > Math.max(...copied)
}

/**
 * When a file was last written, in milliseconds since 1970 UTC; -Infinity if it is empty, as a log is that was only
 * opened.
 */
function writtenAt(file: string): number {
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 }
  return size > 0 ? mtimeMs : Number.NEGATIVE_INFINITY
}
