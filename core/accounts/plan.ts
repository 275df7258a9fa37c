/**
 * Plans as the contract has them, typed from the plugin registry: a plan that forgets a feature of the
 * registry, or names one that is not there, does not compile.
 */

/** What a limit is when there is none: a number, as the contract says, that no usage reaches. */
export const unlimited = Number.MAX_SAFE_INTEGER

/** The groups of the contract and their keys, in its order. */
export const contract = {
  limits: ['maxLinksCreatedPerMonth', 'maxTrackedVisitsPerMonth'],
  organization: ['maxTags', 'maxCampaigns'],
  analytics: [
    'visitsTracking',
    'visitsFromQrCodesTracking',
    'utmTracking',
    'visitsByBrowser',
    'visitsByOperatingSystem',
    'visitsByDeviceType',
    'visitsByLanguage',
    'visitsByCountry',
    'visitsByCity',
    'visitsByReferer',
    'visitsOverTime',
  ],
  link: [
    'customShortCode',
    'editShortCode',
    'editOriginalUrl',
    'linkExpiration',
    'passwordProtection',
    'dynamicRouting',
  ],
  developer: ['apiKeys'],
} as const

type Contract = typeof contract
type Keys<Group extends keyof Contract> = Contract[Group][number]

/** A feature that the contract names, as `link.passwordProtection`. */
export type ContractFeature =
  | `analytics.${Keys<'analytics'>}`
  | `link.${Keys<'link'>}`
  | `developer.${Keys<'developer'>}`

/** A plan for a registry with these features. */
export interface Plan<Feature extends string = never> {
  readonly limits: Readonly<Record<Keys<'limits'>, number>>
  readonly organization: Readonly<Record<Keys<'organization'>, number>>
  readonly analytics: Readonly<Record<Keys<'analytics'>, boolean>>
  readonly link: Readonly<Record<Keys<'link'>, boolean>>
  readonly developer: Readonly<Record<Keys<'developer'>, boolean>>
  /** Features beyond the contract, by their whole name. */
  readonly extensions: Extensions<Exclude<Feature, ContractFeature>>
  readonly recommended?: boolean
  readonly recommendedPricing?: Readonly<Record<'monthly' | 'yearly', Price>>
}

/** Without any names, an object that can have none: `{}` would let every name pass. */
type Extensions<Name extends string> = Readonly<
  [Name] extends [never] ? Record<string, never> : Record<Name, boolean>
>

/** `amount` in whole units of `currency` (ISO 4217). */
export interface Price {
  readonly amount: number
  readonly currency: string
}

/** Any plan, for code that works on whatever plugins there are. */
export type AnyPlan = Omit<Plan, 'extensions'> & {
  readonly extensions: Readonly<Record<string, boolean>>
}

export const planSlugs = ['free', 'pro', 'business', 'unlimited'] as const
export type PlanSlug = (typeof planSlugs)[number]

/** What a self-hoster's accounts get. */
export const defaultPlan: PlanSlug = 'unlimited'

/** Plans by slug. */
export type Plans<Feature extends string = never> = Readonly<Record<PlanSlug, Plan<Feature>>>

/** Any plans, for code that works on whatever plugins there are. */
export type AnyPlans = Readonly<Record<PlanSlug, AnyPlan>>

/** Whether some text is the slug of a plan. */
export function isPlanSlug(text: string): text is PlanSlug {
  return (planSlugs as readonly string[]).includes(text)
}

/** Whether the plan includes a feature: `includes(plan, 'link.passwordProtection')`. */
export function includes(plan: AnyPlan, feature: string): boolean {
  const [group = '', name = ''] = feature.split('.')
  if (isContractFeature(feature)) {
    const switches = plan[group as 'analytics'] as Readonly<Record<string, boolean>>
    return switches[name] === true
  }
  return plan.extensions[feature] === true
}

/** Whether no feature is missing from the plan, whatever its limits are. */
export function hasEverything({ analytics, link, developer, extensions }: AnyPlan): boolean {
  return Object.values({ ...analytics, ...link, ...developer, ...extensions }).every(Boolean)
}

/** Whether the contract has a key of its own for the feature. */
export function isContractFeature(feature: string): feature is ContractFeature {
  const [group = '', name = ''] = feature.split('.')
  return (
    (group === 'analytics' || group === 'link' || group === 'developer') &&
    (contract[group] as readonly string[]).includes(name)
  )
}
