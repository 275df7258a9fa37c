import type { contract } from './contract.ts'

/**
 * The defaults of the global switches, until an admin changes them. A switch that is off turns something off for
 * everybody, at once. The switch of a plugin that is not installed is always off.
 */
export const features: Readonly<Record<(typeof contract.flags)[number], boolean>> = {
  billingEnabled: false,
  linkCreationEnabled: true,
  campaignCreationEnabled: true,
  tagCreationEnabled: true,
  redirectCacheEnabled: true,
  visitTrackingEnabled: true,
  urlScanningEnabled: true,
  apiAccessEnabled: true,
}
