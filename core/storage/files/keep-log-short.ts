import type BetterSqlite3 from 'better-sqlite3'
import { isOutOfReach } from './out-of-reach.ts'

/** How long the log may get before it is copied into the database file, in pages. */
const maxPages = 2_000

/** How often its length is checked, in milliseconds. */
export const lookMs = 200

/** How long to wait for others so that the log can restart from its beginning, in milliseconds. */
const waitMs = 100

/**
 * Copy the write-ahead log into the database file when it has become long, on the thread of this connection, so that
 * no other thread has to: it flushes the disk three times. Returns a function that stops it.
 */
export function keepLogShort(connection: BetterSqlite3.Database): () => void {
  connection.pragma('wal_autocheckpoint = 0')
  const timer = setInterval(() => {
    try {
      if (!connection.inTransaction && pagesIn(connection) >= maxPages) shorten(connection)
    } catch (error) {
      // The next check tries again.
      if (!isOutOfReach(error)) throw error
    }
  }, lookMs).unref()
  return () => clearInterval(timer)
}

function pagesIn(connection: BetterSqlite3.Database): number {
  const [{ log }] = connection.pragma('wal_checkpoint(NOOP)') as [{ readonly log: number }]
  return log
}

function shorten(connection: BetterSqlite3.Database): void {
  try {
    // Most of the log is copied while others write, and only the rest while they wait.
    connection.pragma('wal_checkpoint(PASSIVE)')
    connection.pragma(`busy_timeout = ${waitMs}`)
    connection.pragma('wal_checkpoint(RESTART)')
    // The first write to a restarted log flushes its header: do that here too.
    const version = connection.pragma('user_version', { simple: true })
    connection.pragma(`user_version = ${version}`)
  } finally {
    connection.pragma('busy_timeout = 0')
  }
}
