import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** How long a server trusts what it knows once it hears nothing, in milliseconds. */
export const trustMs = 300_000

/** What servers on one database tell each other, so that none works with stale data. */
export interface News {
  /**
   * Tell all servers, including this one. If `db` is a transaction, they are told when it commits, and not if it
   * fails.
   */
  tell(db: Kysely<Schema>, topic: string, detail?: string): Promise<void>
  /**
   * Calls the listener until `signal` is aborted. A listener that is added later also hears of what was told since
   * the database was opened.
   */
  on(topic: string, listener: Listener, signal?: AbortSignal): void
  /** Whether changes by others can be heard at present. */
  isHeard(): boolean
  /** Calls the listener when that changes. */
  onHeard(listener: (isHeard: boolean) => void): void
}

/**
 * Without a detail, anything of the topic may have changed. Everybody who can connect to the database can tell
 * something: where that matters, check `teller`, the process of PostgreSQL that said it.
 */
export type Listener = (detail?: string, teller?: number) => void

/** For a single server, which knows what it does. */
export const noNews: News = {
  tell: async () => undefined,
  on: () => undefined,
  isHeard: () => true,
  onHeard: () => undefined,
}
