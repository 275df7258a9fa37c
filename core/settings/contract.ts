import { z } from 'zod'

/** The status of a problem, and when it is the answer, in one sentence. */
export type ProblemCode = readonly [status: number, meaning: string]

/** Names that answers have whatever plugins there are: clients rely on them. */
export interface Contract {
  /** Numbers of a plan, by group; those of plugins that the contract does not know stand in `limits`. */
  readonly limits: Readonly<Record<string, readonly string[]>> & {
    readonly limits: readonly string[]
  }
  /** Switches of a plan, by group: `a` of `link` is the feature `link.a`. */
  readonly features: Readonly<Record<string, readonly string[]>>
  /** What an account used of what its plan limits. */
  readonly usage: readonly string[]
  /** Global switches. */
  readonly flags: readonly string[]
  /** The feature without which no token opens the API. */
  readonly tokens: string
  /** Groups of operations, in their order. */
  readonly groups: readonly string[]
  /** The problems of Linnet and of the plugins that come with it, by their code. */
  readonly problems: Readonly<Record<string, ProblemCode>>
}

/** Whether a plan has a switch for the feature whatever plugins there are. */
export function isInContract({ features }: Contract, feature: string): boolean {
  const [group = '', name = ''] = feature.split('.')
  return Object.hasOwn(features, group) && (features[group]?.includes(name) ?? false)
}

/** The group of plans that has a limit. */
export function groupOfLimit({ limits }: Contract, name: string): string {
  const [group = 'limits'] = Object.entries(limits).find(([, names]) => names.includes(name)) ?? []
  return group
}

/** Switches that no plugin brings. */
export const coreFlags = ['linkCreationEnabled', 'redirectCacheEnabled'] as const

/** The global switches: off is off for everybody, at once. */
export type Features = Readonly<Record<(typeof coreFlags)[number], boolean>> &
  Readonly<Record<string, boolean>>

/** A change of some switches. */
export type FeaturesPatch = Readonly<Record<string, boolean | undefined>>

/** The switches as the API shows them. */
export function featuresSchema({ flags }: Pick<Contract, 'flags'>) {
  return z.strictObject(Object.fromEntries(flags.map(flag => [flag, z.boolean()])))
}
