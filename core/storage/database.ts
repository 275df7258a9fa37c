import type { CompiledQuery, Kysely, QueryResult, Transaction } from 'kysely'
import type { Tally } from '../limits/share-throttle.ts'
import { isRefusal, type Refusal, refuse } from '../plugin/outcomes.ts'
import type { Damage } from './files/damage.ts'
import type { News } from './news.ts'
import type { Schema } from './schema.ts'

/** The database as the rest of the core sees it: only this folder knows which kind it is. */
export interface Storage {
  readonly db: Database
  /** The one prepared read of the hot path: the row for a code, or undefined if there is none. */
  findLink(domain: string, code: string): Promise<FoundLink | undefined>
  /** Where another thread can open the same database; undefined if it is in memory. */
  readonly address: Address | undefined
  /** The file that contains it; undefined if it is in memory or on a server. */
  readonly file: string | undefined
  /** Why nothing can be written at present, as far as is known; undefined if writing works. */
  writeTrouble(): string | undefined
  /** Whether everything can be read that is needed to follow a link. */
  canFollow(): Promise<boolean>
  /**
   * Calls the listener when a commit could not be made durable: its author is told that it failed, and yet everybody
   * can see it.
   */
  onFailedFlush(listener: () => void): void
  /** Messages from other servers on the same database. */
  readonly news: News
  /** Counts that all servers on the database share; undefined if there is only one server. */
  readonly tally: Tally | undefined
  /** Whether it was found to be damaged, by any connection. */
  readonly damage: Damage
  /** How many pages of its log could not be read back when it was opened; anything above 0 is a loss. */
  readonly lostPages: number
  /** Locks for work that only one of several servers does at a time; undefined if there is only one server. */
  readonly locks?: Locks | undefined
  /** Write everything to its place and close the files. */
  close(): Promise<void>
}

/** The address of a database: the file of SQLite, or the server of PostgreSQL. */
export type Address = { readonly file: string } | { readonly url: string }

export type Database = Kysely<Schema>
export type Tx = Transaction<Schema>

/** What is needed of a link and its owner to follow it. */
export interface FoundLink {
  readonly id: number
  readonly account_id: number
  readonly domain: string
  readonly short_code: string
  readonly original_url: string
  readonly fields: string
  readonly guarded_by: string
  readonly version: number
  readonly plan: string
  readonly links_closed: number
}

/** Read or write in one transaction: either all of it happens, or nothing. */
export function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

/**
 * Like `inTransaction`, for work that may be refused half-way: a refusal undoes all that was written and is returned.
 */
export async function inTransactionUnlessRefused<T>(
  db: Database,
  work: (tx: Tx) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  try {
    return await inTransaction(db, async tx => {
      const result = await work(tx)
      if (isRefusal(result)) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal
    throw error
  }
}

/** The refusal that undoes a transaction of which all is known by then, as of one that is only tried. */
export const undone = refuse('unavailable', 'This was undone.', 503)

/** Does work with the database, or only tries it: then all of it is undone once its result is known. */
export async function doOrTry<T>(
  db: Database,
  isDry: boolean,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  if (!isDry) return work(db)
  const result: T[] = []
  await inTransactionUnlessRefused(db, async tx => {
    result.push(await work(tx))
    return undone
  })
  return result[0] as T
}

/** What a connection of ours does within a transaction, besides queries. */
export interface OpenTransaction {
  whenVisible(work: () => void): void
  inOneGo<T>(steps: Steps<T>): Promise<T>
}

/**
 * Calls `work` as soon as everybody can see what a transaction wrote, while that is still being flushed to the disk.
 * It is not called if the transaction is undone.
 */
export function whenVisible(tx: Tx, work: () => void): Promise<void> {
  return withConnection(tx, async connection => connection.whenVisible(work))
}

/**
 * Like `inTransaction`, but resolves as soon as everybody can see the result, before it is flushed: for writes that a
 * power cut may undo, unless a later one was flushed.
 */
export function inUnflushedTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    inTransaction(db, async tx => {
      const result = await work(tx)
      await whenVisible(tx, () => resolve(result))
      return result
    }).then(resolve, reject)
  })
}

/** Statements of a transaction that follow from each other: each is yielded, and its result given back. */
export type Steps<T> = Generator<CompiledQuery, T, QueryResult<unknown>>

/** One statement among others. */
export function* step<Row>(query: CompiledQuery<Row>): Steps<QueryResult<Row>> {
  return (yield query) as QueryResult<Row>
}

/**
 * Runs statements of a transaction. SQLite runs all of them in one go: asking Kysely for each takes longer than most
 * statements.
 */
export function inOneGo<T>(tx: Tx, steps: Steps<T>): Promise<T> {
  return withConnection(tx, connection => connection.inOneGo(steps))
}

/** All connections are ours: see `lendConnections`. */
function withConnection<T>(tx: Tx, use: (connection: OpenTransaction) => Promise<T>): Promise<T> {
  return tx
    .getExecutor()
    .provideConnection(connection => use(connection as unknown as OpenTransaction))
}

class RolledBack extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

/** Locks for work that only one of the servers on a database does at a time. */
export interface Locks {
  /**
   * Takes a lock and returns a function that releases it; undefined if another server holds it. A server that ends
   * releases all its locks.
   */
  take(name: string): Promise<(() => Promise<void>) | undefined>
  /** Which of these locks are held, by whichever server. */
  taken(names: readonly string[]): Promise<ReadonlySet<string>>
}
