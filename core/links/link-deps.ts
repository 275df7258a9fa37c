import type { SignedIn } from '../accounts/account.ts'
import type { Refusal } from '../outcomes.ts'
import type { Database, Tx } from '../storage/database.ts'
import type { LinkCache } from './cache.ts'
import type { LinkHooks } from './hooks.ts'

/** What writing links needs from the rest of the house. */
export interface LinkDeps {
  readonly db: Database
  readonly hooks: LinkHooks
  readonly cache: LinkCache
  /** Hosts, with their port, under which we answer ourselves. */
  readonly ownHosts: ReadonlySet<string>
  now(): Date
  /** Count one created link against the account's plan, in the same transaction. */
  countCreated(tx: Tx, caller: SignedIn): Promise<Refusal | undefined>
}
