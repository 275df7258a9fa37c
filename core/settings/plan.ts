import type { Contract } from './contract.ts'

/** What a limit is when there is none: a number, as the contract says, that no usage reaches. */
export const unlimited = Number.MAX_SAFE_INTEGER

/**
 * A plan of a contract, for a registry with these features: one that forgets a feature of the registry, or
 * names one that is not there, does not compile.
 */
export type Plan<C extends Contract, Feature extends string = never> = Named &
  Offer &
  Groups<C['limits'], number> &
  Groups<C['features'], boolean> & {
    /** Features beyond the contract, by their whole name. */
    readonly extensions: Extensions<Exclude<Feature, FeatureIn<C['features']>>>
  }

type Groups<Names extends Contract['features'], Value> = {
  readonly [Group in keyof Names]: Readonly<Record<Names[Group][number], Value>>
}

type FeatureIn<Names extends Contract['features']> = {
  [Group in keyof Names & string]: `${Group}.${Names[Group][number]}`
}[keyof Names & string]

/** Without any names, an object that can have none: `{}` would let every name pass. */
type Extensions<Name extends string> = Readonly<
  [Name] extends [never] ? Record<string, never> : Record<Name, boolean>
>

type Named = {
  /** What it is called where people read it. */
  readonly name: string
}

/** What makes people take a plan. */
type Offer = {
  readonly recommended?: boolean
  readonly recommendedPricing?: Readonly<Record<'monthly' | 'yearly', Price>>
}

/** `amount` in whole units of `currency` (ISO 4217). */
export interface Price {
  readonly amount: number
  readonly currency: string
}

/** Any plan, for code that works on whatever contract and plugins there are. */
export interface AnyPlan extends Named, Offer {
  readonly limits: Readonly<
    Record<'maxLinksCreatedPerMonth' | 'maxTrackedVisitsPerMonth', number>
  > &
    Readonly<Record<string, number>>
  readonly extensions: Readonly<Record<string, boolean>>
  /** Numbers and switches of the contract. */
  readonly [group: string]: unknown
}

/** The plans that come with Linnet, from the smallest to the largest; operators make others. */
export const builtInSlugs = ['free', 'pro', 'business', 'unlimited'] as const
export type BuiltInSlug = (typeof builtInSlugs)[number]

/** What a self-hoster's accounts get. */
export const defaultPlan: BuiltInSlug = 'unlimited'

/** The plans that come with Linnet, by slug. */
export type Plans<C extends Contract, Feature extends string = never> = Readonly<
  Record<BuiltInSlug, Plan<C, Feature>>
>

/** The same, for code that works on whatever contract and plugins there are. */
export type AnyPlans = Readonly<Record<BuiltInSlug, AnyPlan>>

/** Whether a plan with this slug comes with Linnet. */
export function isBuiltIn(slug: string): slug is BuiltInSlug {
  return (builtInSlugs as readonly string[]).includes(slug)
}

/** Whether the plan includes a feature, which the contract has in a group of its own, or a plugin brings. */
export function includes(plan: AnyPlan, feature: string): boolean {
  const [group = '', name = ''] = feature.split('.')
  return (valuesOf(plan, group)[name] ?? plan.extensions[feature]) === true
}

/** Whether no feature is missing from the plan, whatever its limits are. */
export function hasEverything({ recommended: _, ...groups }: AnyPlan): boolean {
  return Object.values(groups).every(group => !Object.values(Object(group)).includes(false))
}

/** The numbers or switches of a group of a plan. */
export function valuesOf(plan: AnyPlan, group: string): Readonly<Record<string, unknown>> {
  return { ...Object(Object.hasOwn(plan, group) ? plan[group] : undefined) }
}
