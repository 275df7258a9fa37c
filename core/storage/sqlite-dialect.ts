import { setTimeout as delay } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** How long a write waits for another writer before it fails, in milliseconds. */
const lockWaitMs = 5_000

/**
 * Kysely on one better-sqlite3 connection. Two things differ from Kysely's own dialect: a transaction
 * takes the write lock at its start, so that it never fails half-way for another writer's sake, and
 * waiting for that lock is a timer, so that it never holds up the event loop and with it a redirect.
 */
export function sqliteDialect(database: BetterSqlite3.Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(database),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection
  readonly #database: BetterSqlite3.Database
  #lastTurn: Promise<void> = Promise.resolve()
  #endTurn: () => void = () => undefined

  constructor(database: BetterSqlite3.Database) {
    this.#database = database
    this.#connection = new SqliteConnection(database)
  }

  async init(): Promise<void> {
    await Promise.resolve()
  }

  /** The connection is lent to one at a time, in the order of asking. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastTurn
    let endTurn = this.#endTurn
    this.#lastTurn = new Promise(resolve => {
      endTurn = resolve
    })
    await before
    this.#endTurn = endTurn
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite ends the transaction by itself after some errors, as a full disk.
    if (this.#database.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Who opened the connection closes it: Kysely never gets here when no query was run. */
  async destroy(): Promise<void> {
    await this.#lastTurn
  }
}

/** Statements kept ready: more than the program has, but for lists of many lengths. */
const maxStatements = 200

class SqliteConnection implements DatabaseConnection {
  readonly #database: BetterSqlite3.Database
  readonly #statements = new Map<string, BetterSqlite3.Statement>()

  constructor(database: BetterSqlite3.Database) {
    this.#database = database
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const giveUpAt = performance.now() + lockWaitMs
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 20)) {
      try {
        return this.#execute(query)
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error
        await delay(waitMs)
      }
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#database.prepare(query.sql).iterate(...query.parameters)) {
      yield { rows: [row as R] }
    }
  }

  /** Prepared once: SQLite prepares again by itself when the schema has changed. */
  #prepare(sql: string): BetterSqlite3.Statement {
    const ready = this.#statements.get(sql)
    if (ready) return ready
    const statement = this.#database.prepare(sql)
    const oldest = this.#statements.keys().next()
    if (this.#statements.size >= maxStatements && !oldest.done) {
      this.#statements.delete(oldest.value)
    }
    this.#statements.set(sql, statement)
    return statement
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(...parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return {
      rows: [],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('SQLITE_BUSY')
  )
}
