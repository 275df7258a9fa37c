import { CompiledQuery, type Kysely, type Transaction } from 'kysely'
import type { Tally } from '../limits/tally.ts'
import { isRefusal, type Refusal } from '../plugin/outcomes.ts'
import type { Damage } from './files/damage.ts'
import type { Locks } from './locks.ts'
import type { News } from './news.ts'
import type { Schema } from './schema.ts'

/** The database as the rest of the core sees it: which one it is shows nowhere but in this folder. */
export interface Storage {
  readonly db: Database
  /** The one read of the hot path, prepared: the row behind a code, undefined when there is none. */
  findLink(domain: string, code: string): Promise<FoundLink | undefined>
  /** Where another thread can open the same database; undefined when it lives in memory. */
  readonly address: Address | undefined
  /** The file that it is in; undefined when it lives in memory or on a server. */
  readonly file: string | undefined
  /** Why nothing can be written at present, as far as is known. */
  writeTrouble(): string | undefined
  /** Whether what following a link reads can be read. */
  canFollow(): Promise<boolean>
  /**
   * Called when a commit could not be made durable: whoever made it is told that it failed, and yet
   * everybody can see it.
   */
  onFailedFlush(listener: () => void): void
  /** What other servers on it change. */
  readonly news: News
  /** What servers on it count together; undefined where there is one. */
  readonly tally: Tally | undefined
  /** Whether it was found to be damaged, by whom ever. */
  readonly damage: Damage
  /** Pages of its log that could not be read back when it was opened: 0, or something is wrong with them. */
  readonly lostPages: number
  /** What one of several servers does at a time; undefined where there is one server. */
  readonly locks?: Locks | undefined
  /** Write everything where it belongs and let go of the files. */
  close(): Promise<void>
}

/** Where a database is: SQLite's in a file, PostgreSQL's on a server. */
export type Address = { readonly file: string } | { readonly url: string }

export type Database = Kysely<Schema>
export type Tx = Transaction<Schema>

/** What following a link needs to know of it and of its owner. */
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
}

/** Read or write in one transaction: all of it happens, or nothing. */
export function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

/**
 * Like a transaction, for work that may be refused half-way: a refusal undoes all that was written and
 * is returned.
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

/**
 * Call `work` as soon as everybody can see what a transaction wrote, while that is flushed to the disk. It is not
 * called if the transaction is undone.
 */
export async function whenVisible(tx: Tx, work: () => void): Promise<void> {
  await tx.executeQuery(new WhenVisible(work))
}

/**
 * Like a transaction, but resolves as soon as everybody can see it, before it is flushed: for writes that a power cut
 * may undo, unless a later one was flushed.
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

/** Reaches the connection as a query, because Kysely passes on nothing else. */
export class WhenVisible implements CompiledQuery {
  readonly sql = ''
  readonly parameters = []
  readonly query: CompiledQuery['query']
  readonly queryId: CompiledQuery['queryId']
  readonly work: () => void

  constructor(work: () => void) {
    const { query, queryId } = CompiledQuery.raw('')
    this.query = query
    this.queryId = queryId
    this.work = work
  }
}

class RolledBack extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}
