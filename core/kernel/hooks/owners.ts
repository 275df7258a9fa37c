import type { Plugin } from '../../plugin.ts'
import type { Entitlements } from '../../settings/entitlements.ts'
import { includes } from '../../settings/plan.ts'
import type { Owner } from '../../visits/facts/open-visit.ts'

/**
 * The dimensions that may be counted of an account's visits, by its plan. Accounts on the same plan share one list of
 * dimensions, and all visits of an account share one owner.
 */
export function createOwners(
  plugins: readonly Plugin[],
  entitlements: Entitlements,
): { ownerOf(accountId: number, plan: string): Owner } {
  const owners = new Map<string, Owner>()
  const collected = new Map<string, readonly string[]>()
  let version = entitlements.version()

  function forgetOld(): void {
    if (version === entitlements.version()) return
    version = entitlements.version()
    owners.clear()
    collected.clear()
  }

  function collectedBy(plan: string): readonly string[] {
    const known = collected.get(plan)
    if (known) return known
    const effective = entitlements.effectivePlan(plan)
    const names = plugins
      .filter(({ feature }) => includes(effective, feature))
      .flatMap(({ dimensions }) => Object.keys(dimensions ?? {}))
    collected.set(plan, names)
    return names
  }

  return {
    ownerOf(accountId, plan) {
      forgetOld()
      const key = `${accountId} ${plan}`
      const known = owners.get(key)
      if (known) return known
      const owner: Owner = {
        accountId,
        collect: collectedBy(plan),
        maxTrackedVisits: entitlements.plan(plan).limits.maxTrackedVisitsPerMonth,
      }
      owners.set(key, owner)
      return owner
    },
  }
}
