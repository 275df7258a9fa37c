import { z } from 'zod'

/** The status of a problem, and a sentence that says when it is the answer. */
export type ProblemCode = readonly [status: number, meaning: string]

/** Names that answers contain whatever plugins are installed: clients rely on them. */
export interface Contract {
  /** Limits of a plan, by group; limits of plugins that the contract does not know go into `limits`. */
  readonly limits: Readonly<Record<string, readonly string[]>> & {
    readonly limits: readonly string[]
  }
  /** Switches of a plan, by group: `a` of `link` is the feature `link.a`. */
  readonly features: Readonly<Record<string, readonly string[]>>
  /** What an account has used of the limits of its plan. */
  readonly usage: readonly string[]
  /** Global switches. */
  readonly flags: readonly string[]
  /** The feature that API tokens need. */
  readonly tokens: string
  /** Groups of operations, in the order in which they are shown. */
  readonly groups: readonly string[]
  /** The problems of Linnet and of the plugins that come with it, by their code. */
  readonly problems: Readonly<Record<string, ProblemCode>>
}

/** Whether plans have a switch for the feature whatever plugins are installed. */
export function isInContract({ features }: Contract, feature: string): boolean {
  const [group = '', name = ''] = feature.split('.')
  return Object.hasOwn(features, group) && (features[group]?.includes(name) ?? false)
}

/** The group of a plan that contains a limit. */
export function groupOfLimit({ limits }: Contract, name: string): string {
  const [group = 'limits'] = Object.entries(limits).find(([, names]) => names.includes(name)) ?? []
  return group
}

/** Switches that no plugin brings. */
export const coreFlags = ['linkCreationEnabled', 'redirectCacheEnabled'] as const

/** The global switches: what is off is off for everybody, at once. */
export type Features = Readonly<Record<(typeof coreFlags)[number], boolean>> &
  Readonly<Record<string, boolean>>

/** A change of some switches. */
export type FeaturesPatch = Readonly<Record<string, boolean | undefined>>

/** The switches as the API shows them. */
export function featuresSchema({ flags }: Pick<Contract, 'flags'>) {
  const switches = Object.fromEntries(
    flags.map(flag => [flag, z.boolean().meta({ examples: [true] })]),
  )
  return z.strictObject(switches).meta({ id: 'Features' })
}
