import type { Contract } from './contract.ts'

/** The value that stands for no limit: a number, as the contract requires, that no usage reaches. */
export const unlimited = Number.MAX_SAFE_INTEGER

/**
 * A plan of a contract, for a registry with these features. A plan that lacks a feature of the registry, or names one
 * that it does not have, does not compile.
 */
export type Plan<C extends Contract, Feature extends string = never> = Named &
  Offer &
  Groups<C['limits'], number> &
  Groups<C['features'], boolean> & {
    /** Features beyond the contract, by their full names. */
    readonly extensions: Extensions<Exclude<Feature, FeatureIn<C['features']>>>
  }

type Groups<Names extends Contract['features'], Value> = {
  readonly [Group in keyof Names]: Readonly<Record<Names[Group][number], Value>>
}

type FeatureIn<Names extends Contract['features']> = {
  [Group in keyof Names & string]: `${Group}.${Names[Group][number]}`
}[keyof Names & string]

/** Without any names, an object that must be empty: `{}` would accept every name. */
type Extensions<Name extends string> = Readonly<
  [Name] extends [never] ? Record<string, never> : Record<Name, boolean>
>

type Named = {
  /** The name that people read. */
  readonly name: string
}

/** How a plan is advertised. */
type Offer = {
  readonly recommended?: boolean
  readonly recommendedPricing?: Readonly<Record<'monthly' | 'yearly', Price>>
}

/** `amount` in whole units of `currency` (ISO 4217). */
export interface Price {
  readonly amount: number
  readonly currency: string
}

/** Any plan, for code that works with every contract and set of plugins. */
export interface AnyPlan extends Named, Offer {
  readonly limits: Readonly<
    Record<'maxLinksCreatedPerMonth' | 'maxTrackedVisitsPerMonth', number>
  > &
    Readonly<Record<string, number>>
  readonly extensions: Readonly<Record<string, boolean>>
  /** Limits and switches of the contract. */
  readonly [group: string]: unknown
}

/** The plans that come with Linnet, from the smallest to the largest; operators make others. */
export const builtInSlugs = ['free', 'pro', 'business', 'unlimited'] as const
export type BuiltInSlug = (typeof builtInSlugs)[number]

/** The plan that accounts get by default. */
export const defaultPlan: BuiltInSlug = 'unlimited'

/** The plans that come with Linnet, by slug. */
export type Plans<C extends Contract, Feature extends string = never> = Readonly<
  Record<BuiltInSlug, Plan<C, Feature>>
>

/** The plans that come with Linnet, for code that works with every contract and set of plugins. */
export type AnyPlans = Readonly<Record<BuiltInSlug, AnyPlan>>

/** Whether a plan with this slug comes with Linnet. */
export function isBuiltIn(slug: string): slug is BuiltInSlug {
  return (builtInSlugs as readonly string[]).includes(slug)
}

/** Whether the plan includes a feature, which is in a group of the contract or comes from a plugin. */
export function includes(plan: AnyPlan, feature: string): boolean {
  const [group = '', name = ''] = feature.split('.')
  return (valuesOf(plan, group)[name] ?? plan.extensions[feature]) === true
}

/** Whether the plan has every feature, whatever its limits are. */
export function hasEverything({ recommended: _, ...groups }: AnyPlan): boolean {
  return Object.values(groups).every(group => !Object.values(Object(group)).includes(false))
}

/** The numbers or switches of a group of a plan. */
export function valuesOf(plan: AnyPlan, group: string): Readonly<Record<string, unknown>> {
  return { ...Object(Object.hasOwn(plan, group) ? plan[group] : undefined) }
}
