import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../lib/sync-folder.ts'
import { isDamage } from '../files/damage.ts'
import { damaged, inspectFile, onBackup } from '../files/inspect-file.ts'
import { backUp, backupPath } from './backup.ts'
import { CopyFailed, copyDatabase, removeUnfinished } from './copy-database.ts'
import {
  prepareSettings,
  replaceSettings,
  settingsBeside,
  takeSettingsOutOfBackup,
} from './settings-beside.ts'

/**
 * Put a copy in the place of a database that nobody has open, and the settings that are in it in the
 * place of those beside it. First the copy is checked and copied beside the database; then what was there
 * is kept in the folder `backups`; then one rename decides. Whenever this is broken off, the next one to
 * open the database finds the old one or the new one, whole, each with its settings: what is left to do
 * after the rename, `finishRestore` does. Gives where the database was kept, and whether the copy had
 * settings: those made by versions before had none, and then they stay as they are.
 */
export async function restoreDatabase(
  from: string,
  file: string,
  expected: Parameters<typeof inspectFile>[1] & { readonly now: number },
): Promise<{ readonly kept: string | undefined; readonly hadSettings: boolean }> {
  inspectFile(from, expected, onBackup)
  const copy = `${file}.restoring`
  let settings: string | undefined
  // What a restore left that was broken off.
  removeUnfinished(copy)
  await copyDatabase(from, copy, {
    readonly: true,
    alter(it) {
      settings = takeSettingsOutOfBackup(it)
    },
  }).catch((error: Error) => {
    throw isDamage(error) ? damaged(from, (error.cause as Error).message, onBackup) : error
  })
  // The header may have lain in a log beside the source.
  inspectFile(copy, expected, onBackup)
  const kept = existsSync(file) ? await keep(file, expected.now) : undefined
  await prepareSettings(file, settings)
  // What the rename decides on is there for sure before it.
  await syncFolder(dirname(file))
  renameSync(copy, decided(file))
  await syncFolder(dirname(file))
  await finishRestore(file)
  return { kept, hadSettings: settings !== undefined }
}

/** Do the rest of a restore that was decided; nothing when there was none. */
export async function finishRestore(file: string): Promise<void> {
  if (!existsSync(decided(file))) return
  // The log belongs to the old database: beside the new one SQLite would mix the two.
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  await replaceSettings(file)
  await syncFolder(dirname(file))
  renameSync(decided(file), file)
  await syncFolder(dirname(file))
}

/** Whether there is one, also when a restore of it was broken off. */
export function hasDatabase(file: string): boolean {
  return existsSync(file) || existsSync(decided(file))
}

/** While this is there, it is the database. */
function decided(file: string): string {
  return `${file}.restored`
}

/**
 * A whole copy, or for a database that is not whole its very bytes, those of its log and those of the
 * settings. The bytes come first: SQLite may take away a log that it cannot read.
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

/** A copy of bytes has the mode of where they come from, which may be open to everybody. */
function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
