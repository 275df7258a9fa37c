import { z } from 'zod'
import { line } from '../lib/schema/lines.ts'
import type { Contract } from './contract.ts'
import { type AnyPlan, type BuiltInSlug, builtInSlugs } from './plan.ts'

/** The slug that accounts and URLs refer to a plan by. */
export const planSlug = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,29}$/,
    'Must be 1 to 30 of the characters a-z, 0-9 and -, the first of them a letter.',
  )

/** The name of a plan for people. */
export const planName = line(60).meta({ examples: ['Pro'] })

/** A whole number from 0; `9007199254740991` means that there is no limit. */
const limit = z
  .int()
  .min(0)
  .meta({ examples: [100] })

const price = z.strictObject({
  amount: z.number().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/, 'Enter a currency of ISO 4217, such as EUR.'),
})
const pricing = z.strictObject({ monthly: price, yearly: price })

const feature = z
  .string()
  .regex(
    /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/,
    'Write the full name of a feature: its group, a dot and its name.',
  )
const extensions = z.record(feature, z.boolean())

const change = {
  name: planName.optional(),
  isRetired: z.boolean().optional().meta({
    description: 'Whether no account can be put on it any more; those that are on it stay.',
  }),
  extensions: extensions.optional(),
  recommended: z.boolean().optional(),
  recommendedPricing: pricing.nullable().optional(),
}

/** A plan as the API shows it, without what depends on the caller: `slug` and `usage`. */
export function planShape(contract: Contract) {
  return {
    name: planName,
    ...groupsOf(contract),
    extensions,
    recommended: z.boolean().optional(),
    recommendedPricing: pricing.optional(),
  }
}

/** A change of a plan: any part of it. `recommendedPricing: null` removes the pricing. */
export function planPatch(contract: Contract) {
  const groups = Object.entries(groupsOf(contract))
  return z.strictObject({
    ...Object.fromEntries(groups.map(([name, group]) => [name, group.partial().optional()])),
    ...change,
  })
}

/** A change as it is stored: it may name what was brought by a plugin that is not there now. */
const storedPatch = z
  .object({ ...change, basedOn: z.enum(builtInSlugs).optional() })
  .catchall(z.record(z.string(), z.union([limit, z.boolean()])))

/** Plans as they are stored. A plan that does not come with Linnet says which of Linnet's plans it is based on. */
export const storedPlans = z
  .object(Object.fromEntries(builtInSlugs.map(slug => [slug, storedPatch.optional()])))
  .catchall(storedPatch.required({ basedOn: true }))

export interface PlanPatch {
  readonly extensions?: Readonly<Record<string, boolean>> | undefined
  readonly isRetired?: boolean | undefined
  readonly [part: string]: unknown
}

/** A change as it is stored. A plan that an operator made says which plan it is based on. */
export interface StoredPlan extends PlanPatch {
  readonly basedOn?: BuiltInSlug | undefined
}

/** Joins two changes, the second on top of the first. */
export function joinPatches(first: StoredPlan, second: PlanPatch): StoredPlan {
  return merge(first, second)
}

/** A plan after a change, with what the contract names and with all extensions. */
export function patchPlan(plan: AnyPlan, patch: PlanPatch, contract: Contract): AnyPlan {
  const { name, extensions, recommended, recommendedPricing, ...groups } = merge(plan, patch)
  const known = Object.entries({ ...contract.limits, ...contract.features }).map(
    ([group, names]) => {
      const values = Object.entries(Object(groups[group]))
      return [group, Object.fromEntries(values.filter(([name]) => names.includes(name)))]
    },
  )
  return {
    name: String(name),
    ...Object.fromEntries(known),
    extensions,
    ...(recommended !== undefined && { recommended }),
    ...(recommendedPricing ? { recommendedPricing } : {}),
  }
}

/** Merges groups; replaces anything else. */
function merge(below: PlanPatch, above: PlanPatch): PlanPatch {
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const isGroup = typeof value === 'object' && key !== 'recommendedPricing'
    merged[key] = isGroup ? { ...Object(merged[key]), ...Object(value) } : value
  }
  return merged
}

function groupsOf({ limits, features }: Contract) {
  return { ...groups(limits, limit), ...groups(features, z.boolean().meta({ examples: [true] })) }
}

function groups(names: Contract['features'], value: z.ZodType) {
  return Object.fromEntries(
    Object.entries(names).map(([group, keys]) => [
      group,
      z.strictObject(Object.fromEntries(keys.map(key => [key, value]))),
    ]),
  )
}
