import BetterSqlite3 from 'better-sqlite3'

/** A server is running on this data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/**
 * Keep a data folder to one server. The lock is SQLite's own on an empty file beside the database:
 * the operating system drops it when the process ends, however it ends, so it is never stale.
 */
export function lockFolder(lockFile: string): { release(): void } {
  const holder = new BetterSqlite3(lockFile, { timeout: 1_000 })
  try {
    holder.pragma('journal_mode = MEMORY')
    holder.exec('begin exclusive')
  } catch (cause) {
    holder.close()
    throw new FolderInUse(
      `Another Linnet is running on this data folder (${lockFile} is locked). ` +
        'Stop it first, or set LINNET_DATA_DIR to another folder.',
      { cause },
    )
  }
  return { release: () => holder.close() }
}
