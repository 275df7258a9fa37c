import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../lib/sync-folder.ts'
import { UserError } from '../../lib/user-error.ts'
import { isDamage } from '../files/damage.ts'
import { damaged, inspectFile, onBackup, UnusableDatabase } from '../files/inspect-file.ts'
import { backUp, backupPath } from './backup.ts'
import { CopyFailed, copyDatabase, removeUnfinished, unfinishedName } from './copy-database.ts'
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
 * or the new one, complete and with its settings: `finishRestore` does what is left after the rename. If it fails
 * before that, it leaves nothing. Returns where
 * the old database was kept, and whether the copy had settings: a `linnet.db` that was copied by hand has none, and then
 * the settings stay as they are.
 */
export async function restoreDatabase(
  from: string,
  file: string,
  expected: Parameters<typeof inspectFile>[1] & { readonly now: number },
): Promise<{ readonly kept: string | undefined; readonly hadSettings: boolean }> {
  const copy = `${file}.restoring`
  const clear = async () => {
    removeUnfinished(copy)
    rmSync(copy, { force: true })
    await prepareSettings(file, undefined)
  }
  const { version } = inspectFile(from, expected, onBackup)
  // What an interrupted restore left takes room.
  await clear()
  try {
    return await restoreBy(copy, from, file, { ...expected, version })
  } catch (error) {
    if (!existsSync(decided(file))) await clear()
    throw error
  }
}

async function restoreBy(
  copy: string,
  from: string,
  file: string,
  expected: Parameters<typeof restoreDatabase>[2] & { readonly version: number },
): ReturnType<typeof restoreDatabase> {
  let settings: string | undefined
  await copyDatabase(from, copy, {
    readonly: true,
    alter(it) {
      expectSchema(it, from, expected)
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
 * first: SQLite may remove a log that it cannot read. Until they are what is kept, they count as unfinished.
 */
async function keep(file: string, now: number): Promise<string> {
  const copy = backupPath(file, 'before-restore', now)
  const bytes = `${copy}.damaged`
  const parts = [
    [file, bytes],
    [`${file}-wal`, `${bytes}-wal`],
    [settingsBeside(file), `${bytes}-settings.json`],
  ] as const
  const there = parts.filter(([from]) => existsSync(from))
  try {
    for (const [from, to] of there) copyPrivately(from, unfinishedName(to))
    await backUp(file, copy)
    return copy
  } catch (error) {
    if (error instanceof CopyFailed) {
      for (const [, to] of there) renameSync(unfinishedName(to), to)
      return bytes
    }
    removeUnfinished(copy)
    throw isFull(error) ? withoutRoom(file, there, error) : error
  } finally {
    for (const [, to] of there) rmSync(unfinishedName(to), { force: true })
  }
}

function isFull(error: unknown): error is NodeJS.ErrnoException {
  return /^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')
}

function withoutRoom(
  file: string,
  parts: readonly (readonly [string, string])[],
  cause: NodeJS.ErrnoException,
): UserError {
  const bytes = parts.reduce((sum, [part]) => sum + statSync(part).size, 0)
  return new UserError(
    `${file} could not be kept in the folder backups, so nothing was changed: ${cause.message}. ` +
      `Beside a copy of the backup, a restore needs ${bytes} bytes for what it keeps. Make room, then restore again.`,
    { cause },
  )
}

/** `copyFileSync` keeps the mode of the original, which may be open to everybody. */
function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}
