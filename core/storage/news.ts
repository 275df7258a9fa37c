import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** What servers on one database tell each other, so that none goes on by what was. */
export interface News {
  /** Tell all, this server too: when `db` commits where it is a transaction, and never when that comes to nothing. */
  tell(db: Kysely<Schema>, topic: string, detail?: string): Promise<void>
  /** Until `signal` is aborted. What was told since the database was opened is said to who begins later, too. */
  on(topic: string, listener: Listener, signal?: AbortSignal): void
  /** Whether what others change is heard of at present. */
  isHeard(): boolean
  /** Called when that changes. */
  onHeard(listener: (isHeard: boolean) => void): void
}

/**
 * Without a detail anything of the topic may be other than before. Whoever may connect to the database can tell
 * something: where that matters, look by the teller, a process of PostgreSQL, who it was.
 */
export type Listener = (detail?: string, teller?: number) => void

/** Where there is one server, which knows what it does. */
export const noNews: News = {
  tell: async () => undefined,
  on: () => undefined,
  isHeard: () => true,
  onHeard: () => undefined,
}
