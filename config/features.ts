import type { contract } from './contract.ts'

/**
 * The global switches as they are until an admin changes them: off is off for everybody, at once. What
 * belongs to a plugin that is not installed is off whatever it says here.
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
