import { accessSync, constants, statSync } from 'node:fs'
import { reasonOf } from '../lib/message-for-people.ts'
import { backupsFolder } from '../storage/backups/backup.ts'
import { createBackups } from '../storage/backups/backups.ts'
import { databaseBytes } from '../storage/files/disk-space.ts'
import { bytesAsText, type Finding, fine, problem, warning } from './finding.ts'

/**
 * SQLite copies the log into the database once it has a few megabytes; if it grows to this size, something prevents
 * that.
 */
const longLogBytes = 256e6

/** Checks the size of the database; `isWhole` reads every page of it, which takes seconds per gigabyte. */
export function examineDatabase(file: string, isWhole?: (file: string) => string): Finding {
  const { file: bytes, log } = databaseBytes(file)
  const says = `${file} has ${bytesAsText(bytes)}, and its write-ahead log ${bytesAsText(log)}.`
  const verdict = isWhole?.(file)
  if (verdict !== undefined && verdict !== 'ok') {
    return problem(
      'database',
      `${says} It is damaged: ${verdict}.`,
      'Stop Linnet and restore a backup: linnet restore <backup>',
    )
  }
  if (log > longLogBytes) {
    return warning(
      'database',
      says,
      'Find the program that keeps the database open, such as a backup tool, and end it, or restart Linnet.',
    )
  }
  return fine('database', verdict === undefined ? says : `${says} It is not damaged.`)
}

/** Undefined also if there is no such folder yet. */
function whyUnusable(folder: string): string | undefined {
  try {
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : reasonOf(error)
  }
}

/** How old the newest backup may be, in milliseconds: a night, and a morning to notice that it failed. */
export const dueMs = 36 * 3_600_000

/** Checks whether there is a backup of last night; each is verified in full before it gets its final name. */
export async function examineBackups(file: string, kept: number, now: Date): Promise<Finding> {
  const folder = backupsFolder(file)
  const unusable = whyUnusable(folder)
  if (unusable !== undefined) {
    return problem(
      'backups',
      `The folder ${folder} cannot be used: ${unusable}.`,
      'Make it a folder that the user who runs Linnet can read and write: no backup can be made before.',
    )
  }
  const backups = createBackups({
    file,
    copy: () => Promise.reject(new Error('The doctor only reads backups and makes none.')),
    now: () => now,
    signal: AbortSignal.abort(),
  })
  const list = await backups.list()
  const [newest] = list
  const says = newest
    ? `The newest of ${list.length} backups is from ${newest.createdAt.toISOString()}.`
    : 'There is no backup yet.'
  if (kept === 0) {
    return warning(
      'backups',
      says,
      'Nightly backups are off: set LINNET_BACKUPS_KEPT, or back up the database in another way.',
    )
  }
  const since = newest?.createdAt.getTime() ?? statSync(file).birthtimeMs
  return now.getTime() - since > dueMs
    ? warning(
        'backups',
        says,
        'Check under Admin → Jobs why the nightly backup fails, or run: linnet backup',
      )
    : fine('backups', says)
}
