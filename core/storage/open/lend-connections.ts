import type { CompiledQuery, DatabaseConnection, Driver, Kysely, QueryResult } from 'kysely'
import { within } from '../../lib/async/within.ts'
import type { OpenTransaction, Steps } from '../database.ts'

/** The connection that Kysely borrows for one query or one transaction. */
export abstract class Borrowed implements DatabaseConnection, OpenTransaction {
  readonly #whenVisible: (() => void)[] = []

  abstract begin(): Promise<void>
  abstract commit(): Promise<void>
  abstract rollback(): Promise<void>
  abstract executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>
  abstract inOneGo<T>(steps: Steps<T>): Promise<T>

  whenVisible(work: () => void): void {
    this.#whenVisible.push(work)
  }

  protected nowVisible(): void {
    for (const work of this.#whenVisible) work()
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}

/** A driver for connections that are closed by whoever opened them; `end` waits for what is under way. */
export function lendConnections(lend: () => Borrowed, end: () => Promise<void>): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => lend(),
    beginTransaction: connection => (connection as Borrowed).begin(),
    commitTransaction: connection => (connection as Borrowed).commit(),
    rollbackTransaction: connection => (connection as Borrowed).rollback(),
    releaseConnection: async () => undefined,
    destroy: end,
  }
}

/** How long to wait for a transaction under way, in milliseconds; one that hangs is undone. */
const endMs = 500

/** Waits until everything under way has ended, or its time is up. */
export async function ended<Tables>(db: Kysely<Tables>): Promise<void> {
  await within(endMs, db.destroy(), undefined)
}
