import { z } from 'zod'
import { type AnyPlan, contract } from './plan.ts'

/** A whole number from 0; `9007199254740991` when there is no limit. */
const limit = z.int().min(0)

const price = z.strictObject({
  amount: z.number().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/, 'Give a currency of ISO 4217, as EUR.'),
})
const pricing = z.strictObject({ monthly: price, yearly: price })

const groups = {
  limits: group(contract.limits, limit),
  organization: group(contract.organization, limit),
  analytics: group(contract.analytics, z.boolean()),
  link: group(contract.link, z.boolean()),
  developer: group(contract.developer, z.boolean()),
}

const feature = z.string().regex(/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/)
const extensions = z.record(feature, z.boolean())

/** A plan as the API shows it, but for what depends on who asks: `slug` and `usage`. */
export const planShape = {
  ...groups,
  extensions,
  recommended: z.boolean().optional(),
  recommendedPricing: pricing.optional(),
}

/** A change of a plan: any part of it. `recommendedPricing: null` takes the pricing away. */
export const planPatch = z.strictObject({
  limits: groups.limits.partial().optional(),
  organization: groups.organization.partial().optional(),
  analytics: groups.analytics.partial().optional(),
  link: groups.link.partial().optional(),
  developer: groups.developer.partial().optional(),
  extensions: extensions.optional(),
  recommended: z.boolean().optional(),
  recommendedPricing: pricing.nullable().optional(),
})

export type PlanPatch = z.output<typeof planPatch>

/** One change after another, as one change. */
export function joinPatches(first: PlanPatch, second: PlanPatch): PlanPatch {
  return merge(first, second)
}

/** A plan after a change. */
export function patchPlan(plan: AnyPlan, patch: PlanPatch): AnyPlan {
  const { recommendedPricing, ...rest } = merge({ ...plan }, patch)
  const patched = recommendedPricing ? { ...rest, recommendedPricing } : rest
  return patched as AnyPlan
}

/** Groups are merged, anything else is replaced. */
function merge(below: PlanPatch, above: PlanPatch): PlanPatch {
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const isGroup = key in groups || key === 'extensions'
    merged[key] = isGroup ? { ...(merged[key] ?? {}), ...(value as object) } : value
  }
  return merged as PlanPatch
}

function group<Key extends string, Value extends z.ZodType>(keys: readonly Key[], value: Value) {
  return z.strictObject(Object.fromEntries(keys.map(key => [key, value])) as Record<Key, Value>)
}
