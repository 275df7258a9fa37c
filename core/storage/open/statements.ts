import type BetterSqlite3 from 'better-sqlite3'

/** Gives the prepared statement of an SQL text. */
export type Statements = (sql: string) => BetterSqlite3.Statement

/** More than the program has, but for lists of many lengths. */
const maxStatements = 200

/**
 * Prepare each statement once: SQLite prepares it again by itself when the schema has changed. Past the most that
 * are kept, the one that was prepared first is forgotten: to keep in mind which was used last would cost each use
 * more than that.
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
 * What says one of these outside of names and texts fails at the commit only, or undoes the whole transaction when it
 * fails: both are shared with others.
 */
const reachesOthers = /\b(rollback|deferred|defer_foreign_keys)\b/i

/** Throws for a statement that could fail others, whom it shares a commit with. */
function checkReach(sql: string): void {
  const [word] = reachesOthers.exec(sql.replace(/"[^"]*"|'[^']*'/g, '')) ?? []
  if (word === undefined) return
  throw new Error(
    `A statement must not say ${word}: what others write at the same moment would fail with it.`,
  )
}
