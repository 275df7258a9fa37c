import type BetterSqlite3 from 'better-sqlite3'

/** Returns the prepared statement for an SQL text. */
export type Statements = (sql: string) => BetterSqlite3.Statement

/** More than the program has, except for lists of many lengths. */
const maxStatements = 200

/**
 * Prepares each statement once: SQLite prepares it again by itself when the schema has changed. Beyond the maximum,
 * the oldest statement is dropped: tracking which was used last would cost more at each use than that.
 */
export function prepareOnce(database: BetterSqlite3.Database): Statements {
  const prepared = new Map<string, BetterSqlite3.Statement>()
  return sql => {
    const ready = prepared.get(sql)
    if (ready) return ready
    checkReach(sql)
    const statement = database.prepare(sql)
    prepared.set(sql, statement)
    if (prepared.size > maxStatements) prepared.delete(prepared.keys().next().value ?? '')
    return statement
  }
}

/**
 * Outside of names and texts, these words make a statement fail only at the commit, or undo the whole transaction
 * when it fails: others share both.
 */
const reachesOthers = /\b(rollback|deferred|defer_foreign_keys)\b/i

/** Throws for a statement that could make others fail that share its commit. */
function checkReach(sql: string): void {
  const [word] = reachesOthers.exec(sql.replace(/"[^"]*"|'[^']*'/g, '')) ?? []
  if (word === undefined) return
  throw new Error(
    `A statement must not say ${word}: what others write at the same moment would fail with it.`,
  )
}
