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
import { flushedBySqlite, type LogFlush } from './log-flush.ts'
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

const beginImmediate = CompiledQuery.raw('begin immediate')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

/** What Kysely runs on. */
export interface SqliteParts {
  readonly writer: BetterSqlite3.Database
  /** For reads outside of a transaction; absent: those wait for their turn with the writer. */
  readonly reader?: BetterSqlite3.Database
  readonly gate?: WriteGate
  readonly damage?: Damage
  /** Makes durable what the writer commits. */
  readonly logFlush?: LogFlush
}

/**
 * Kysely on better-sqlite3. Four things differ from Kysely's own dialect: a transaction takes the write
 * lock at its start, so that it never fails half-way for another writer's sake; waiting for that lock is
 * a timer, so that it never holds up the event loop and with it a redirect; reads outside of a
 * transaction go over `reader`, so that they never wait for a writer at all; and what was written is done
 * when it is durable, while others write already.
 */
export function sqliteDialect(parts: SqliteParts): Dialect {
  return {
    createAdapter: () => new ReadingBesideWriting(),
    createDriver: () => new SqliteDriver(parts),
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
  readonly #shared: Shared

  constructor({ writer, reader, gate, damage, logFlush }: SqliteParts) {
    this.#shared = {
      writer,
      toWriter: prepareOnce(writer),
      toReader: reader && prepareOnce(reader),
      gate: gate ?? createWriteGate(() => false),
      damage: damage ?? createDamage(),
      logFlush: logFlush ?? flushedBySqlite,
      turns: createTurns(),
    }
  }

  async init(): Promise<void> {
    await Promise.resolve()
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#shared)
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    connection.endTransaction()
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollback()
  }

  /** Who opened the connections closes them: Kysely never gets here when no query was run. */
  async destroy(): Promise<void> {
    const endTurn = await this.#shared.turns.take()
    endTurn()
  }
}

/** What all that Kysely borrows has in common. */
interface Shared {
  readonly writer: BetterSqlite3.Database
  readonly toWriter: Statements
  readonly toReader: Statements | undefined
  readonly gate: WriteGate
  readonly damage: Damage
  readonly logFlush: LogFlush
  readonly turns: Turns
}

/** What Kysely borrows for one query or one transaction. Writers take turns, in the order of asking. */
class SqliteConnection implements DatabaseConnection {
  readonly #shared: Shared
  /** There while a transaction has the turn. */
  #endTurn: EndTurn | undefined

  constructor(shared: Shared) {
    this.#shared = shared
  }

  async begin(): Promise<void> {
    const { turns, gate } = this.#shared
    const askedAt = performance.now()
    this.#endTurn = await turns.take()
    await this.#watch(async () => {
      gate.check()
      await this.#mendLog(askedAt)
      await whenFree(askedAt, () => this.#toWriter(beginImmediate))
    })
  }

  /** Done when it is durable. Who waits for a turn gets it before: one flush is for many commits. */
  async commit(): Promise<void> {
    this.#runInTransaction(commit)
    this.endTransaction()
    await this.#flush()
  }

  /** Nothing to undo where SQLite has done it by itself, as when the disk is full, nor after a commit. */
  rollback(): void {
    if (this.#endTurn && this.#shared.writer.inTransaction) this.#runInTransaction(rollback)
  }

  endTransaction(): void {
    this.#endTurn?.()
    this.#endTurn = undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#endTurn) return this.#runInTransaction(query)
    const { toReader } = this.#shared
    const isRead = query.query.kind === 'SelectQueryNode'
    if (!isRead) return this.#writeInTurn(query)
    if (toReader) return this.#run(toReader, query)
    return this.#inTurn(askedAt => whenFree(askedAt, () => this.#toWriter(query)))
  }

  async #writeInTurn<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#inTurn(async askedAt => {
      this.#shared.gate.check()
      await this.#mendLog(askedAt)
      return whenFree(askedAt, () => this.#toWriter<R>(query))
    })
    await this.#flush()
    return result
  }

  async #inTurn<T>(work: (askedAt: number) => Promise<T>): Promise<T> {
    const askedAt = performance.now()
    const endTurn = await this.#shared.turns.take()
    try {
      return await this.#watch(() => work(askedAt))
    } finally {
      endTurn()
    }
  }

  /** Before anything is written, at first and after a flush that failed. */
  async #mendLog(askedAt: number): Promise<void> {
    const { logFlush } = this.#shared
    if (!logFlush.needsMending()) return
    await whenFree(askedAt, () => this.#toWriter(beginImmediate))
    try {
      await logFlush.mend()
    } finally {
      this.#toWriter(rollback)
    }
  }

  async #flush(): Promise<void> {
    await this.#watch(() => this.#shared.logFlush.flush())
    this.#shared.gate.succeeded()
  }

  /** Waits for nobody: the transaction has the lock. */
  #runInTransaction<R>(query: CompiledQuery): QueryResult<R> {
    try {
      return this.#toWriter(query)
    } catch (error) {
      this.#shared.gate.failed(error)
      throw error
    }
  }

  #toWriter<R>(query: CompiledQuery): QueryResult<R> {
    return this.#run(this.#shared.toWriter, query)
  }

  #run<R>(statements: Statements, query: CompiledQuery): QueryResult<R> {
    return this.#shared.damage.watch(() => run(statements, query))
  }

  async #watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#shared.gate.failed(error)
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
