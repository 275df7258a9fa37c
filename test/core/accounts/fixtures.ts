import { onTestFinished } from 'vitest'
import { contract } from '../../../config/contract.ts'
import { scopesOf } from '../../../core/accounts/access/scopes.ts'
import { createTokens } from '../../../core/accounts/access/tokens.ts'
import { countLinksCreated } from '../../../core/accounts/usage.ts'
import { createBoundedQueue } from '../../../core/lib/async/bounded-queue.ts'
import { type CheckGuess, createGuesses } from '../../../core/limits/guesses.ts'
import type { LogEvent } from '../../../core/limits/security-log.ts'
import { createThrottle } from '../../../core/limits/throttle.ts'
import type { Refusal } from '../../../core/plugin/outcomes.ts'
import type { Log, TokenKeeper } from '../../../core/plugin.ts'
import type { Features } from '../../../core/settings/contract.ts'
import { createEntitlements, type Entitlements } from '../../../core/settings/entitlements.ts'
import { type AnyPlan, type AnyPlans, unlimited } from '../../../core/settings/plan.ts'
import { type Database, inOneGo, inTransaction } from '../../../core/storage/database.ts'
import { openStorage, settingsInMemory } from '../../open-storage.ts'

export { addAccount, callerOf } from './add-account.ts'

/** A database of its own, closed at the end of the test, or with `afterAll` of the file. */
export async function openTestDb(
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Database> {
  const storage = await openStorage()
  atEnd(() => storage.close())
  return storage.db
}

/** Counts new links as if they were made, in the transaction of `db` or one of its own. */
export function countLinks(
  db: Database,
  accountId: number,
  max: number,
  count: number,
  now: () => Date,
): Promise<Refusal | undefined> {
  return inTransaction(db, tx => inOneGo(tx, countLinksCreated(tx, accountId, max, count, now)))
}

/** A clock that stands still until it is set. */
export function stoppedClock(start = '2026-11-20T12:00:00.000Z') {
  let at = new Date(start)
  return {
    now: () => at,
    set(moment: string) {
      at = new Date(moment)
    },
    advance(ms: number) {
      at = new Date(at.getTime() + ms)
    },
  }
}

export const minute = 60_000
export const day = 24 * 60 * minute

/** A plan with every switch of the contract on, or off. */
export function planWith(on: boolean): AnyPlan {
  const group = (keys: readonly string[]) => Object.fromEntries(keys.map(key => [key, on]))
  return {
    name: on ? 'Full' : 'Empty',
    limits: { maxLinksCreatedPerMonth: unlimited, maxTrackedVisitsPerMonth: unlimited },
    organization: { maxTags: unlimited, maxCampaigns: unlimited },
    analytics: group(contract.features.analytics),
    link: group(contract.features.link),
    developer: group(contract.features.developer),
    extensions: {},
  }
}

export const everyPlanFull: AnyPlans = {
  free: planWith(false),
  pro: planWith(true),
  business: planWith(true),
  unlimited: planWith(true),
}

export const allOn = Object.fromEntries(contract.flags.map(flag => [flag, true])) as Features

/** Entitlements with the API tokens installed; `free` has nothing, the other plans everything. */
export function testEntitlements(
  given: Partial<Parameters<typeof createEntitlements>[0]> = {},
): Entitlements {
  return createEntitlements({
    plans: everyPlanFull,
    features: allOn,
    contract,
    installed: new Map([['developer.apiKeys', { flag: 'apiAccessEnabled' }]]),
    settings: settingsInMemory(),
    ...given,
  })
}

/** API tokens as they are beside plugins with scopes of their own. */
export function testTokens(db: Database, now: () => Date): TokenKeeper {
  const scopes = ['tags', 'campaigns', 'domains', 'api-tokens', 'metrics'].flatMap(it => [
    `${it}:read`,
    `${it}:write`,
  ])
  return createTokens({ db, now, scopes: () => scopesOf([{ scopes }]) })
}

/** A log that remembers its warnings. */
export function rememberingLog(): Log & { readonly warnings: readonly string[] } {
  const warnings: string[] = []
  return {
    warnings,
    info: () => undefined,
    warn: message => {
      warnings.push(message)
    },
    error: () => undefined,
  }
}

/** Where guesses are limited as they are anywhere, but no number of them is too many to wait. */
export function patientGuesses(note: LogEvent = async () => undefined): CheckGuess {
  const queue = createBoundedQueue({ atOnce: 2, maxWaiting: 1_000, maxWaitMs: 60_000 })
  return createGuesses({ throttle: createThrottle(), queue, note })
}
