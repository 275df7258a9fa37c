import { type Refusal, refuse } from '../plugin/outcomes.ts'
import { createPlanChanges, type PlanChanges } from './change-plans.ts'
import { type Contract, type Features, type FeaturesPatch, groupOfLimit } from './contract.ts'
import {
  completePlan,
  effectiveFeatures,
  effectivePlan,
  type Installed,
  isBrought,
  isOnForAll,
} from './effective-plan.ts'
import { type OfferedPlan, offeredPlans } from './offered-plans.ts'
import {
  type AnyPlan,
  type AnyPlans,
  hasEverything,
  includes,
  unlimited,
  valuesOf,
} from './plan.ts'
import { patchPlan } from './plan-schema.ts'
import type { RunTimeSettings, SettingsStore } from './settings.ts'
import { draftOf } from './settings-store.ts'

/** What an account may use: what is installed, switched on for everybody, and in its plan. */
export interface Entitlements {
  /** All plans, in the order in which they are shown. */
  plans(): readonly OfferedPlan[]
  /** A plan by its slug. */
  findPlan(slug: string): OfferedPlan | undefined
  /** A plan as the operator set it. An unknown slug counts as `free`, which has the least. */
  plan(slug: string): AnyPlan
  /** A plan with every feature off that is not installed, is off for everybody, or needs one that is off. */
  effectivePlan(slug: string): AnyPlan
  /** The value of a limit, with its full name in the plan: `{ name: 'limits.maxMoods', max: 5 }`. */
  limit(slug: string, name: string): { readonly name: string; readonly max: number }
  /** The global switches; a switch that no installed plugin brings is off. */
  features(): Features
  /** Whether a feature is installed and on for everybody. */
  isOn(feature: string): boolean
  /**
   * Checks that a plan may use all these features. Refused, naming all that it may not use: `feature_disabled`,
   * `feature_not_in_plan`.
   */
  check(slug: string, ...features: readonly string[]): Refusal | undefined
  readonly changePlans: PlanChanges
  /** Change switches; resolves when that is durable. Refused: switching on what no installed plugin brings. */
  updateFeatures(patch: FeaturesPatch): Promise<Features | Refusal>
  /** The same for now, and changes of it are only tried: nobody else sees them. */
  draft(): Entitlements
  /**
   * A new object after each change of the settings: whoever caches the answers above compares it to know when they
   * are stale.
   */
  version(): object
}

/**
 * Works out what each plan comes down to, once and again after each change of the settings. It subscribes to nothing,
 * so it can be garbage-collected.
 */
export function createEntitlements({
  plans,
  features,
  contract,
  installed,
  settings,
}: {
  readonly plans: AnyPlans
  readonly features: Features
  /** The contract, including the names that installed plugins add. */
  readonly contract: Contract
  readonly installed: Installed
  readonly settings: SettingsStore
}): Entitlements {
  /** What is not installed is in no effective plan. */
  const includedIn = (plan: AnyPlan): ReadonlySet<string> =>
    new Set([...installed.keys()].filter(feature => includes(plan, feature)))

  function workOut(stored: RunTimeSettings) {
    const switches = effectiveFeatures(features, stored.features ?? {}, contract, installed)
    const workOutPlan = ({ base, set }: Pick<OfferedPlan, 'base' | 'set'>) => {
      const plan = patchPlan(base, set, contract)
      // A plugin that the plans do not mention yet is on in plans that had every feature before an admin took any
      // away.
      const configured = completePlan(plan, contract, installed, hasEverything(base))
      const effective = effectivePlan(configured, contract, installed, switches)
      return { configured, effective, included: includedIn(effective) }
    }
    const offered = offeredPlans(plans, stored)
    const worked = new Map([...offered.values()].map(plan => [plan.slug, workOutPlan(plan)]))
    const least = workOutPlan({ base: plans.free, set: stored.plans?.free ?? {} })
    return { stored, switches, offered, of: (slug: string) => worked.get(slug) ?? least }
  }

  let known = workOut(settings.read())
  const current = () => {
    const stored = settings.read()
    if (known.stored !== stored) known = workOut(stored)
    return known
  }

  return {
    plans: () => [...current().offered.values()],
    findPlan: slug => current().offered.get(slug),
    plan: slug => current().of(slug).configured,
    effectivePlan: slug => current().of(slug).effective,
    features: () => current().switches,
    limit(slug, name) {
      const group = groupOfLimit(contract, name)
      const { [name]: max = unlimited } = valuesOf(current().of(slug).configured, group)
      return { name: `${group}.${name}`, max: Number(max) }
    },
    isOn: feature => isOnForAll(feature, installed, current().switches),
    version: () => current().stored,

    check(slug, ...features) {
      const { included } = current().of(slug)
      const barred = features.filter(feature => !included.has(feature))
      if (barred.length === 0) return undefined
      const disabled = barred.filter(it => !isOnForAll(it, installed, current().switches))
      return disabled.length > 0
        ? barOf('feature_disabled', disabled, names => `Switched off on this instance: ${names}.`)
        : barOf('feature_not_in_plan', barred, names => `Your plan does not include ${names}.`)
    },

    changePlans: createPlanChanges(plans, settings),
    draft: () =>
      createEntitlements({ plans, features, contract, installed, settings: draftOf(settings) }),

    async updateFeatures(patch) {
      const missing = contract.flags.find(flag => patch[flag] && !isBrought(flag, installed))
      if (missing !== undefined) {
        const detail = 'No installed plugin has this switch.'
        return refuse('validation_failed', detail, 422, missing)
      }
      await settings.update(stored => ({
        ...stored,
        features: { ...stored.features, ...patch },
      }))
      return current().switches
    },
  }
}

/** Programs find the names next to the sentence. */
function barOf(code: string, features: readonly string[], say: (names: string) => string): Refusal {
  const [feature = ''] = features
  return refuse(code, say(features.join(', ')), 403, undefined, { feature, features })
}
