import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../lib/sync-folder.ts'
import { isDamage } from '../files/damage.ts'
import { damaged, inspectFile, onBackup, UnusableDatabase } from '../files/inspect-file.ts'
import { backUp, backupPath } from './backup.ts'
import { CopyFailed, copyDatabase, removeUnfinished } from './copy-database.ts'
import { expectSchema } from './expect-schema.ts'
import {
  prepareSettings,
  replaceSettings,
  settingsBeside,
  takeSettingsOutOfBackup,
} from './settings-beside.ts'

/**
 * Replace a database that nobody has open with a copy, and the settings next to it with those in the copy. First the
 * copy is verified and copied next to the database; then what was there is kept in the folder `backups`; then one
 * rename decides. If this is interrupted at any point, the next process that opens the database finds either the old
 * or the new one, complete and with its settings: `finishRestore` does what is left after the rename. Returns where
 * the old database was kept, and whether the copy had settings: a `linnet.db` that was copied by hand has none, and then
 * the settings stay as they are.
 */
export async function restoreDatabase(
  from: string,
  file: string,
  expected: Parameters<typeof inspectFile>[1] & { readonly now: number },
): Promise<{ readonly kept: string | undefined; readonly hadSettings: boolean }> {
  const { version } = inspectFile(from, expected, onBackup)
  const copy = `${file}.restoring`
  let settings: string | undefined
  // Left over from an interrupted restore.
  removeUnfinished(copy)
  await copyDatabase(from, copy, {
    readonly: true,
    alter(it) {
      expectSchema(it, from, { version, newest: expected.newest })
      settings = takeSettingsOutOfBackup(it)
    },
  }).catch((error: Error) => {
    if (error.cause instanceof UnusableDatabase) throw error.cause
    throw isDamage(error) ? damaged(from, (error.cause as Error).message, onBackup) : error
  })
  // The header may have been in a log next to the source.
  inspectFile(copy, expected, onBackup)
  const kept = existsSync(file) ? await keep(file, expected.now) : undefined
  await prepareSettings(file, settings)
  // What the rename depends on must be on the disk first.
  await syncFolder(dirname(file))
  renameSync(copy, decided(file))
  await syncFolder(dirname(file))
  await finishRestore(file)
  return { kept, hadSettings: settings !== undefined }
}

/** Finish a restore that was decided; does nothing if there was none. */
export async function finishRestore(file: string): Promise<void> {
  if (!existsSync(decided(file))) return
  // The log belongs to the old database: SQLite would apply it to the new one.
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  await replaceSettings(file)
  await syncFolder(dirname(file))
  renameSync(decided(file), file)
  await syncFolder(dirname(file))
}

/** Whether there is a database, even if a restore of it was interrupted. */
export function hasDatabase(file: string): boolean {
  return existsSync(file) || existsSync(decided(file))
}

/** While this file exists, it is the database. */
function decided(file: string): string {
  return `${file}.restored`
}

/**
 * Keeps a complete copy, or, of a damaged database, the raw bytes of it, its log and its settings. The bytes come
 * first: SQLite may remove a log that it cannot read.
 */
async function keep(file: string, now: number): Promise<string> {
  const copy = backupPath(file, 'before-restore', now)
  const bytes = `${copy}.damaged`
  const parts = [
    [file, bytes],
    [`${file}-wal`, `${bytes}-wal`],
    [settingsBeside(file), `${bytes}-settings.json`],
  ] as const
  for (const [from, to] of parts) if (existsSync(from)) copyPrivately(from, to)
  try {
    await backUp(file, copy)
  } catch (error) {
    if (error instanceof CopyFailed) return bytes
    throw error
  }
  for (const [, part] of parts) rmSync(part, { force: true })
  return copy
}

/** `copyFileSync` keeps the mode of the original, which may be open to everybody. */
function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
