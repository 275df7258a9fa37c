/** The spans that a page can be of. */
export const spans = ['24h', '7d', '30d', '90d', '12mo'] as const

export type PageSpan = (typeof spans)[number]
