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
import { createDamage, type Damage } from './damage.ts'
import { prepareOnce, type Statements } from './statements.ts'
import { createTurns, type EndTurn, type Turns } from './turns.ts'
import { createWriteGate, type WriteGate } from './write-gate.ts'

/**
 * How long a write waits for others before it fails, in milliseconds: for those of this process, whose turn
 * comes first, and for another process or thread that has the lock.
 */
const lockWaitMs = 5_000

/** Whose turn comes late still waits so long for a lock that is held for a moment. */
const leastLockWaitMs = 100

/**
 * Kysely on better-sqlite3. Three things differ from Kysely's own dialect: a transaction takes the write
 * lock at its start, so that it never fails half-way for another writer's sake; waiting for that lock is
 * a timer, so that it never holds up the event loop and with it a redirect; and reads outside of a
 * transaction go over `reader`, so that they never wait for a writer at all.
 */
export function sqliteDialect(
  writer: BetterSqlite3.Database,
  reader?: BetterSqlite3.Database,
  gate: WriteGate = createWriteGate(() => false),
  damage: Damage = createDamage(),
): Dialect {
  return {
    createAdapter: () => new ReadingBesideWriting(),
    createDriver: () => new SqliteDriver(writer, reader, gate, damage),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Kysely would hand out one connection at a time; here reads have one of their own, and writers take turns. */
class ReadingBesideWriting extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #writer: BetterSqlite3.Database
  readonly #toWriter: Statements
  readonly #toReader: Statements | undefined
  readonly #gate: WriteGate
  readonly #damage: Damage
  readonly #turns = createTurns()

  constructor(
    writer: BetterSqlite3.Database,
    reader: BetterSqlite3.Database | undefined,
    gate: WriteGate,
    damage: Damage,
  ) {
    this.#writer = writer
    this.#gate = gate
    this.#damage = damage
    this.#toWriter = prepareOnce(writer)
    this.#toReader = reader && prepareOnce(reader)
  }

  async init(): Promise<void> {
    await Promise.resolve()
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(
      this.#toWriter,
      this.#toReader,
      this.#gate,
      this.#damage,
      this.#turns,
    )
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    connection.endTransaction()
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.beginTransaction()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    this.#gate.succeeded()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // SQLite ends the transaction by itself after some errors, as a full disk.
    if (this.#writer.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Who opened the connections closes them: Kysely never gets here when no query was run. */
  async destroy(): Promise<void> {
    const endTurn = await this.#turns.take()
    endTurn()
  }
}

/** What Kysely borrows for one query or one transaction. Writers take turns, in the order of asking. */
class SqliteConnection implements DatabaseConnection {
  readonly #toWriter: Statements
  readonly #toReader: Statements | undefined
  readonly #gate: WriteGate
  readonly #damage: Damage
  readonly #turns: Turns
  /** There while a transaction has the turn. */
  #endTurn: EndTurn | undefined

  constructor(
    toWriter: Statements,
    toReader: Statements | undefined,
    gate: WriteGate,
    damage: Damage,
    turns: Turns,
  ) {
    this.#toWriter = toWriter
    this.#toReader = toReader
    this.#gate = gate
    this.#damage = damage
    this.#turns = turns
  }

  async beginTransaction(): Promise<void> {
    const askedAt = performance.now()
    this.#endTurn = await this.#turns.take()
    await this.#write(() => {
      this.#gate.check()
      return whenFree(askedAt, () =>
        this.#run(this.#toWriter, CompiledQuery.raw('begin immediate')),
      )
    })
  }

  endTransaction(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTurn) return this.#runInTransaction(query)
    const isRead = query.query.kind === 'SelectQueryNode'
    if (isRead && this.#toReader) return this.#run(this.#toReader, query)
    const askedAt = performance.now()
    const endTurn = await this.#turns.take()
    try {
      return await this.#write(async () => {
        if (!isRead) this.#gate.check()
        const result = await whenFree(askedAt, () => this.#run<R>(this.#toWriter, query))
        if (!isRead) this.#gate.succeeded()
        return result
      })
    } finally {
      endTurn()
    }
  }

  /** Waits for nobody: the transaction has the lock. */
  #runInTransaction<R>(query: CompiledQuery): QueryResult<R> {
    try {
      return this.#run(this.#toWriter, query)
    } catch (error) {
      this.#gate.failed(error)
      throw error
    }
  }

  #run<R>(statements: Statements, query: CompiledQuery): QueryResult<R> {
    return this.#damage.watch(() => run(statements, query))
  }

  async #write<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#gate.failed(error)
      throw error
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

function run<R>(statements: Statements, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = statements(sql)
  if (statement.reader) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Try again while another process or thread holds the write lock. */
async function whenFree<T>(askedAt: number, work: () => T): Promise<T> {
  const giveUpAt = Math.max(askedAt + lockWaitMs, performance.now() + leastLockWaitMs)
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 20)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await delay(waitMs)
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
