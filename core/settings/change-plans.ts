import { isRefusal, type Refusal, refuse } from '../plugin/outcomes.ts'
import { copyOf, type OfferedPlan, offeredPlans } from './offered-plans.ts'
import { type AnyPlans, defaultPlan } from './plan.ts'
import { joinPatches, type PlanPatch, type StoredPlan } from './plan-schema.ts'
import type { RunTimeSettings, SettingsStore } from './settings.ts'

/** The settings are read as a whole, so they are not made for thousands of plans. */
const maxPlans = 100

/** May refuse a change, given the plan as it is at that moment. */
export type ObjectionToPlan = (plan: OfferedPlan) => Refusal | undefined

/** Changes of plans by admins. Each resolves when it is durable, and applies to all accounts at once. */
export interface PlanChanges {
  /** Create a plan as a copy of another. Refused: `plan_taken`, `limit_reached`, an original that does not exist. */
  create(slug: string, original: string, patch: PlanPatch): Promise<Refusal | undefined>
  /** Refused: `not_found`, retiring the plan that new accounts get, or what `object` says. */
  update(slug: string, patch: PlanPatch, object?: ObjectionToPlan): Promise<Refusal | undefined>
  /** Remove a retired plan. Refused: `not_found`, `plan_in_use`, or what `object` says. */
  remove(slug: string, object?: ObjectionToPlan): Promise<Refusal | undefined>
}

/** The answer to an unknown slug. */
export const noSuchPlan = 'No plan has this slug.'

/** Changes the plans stored in the settings, which override the `given` ones. */
export function createPlanChanges(given: AnyPlans, settings: SettingsStore): PlanChanges {
  type Plans = ReadonlyMap<string, OfferedPlan>

  /** Checks and stores in one turn, so that nothing can happen in between; null removes the plan. */
  async function store(
    slug: string,
    plan: (plans: Plans) => StoredPlan | null | Refusal,
  ): Promise<Refusal | undefined> {
    let refused: Refusal | undefined
    await settings.update(stored => {
      const after = plan(offeredPlans(given, stored))
      if (!isRefusal(after)) return withPlan(stored, slug, after)
      refused = after
      return stored
    })
    return refused
  }

  return {
    create: (slug, original, patch) =>
      store(slug, plans => {
        const from = plans.get(original)
        if (!from) return refuse('validation_failed', noSuchPlan, 422, 'copyOf')
        if (plans.has(slug)) {
          return refuse('plan_taken', 'Another plan has this slug.', 409, 'slug')
        }
        if (plans.size >= maxPlans) return tooMany(plans.size)
        return joinPatches(copyOf(from), patch)
      }),

    update: (slug, patch, object) =>
      store(slug, plans => {
        const plan = plans.get(slug)
        if (!plan) return planNotFound
        const retiresDefault = slug === defaultPlan && patch.isRetired === true
        const refused = object?.(plan) ?? (retiresDefault ? neededForNew : undefined)
        return refused ?? joinPatches(plan.set, patch)
      }),

    remove: (slug, object) =>
      store(slug, plans => {
        const plan = plans.get(slug)
        if (!plan) return planNotFound
        if (plan.isBuiltIn) return alwaysThere
        return object?.(plan) ?? (plan.isRetired ? null : stillTakes)
      }),
  }
}

export const planNotFound = refuse('not_found', 'This plan does not exist.', 404)
const neededForNew = refuse(
  'plan_in_use',
  'New accounts get this plan, so it cannot be retired.',
  409,
)
const alwaysThere = refuse(
  'plan_in_use',
  'This plan comes with Linnet and cannot be deleted. Retire it instead.',
  409,
)
const stillTakes = refuse('plan_in_use', 'Retire this plan before you delete it.', 409)

function tooMany(used: number): Refusal {
  const detail = `There can be at most ${maxPlans} plans.`
  return refuse('limit_reached', detail, 403, undefined, { limit: maxPlans, used })
}

function withPlan(stored: RunTimeSettings, slug: string, plan: StoredPlan | null): RunTimeSettings {
  const { [slug]: _, ...others } = stored.plans ?? {}
  // A changed plan keeps its place among the others.
  const plans = plan === null ? others : { ...stored.plans, [slug]: plan }
  return { ...stored, plans }
}
