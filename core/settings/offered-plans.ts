import { type AnyPlan, type AnyPlans, type BuiltInSlug, builtInSlugs, isBuiltIn } from './plan.ts'
import { joinPatches, type StoredPlan } from './plan-schema.ts'
import type { RunTimeSettings } from './settings.ts'

/** One of all plans: the plan that it is based on, and what was set on top. */
export interface OfferedPlan {
  readonly slug: string
  /** Whether it comes with Linnet: it can be changed and retired, but not deleted. */
  readonly isBuiltIn: boolean
  /** Whether accounts can no longer be put on it. */
  readonly isRetired: boolean
  /** The plan of the configuration, which has the values that were not set, and those that later versions bring. */
  readonly base: AnyPlan
  readonly set: StoredPlan
}

/** All plans: those that come with Linnet, then those of the operator in the order in which they were made. */
export function offeredPlans(
  given: AnyPlans,
  { plans: stored = {} }: RunTimeSettings,
): ReadonlyMap<string, OfferedPlan> {
  const made = Object.keys(stored).filter(slug => !isBuiltIn(slug))
  return new Map(
    [...builtInSlugs, ...made].map(slug => {
      const set = Object.hasOwn(stored, slug) ? stored[slug] : undefined
      return [slug, offered(slug, given[baseOf(slug, set)], set)]
    }),
  )
}

/**
 * What is stored for a copy: everything that the original has now, so that later changes of the original do not
 * affect it. Only one plan is the recommended one.
 */
export function copyOf(original: OfferedPlan): StoredPlan {
  const { isRetired: _, ...whole } = joinPatches(original.base, original.set)
  return {
    ...whole,
    basedOn: baseOf(original.slug, original.set),
    recommended: false,
  }
}

function offered(slug: string, base: AnyPlan, set: StoredPlan = {}): OfferedPlan {
  return { slug, isBuiltIn: isBuiltIn(slug), isRetired: set.isRetired ?? false, base, set }
}

/** The plan of the configuration that a plan is based on: itself, or the one at the start of its chain of copies. */
function baseOf(slug: string, set: StoredPlan | undefined): BuiltInSlug {
  return isBuiltIn(slug) ? slug : (set?.basedOn ?? 'free')
}
