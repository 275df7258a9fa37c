/** The periods that a page can show. */
export const spans = ['24h', '7d', '30d', '90d', '12mo'] as const

export type PageSpan = (typeof spans)[number]
