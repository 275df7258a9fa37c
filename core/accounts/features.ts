import { z } from 'zod'

/** The global switches of the contract: off is off for everybody, at once. */
export const flags = [
  'billingEnabled',
  'linkCreationEnabled',
  'campaignCreationEnabled',
  'tagCreationEnabled',
  'redirectCacheEnabled',
  'visitTrackingEnabled',
  'urlScanningEnabled',
  'apiAccessEnabled',
] as const

export type Flag = (typeof flags)[number]
export type Features = Readonly<Record<Flag, boolean>>

/** The switches as the API shows them. */
export const featuresSchema = z.strictObject(
  Object.fromEntries(flags.map(flag => [flag, z.boolean()])) as Record<Flag, z.ZodBoolean>,
)

/** A change of some switches. */
export const featuresPatch = featuresSchema.partial()
export type FeaturesPatch = z.output<typeof featuresPatch>
