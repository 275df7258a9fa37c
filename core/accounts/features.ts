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
