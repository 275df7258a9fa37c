import BetterSqlite3 from 'better-sqlite3'

/**
 * Locks a file, which it makes if need be, until it is released or the process ends. The lock is SQLite's own: the
 * operating system releases it however the process ends, so it is never stale. Waits up to `waitMs` for another
 * process, and blocks this thread meanwhile. Throws the error of SQLite: see `isTaken`.
 */
export function lockFile(path: string, waitMs: number): { release(): void } {
  let holder: BetterSqlite3.Database | undefined
  try {
    holder = new BetterSqlite3(path, { timeout: waitMs })
    holder.pragma('journal_mode = MEMORY')
    holder.exec('begin exclusive')
    return { release: () => holder?.close() }
  } catch (error) {
    holder?.close()
    throw error
  }
}

/** Whether a file, or a database, could not be locked because another has locked it. */
export function isTaken(error: unknown): boolean {
  return String((error as { code?: unknown } | undefined)?.code).startsWith('SQLITE_BUSY')
}
