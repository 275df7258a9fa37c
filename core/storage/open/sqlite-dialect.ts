import type BetterSqlite3 from 'better-sqlite3'
import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { ReadsAtOnce } from '../../lib/compile-once.ts'
import type { Steps } from '../database.ts'
import { createDamage, type Damage } from '../files/damage.ts'
import { flushedBySqlite, type LogFlush } from '../files/log-flush.ts'
import { Borrowed, lendConnections } from './lend-connections.ts'
import { createWriteGate, type WriteGate } from './write-gate.ts'
import { type OpenWrite, Writing } from './writing.ts'

/** What the dialect runs on. */
export interface SqliteParts {
  readonly writer: BetterSqlite3.Database
  /** For reads outside of a transaction; if absent, they wait for their turn with the writer. */
  readonly reader?: BetterSqlite3.Database
  readonly gate?: WriteGate
  readonly damage?: Damage
  /** Makes durable what the writer commits. */
  readonly logFlush?: LogFlush
}

/**
 * Kysely on better-sqlite3. Five things differ from Kysely's own dialect. A transaction takes the write lock at its
 * start, so that it never fails half-way because of another writer. Waiting for that lock uses a timer, so that it
 * never blocks the event loop and with it a redirect. Writers that are at work at the same time share a commit. Reads
 * outside of a transaction never wait for a writer: while there is one, they use `reader`. A write resolves when it
 * is durable, while others are writing already.
 */
export function sqliteDialect({ writer, reader, ...parts }: SqliteParts): Dialect {
  const {
    gate = createWriteGate(() => false),
    damage = createDamage(),
    logFlush = flushedBySqlite,
  } = parts
  const writing = new Writing({ writer, gate, damage, logFlush })
  const shared: Shared = {
    toWriter: prepareOnce(writer),
    toReader: reader && prepareOnce(reader),
    damage,
    writing,
  }
  // Kysely does not call this if no query was run.
  const end = () => writing.inTurn(() => undefined)
  return {
    createAdapter: () => new ReadingBesideWriting(shared),
    createDriver: () => lendConnections(() => new SqliteConnection(shared), end),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new PlannedOnce(),
  }
}

/** Kysely would hand out one connection at a time; here reads have a separate one, and writers take turns. */
class ReadingBesideWriting extends SqliteAdapter implements ReadsAtOnce {
  readonly #shared: Shared

  constructor(shared: Shared) {
    super()
    this.#shared = shared
  }

  readAtOnce<R>(query: CompiledQuery<R>): QueryResult<R> | undefined {
    return isRead(query) ? readBeside<R>(this.#shared, query) : undefined
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * SQLite plans a statement over several tables again whenever it runs with another value, because the plan might
 * depend on the value; that takes ten times as long as running it. A plus in front of the placeholder, which changes
 * no value, prevents that. https://sqlite.org/c3ref/prepare.html
 */
class PlannedOnce extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** What all connections for Kysely share. */
interface Shared {
  readonly toWriter: Statements
  readonly toReader: Statements | undefined
  readonly damage: Damage
  readonly writing: Writing
}

function isRead({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode'
}

/** Reads outside of a transaction, beside a writer if there is one; undefined if the read has to wait for its turn. */
function readBeside<R>(
  { toReader, toWriter, writing, damage }: Shared,
  query: CompiledQuery,
): QueryResult<R> | undefined {
  if (!toReader) return undefined
  // The writer keeps its cached pages across its own commits; a reader drops all of them at each commit.
  const statements = writing.isUnderWay() ? toReader : toWriter
  return damage.watch(() => run<R>(statements, query))
}

class SqliteConnection extends Borrowed {
  readonly #shared: Shared
  /** Set while a transaction is under way. */
  #part: OpenWrite | undefined

  constructor(shared: Shared) {
    super()
    this.#shared = shared
  }

  async begin(): Promise<void> {
    this.#part = await this.#shared.writing.begin()
  }

  async commit(): Promise<void> {
    await this.#part?.commit(() => this.nowVisible())
  }

  async rollback(): Promise<void> {
    this.#part?.rollback()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#part) return this.#runIn(this.#part, query)
    if (!isRead(query)) return this.#write(query)
    const { writing } = this.#shared
    return readBeside<R>(this.#shared, query) ?? writing.inTurn(() => this.#toWriter(query))
  }

  async inOneGo<T>(steps: Steps<T>): Promise<T> {
    if (!this.#part) throw new Error('No transaction is under way.')
    let next = steps.next()
    while (!next.done) next = steps.next(this.#runIn(this.#part, next.value))
    return next.value
  }

  async #write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const part = await this.#shared.writing.begin()
    try {
      const result = this.#runIn<R>(part, query)
      await part.commit()
      return result
    } finally {
      part.rollback()
    }
  }

  #runIn<R>(part: OpenWrite, query: CompiledQuery): QueryResult<R> {
    return part.run(() => this.#toWriter(query))
  }

  #toWriter<R>(query: CompiledQuery): QueryResult<R> {
    const { damage, toWriter } = this.#shared
    return damage.watch(() => run(toWriter, query))
  }
}

function run<R>(statements: Statements, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = statements(sql)
  if (statement.reader) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Returns the prepared statement for an SQL text. */
type Statements = (sql: string) => BetterSqlite3.Statement

/** More than the program has, except for lists of many lengths. */
const maxStatements = 200

/**
 * Prepares each statement once: SQLite prepares it again by itself when the schema has changed. Beyond the maximum,
 * the oldest statement is dropped: tracking which was used last would cost more at each use than that.
 */
function prepareOnce(database: BetterSqlite3.Database): Statements {
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
 * when it fails: others share both. Back to the savepoint of a trial undoes only what its own writer did.
 */
const reachesOthers = /\b(rollback(?! to savepoint tried$)|deferred|defer_foreign_keys)\b/i

/** Throws for a statement that could make others fail that share its commit. */
function checkReach(sql: string): void {
  const [word] = reachesOthers.exec(sql.replace(/"[^"]*"|'[^']*'/g, '')) ?? []
  if (word === undefined) return
  throw new Error(
    `A statement must not say ${word}: what others write at the same moment would fail with it.`,
  )
}
