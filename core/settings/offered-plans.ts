import { type AnyPlan, type AnyPlans, type BuiltInSlug, builtInSlugs, isBuiltIn } from './plan.ts'
import { joinPatches, type StoredPlan } from './plan-schema.ts'
import type { RunTimeSettings } from './settings.ts'

/** A plan beside the others: what it lies upon, and what of it was set. */
export interface OfferedPlan {
  readonly slug: string
  /** It comes with Linnet: it can be changed and retired, but it is always there. */
  readonly isBuiltIn: boolean
  /** No account can be put on it any more. */
  readonly isRetired: boolean
  /** The plan of the configuration that says what was not set, as what later versions bring. */
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
 * What is stored of a copy: all that the original has now, so that nothing changes with it later. Only one plan is
 * the recommended one.
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

/** Which plan of the configuration one lies upon: itself, or what it was copied from in the end. */
function baseOf(slug: string, set: StoredPlan | undefined): BuiltInSlug {
  return isBuiltIn(slug) ? slug : (set?.basedOn ?? 'free')
}
