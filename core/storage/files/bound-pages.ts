import type BetterSqlite3 from 'better-sqlite3'
import { memoryShares } from '../../lib/memory/memory-shares.ts'

/**
 * Bounds how much of a file its connection keeps in memory, for every connection: better-sqlite3 would give each 16 MiB, and
 * the operating system caches the rest. An attached database has a name, and pages of its own.
 */
export function boundPages(connection: BetterSqlite3.Database, name = 'main'): void {
  connection.pragma(`${name}.cache_size = ${-kibibytes}`)
}

const kibibytes = Math.floor(memoryShares.databasePagesBytes / 1024)
