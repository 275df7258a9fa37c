import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backupPath } from './backup.ts'
import { CopyFailed, copyDatabase } from './copy-database.ts'
import { inspectFile } from './inspect-file.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * Put a copy in the place of a database that nobody has open. First the copy is checked and copied
 * beside it; then the database is kept in the folder `backups`; then one rename decides. Whenever this
 * is broken off, the next one to open the database finds the old one or the new one, whole: what is
 * left to do after the rename, `finishRestore` does. Gives where the database was kept.
 */
export async function restoreDatabase(
  from: string,
  file: string,
  expected: Parameters<typeof inspectFile>[1] & { readonly now: number },
): Promise<{ readonly kept: string | undefined }> {
  inspectFile(from, expected)
  const copy = `${file}.restoring`
  await copyDatabase(from, copy, { readonly: true })
  // The header may have lain in a log beside the source.
  inspectFile(copy, expected)
  const kept = existsSync(file) ? await keep(file, expected.now) : undefined
  renameSync(copy, decided(file))
  await syncFolder(dirname(file))
  await finishRestore(file)
  return { kept }
}

/** Do the rest of a restore that was decided; nothing when there was none. */
export async function finishRestore(file: string): Promise<void> {
  if (!existsSync(decided(file))) return
  // The log belongs to the old database: beside the new one SQLite would mix the two.
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  renameSync(decided(file), file)
  await syncFolder(dirname(file))
}

/** While this is there, it is the database. */
function decided(file: string): string {
  return `${file}.restored`
}

/**
 * A whole copy, or for a database that is not whole its very bytes and those of its log. The bytes come
 * first: SQLite may take away a log that it cannot read.
 */
async function keep(file: string, now: number): Promise<string> {
  const copy = backupPath(file, 'before-restore', now)
  const bytes = `${copy}.damaged`
  for (const suffix of ['', '-wal']) {
    if (existsSync(file + suffix)) copyFileSync(file + suffix, bytes + suffix)
  }
  try {
    await copyDatabase(file, copy)
  } catch (error) {
    if (error instanceof CopyFailed) return bytes
    throw error
  }
  for (const suffix of ['', '-wal']) rmSync(bytes + suffix, { force: true })
  return copy
}
