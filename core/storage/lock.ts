import BetterSqlite3 from 'better-sqlite3'
import { UnusableDatabase } from './inspect-file.ts'

/** A server is running on this data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/**
 * Keep a data folder to one server. The lock is SQLite's own on an empty file beside the database:
 * the operating system drops it when the process ends, however it ends, so it is never stale.
 */
export function lockFolder(lockFile: string): { release(): void } {
  let holder: BetterSqlite3.Database | undefined
  try {
    holder = new BetterSqlite3(lockFile, { timeout: 1_000 })
    holder.pragma('journal_mode = MEMORY')
    holder.exec('begin exclusive')
  } catch (cause) {
    holder?.close()
    throw whyNot(lockFile, cause)
  }
  return { release: () => holder.close() }
}

function whyNot(lockFile: string, cause: unknown): Error {
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  if (code.startsWith('SQLITE_BUSY')) {
    return new FolderInUse(
      `Another Linnet is running on this data folder (${lockFile} is locked). ` +
        'Stop it first, or set LINNET_DATA_DIR to another folder.',
      { cause },
    )
  }
  return new UnusableDatabase(
    code === 'SQLITE_NOTADB'
      ? `${lockFile} is not what Linnet wrote there. Remove it; there is nothing in it to keep.`
      : `${lockFile} cannot be locked: ${message}. See whether its disk is read-only or a network file system.`,
    { cause },
  )
}
