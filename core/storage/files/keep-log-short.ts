import type BetterSqlite3 from 'better-sqlite3'
import { isOutOfReach } from './out-of-reach.ts'

/** How long the log of a database may get before it is copied into the file, in pages. */
const maxPages = 2_000

/** How often it is looked at, in milliseconds. */
export const lookMs = 200

/** How long others are waited for, to begin the log anew, in milliseconds. */
const waitMs = 100

/**
 * Copy the write-ahead log into the database file when it has got long, on the thread of this connection,
 * so that no other has to: it flushes the disk three times. Gives what ends that.
 */
export function keepLogShort(connection: BetterSqlite3.Database): () => void {
  connection.pragma('wal_autocheckpoint = 0')
  const timer = setInterval(() => {
    if (connection.inTransaction || pagesIn(connection) < maxPages) return
    shorten(connection)
  }, lookMs).unref()
  return () => clearInterval(timer)
}

function pagesIn(connection: BetterSqlite3.Database): number {
  const [{ log }] = connection.pragma('wal_checkpoint(NOOP)') as [{ readonly log: number }]
  return log
}

function shorten(connection: BetterSqlite3.Database): void {
  try {
    // Most of it is copied while others write, and only the rest while they wait.
    connection.pragma('wal_checkpoint(PASSIVE)')
    connection.pragma(`busy_timeout = ${waitMs}`)
    connection.pragma('wal_checkpoint(RESTART)')
    // Who writes first into a log that begins anew flushes its header: that is done here too.
    const version = connection.pragma('user_version', { simple: true })
    connection.pragma(`user_version = ${version}`)
  } catch (error) {
    // It is tried again at the next look.
    if (!isOutOfReach(error)) throw error
  } finally {
    connection.pragma('busy_timeout = 0')
  }
}
