/** Spans of time that end now. */
export type NumbersSpan = '24h' | '7d' | '30d' | '90d' | '12mo' | 'all'

/**
 * Whose numbers a plugin asks for.
 *
 * @example
 * const numbers = await readNumbers({ accountId, path: '/moods/mod_x', interval: '30d', limit: 10 })
 */
export interface NumbersOf {
  /** The row of the account that has it. */
  readonly accountId: number
  /** Where the API has it, as `/links/lnk_x`, or `/moods/mod_x` of a plugin’s groups. */
  readonly path: string
  readonly interval: NumbersSpan
  /** Values of each dimension, 1 to 1,000. */
  readonly limit: number
}

/** What was counted in a span, of each dimension that the account's plan has. Days are those of UTC. */
export interface Numbers {
  readonly from: Date
  readonly to: Date
  readonly visits: number
  /** Of the span before; null before the first, and for all time. */
  readonly visitsBefore: number | null
  readonly dimensions: readonly CountedDimension[]
}

/** What a dimension counted: as many of these as its chart has. */
export interface CountedDimension {
  readonly name: string
  readonly label: string
  readonly chart: string
  readonly total?: number
  readonly points?: readonly { readonly start: string; readonly visits: number }[]
  readonly values?: readonly {
    readonly value: string
    readonly label: string
    readonly visits: number
    /** Of all visits, 0 to 1. */
    readonly share: number
  }[]
}
