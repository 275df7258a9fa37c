import { z } from 'zod'
import type { Contract } from './contract.ts'
import type { AnyPlan } from './plan.ts'

/** A whole number from 0; `9007199254740991` when there is no limit. */
const limit = z.int().min(0)

const price = z.strictObject({
  amount: z.number().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/, 'Enter a currency of ISO 4217, such as EUR.'),
})
const pricing = z.strictObject({ monthly: price, yearly: price })

const feature = z.string().regex(/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/)
const extensions = z.record(feature, z.boolean())

const change = {
  extensions: extensions.optional(),
  recommended: z.boolean().optional(),
  recommendedPricing: pricing.nullable().optional(),
}

/** A plan as the API shows it, but for what depends on who asks: `slug` and `usage`. */
export function planShape(contract: Contract) {
  return {
    ...groupsOf(contract),
    extensions,
    recommended: z.boolean().optional(),
    recommendedPricing: pricing.optional(),
  }
}

/** A change of a plan: any part of it. `recommendedPricing: null` takes the pricing away. */
export function planPatch(contract: Contract) {
  const groups = Object.entries(groupsOf(contract))
  return z.strictObject({
    ...Object.fromEntries(groups.map(([name, group]) => [name, group.partial().optional()])),
    ...change,
  })
}

/** A change as it is stored: it may name what a plugin brought that is not there now. */
export const storedPlanPatch = z
  .object(change)
  .catchall(z.record(z.string(), z.union([limit, z.boolean()])))

export interface PlanPatch {
  readonly extensions?: Readonly<Record<string, boolean>> | undefined
  readonly [part: string]: unknown
}

/** One change after another, as one change. */
export function joinPatches(first: PlanPatch, second: PlanPatch): PlanPatch {
  return merge(first, second)
}

/** A plan after a change, with what the contract names and all extensions. */
export function patchPlan(plan: AnyPlan, patch: PlanPatch, contract: Contract): AnyPlan {
  const { extensions, recommended, recommendedPricing, ...groups } = merge(plan, patch)
  const known = Object.entries({ ...contract.limits, ...contract.features }).map(
    ([group, names]) => {
      const values = Object.entries(Object(groups[group]))
      return [group, Object.fromEntries(values.filter(([name]) => names.includes(name)))]
    },
  )
  return {
    ...Object.fromEntries(known),
    extensions,
    ...(recommended !== undefined && { recommended }),
    ...(recommendedPricing ? { recommendedPricing } : {}),
  }
}

/** Groups are merged, anything else is replaced. */
function merge(below: PlanPatch, above: PlanPatch): PlanPatch {
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const isGroup = typeof value === 'object' && key !== 'recommendedPricing'
    merged[key] = isGroup ? { ...Object(merged[key]), ...Object(value) } : value
  }
  return merged
}

function groupsOf({ limits, features }: Contract) {
  return { ...groups(limits, limit), ...groups(features, z.boolean()) }
}

function groups(names: Contract['features'], value: z.ZodType) {
  return Object.fromEntries(
    Object.entries(names).map(([group, keys]) => [
      group,
      z.strictObject(Object.fromEntries(keys.map(key => [key, value]))),
    ]),
  )
}
