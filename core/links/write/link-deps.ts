import type { SignedIn } from '../../accounts/account.ts'
import type { OwnTurns } from '../../lib/async/own-turns.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import {
  type Database,
  inTransactionUnlessRefused,
  type Steps,
  type Tx,
} from '../../storage/database.ts'
import type { Remover } from '../../visits/upkeep/remove-when-idle.ts'
import type { Paths } from '../codes/reserved-codes.ts'
import type { LinkCache } from '../follow/cache.ts'
import type { Hosts } from '../follow/hosts.ts'
import type { LinkHooks } from '../hooks.ts'
import type { Targets } from '../original-url.ts'
import type { ShortUrls } from '../read/short-urls.ts'
import type { Trial } from './trial.ts'

/** What writing links needs from the rest of the program. */
export interface LinkDeps extends Targets {
  readonly db: Database
  readonly hooks: LinkHooks
  readonly cache: LinkCache
  readonly remover: Pick<Remover, 'wake'>
  readonly shortUrls: ShortUrls
  readonly hosts: Pick<Hosts, 'all' | 'rulesOf'>
  /** What short codes on the host of the base URL must not hide. */
  readonly paths: Paths
  now(): Date
  /** For how many days a deleted link can be restored; 0: it is deleted for good. */
  readonly deletedDays: number
  /** Brings visits up to date. Never wait for it within a transaction. */
  catchUp(): Promise<void>
  /** Call this in the transaction that stores visits from elsewhere, in the row with this id. */
  broughtVisits(tx: Tx, batchId: number): Promise<void>
  /** Lets those who change the same link, or make one for the same key, do so one after another. */
  readonly linkTurns: OwnTurns
  /** Present while a request is only tried. */
  readonly trial?: Trial
  /** Count created links against the account's plan, in the same transaction. */
  countCreated(tx: Tx, caller: SignedIn, count: number): Steps<Refusal | undefined>
}

/** Writes links in a transaction. A refusal undoes it, as the end of a trial does. */
export function writeLinks<T>(
  { db, trial }: Pick<LinkDeps, 'db' | 'trial'>,
  work: (tx: Tx) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  return trial ? trial.write(work) : inTransactionUnlessRefused(db, work)
}

/** What is only tried, nobody hears of, and nothing follows from it. */
export function unheard(deps: LinkDeps): LinkDeps {
  const hooks: LinkHooks = {
    ...deps.hooks,
    announceCreated: () => undefined,
    announceUpdated: () => undefined,
    announceDeleted: () => undefined,
    announceAllDeleted: async () => undefined,
  }
  return { ...deps, hooks, remover: { wake: () => undefined }, catchUp: async () => undefined }
}
