import { z } from 'zod'
import type { Contract } from './contract.ts'

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
