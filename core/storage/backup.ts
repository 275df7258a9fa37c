import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase } from './copy-database.ts'
import { putSettings } from './settings-beside.ts'

/** The folder of the copies of a database: beside it. */
export function backupsFolder(file: string): string {
  return join(dirname(file), 'backups')
}

/** Where a new copy goes, as `backups/nightly-20261120T151200Z.db`; the folder is made. */
export function backupPath(file: string, kind: string, now: number): string {
  const folder = backupsFolder(file)
  mkdirSync(folder, { recursive: true })
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return join(folder, `${kind}-${stamp}.db`)
}

/** Make one file of what an instance is restored from: its database, and in it the settings beside. */
export function backUp(file: string, copy: string): Promise<void> {
  return copyDatabase(file, copy, { alter: it => putSettings(it, file) })
}

/** Copy a database before its schema changes, to `backups/before-schema-2-20261120T151200Z.db`. */
export async function copyBeforeMigrating(
  file: string,
  version: number,
  now: number,
): Promise<string> {
  const copy = backupPath(file, `before-schema-${version + 1}`, now)
  await backUp(file, copy)
  return copy
}
