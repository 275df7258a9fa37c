import type BetterSqlite3 from 'better-sqlite3'
import { createLru } from '../lru.ts'

/** Gives the prepared statement of an SQL text. */
export type Statements = (sql: string) => BetterSqlite3.Statement

/** More than the program has, but for lists of many lengths. */
const maxStatements = 200

/** Prepare each statement once: SQLite prepares it again by itself when the schema has changed. */
export function prepareOnce(database: BetterSqlite3.Database): Statements {
  const prepared = createLru<string, BetterSqlite3.Statement>(maxStatements)
  return sql => {
    const ready = prepared.get(sql)
    if (ready) return ready
    const statement = database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
}
