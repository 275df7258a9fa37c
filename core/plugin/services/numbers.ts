/** A period that ends now. */
export type NumbersSpan = '24h' | '7d' | '30d' | '90d' | '12mo' | 'all'

/**
 * Which analytics a plugin asks for.
 *
 * @example
 * const numbers = await readNumbers({ accountId, path: '/moods/mod_x', interval: '30d', limit: 10 })
 */
export interface NumbersOf {
  /** Row id of the account. */
  readonly accountId: number
  /** Its path in the API, such as `/links/lnk_x`, or `/moods/mod_x` for `groups` of a plugin. */
  readonly path: string
  readonly interval: NumbersSpan
  /** The maximum number of values of each dimension, from 1 to 1,000. */
  readonly limit: number
}

/** Analytics of a period, with the dimensions that the account's plan has. Days are in UTC. */
export interface Numbers {
  readonly from: Date
  readonly to: Date
  readonly visits: number
  /** Visits that were brought from elsewhere without their dates. They are in no period. */
  readonly undated: number
  /** Visits in the period before. Null for all time, or if there is no period before. */
  readonly visitsBefore: number | null
  readonly dimensions: readonly CountedDimension[]
}

/** A dimension with its counts. The chart decides which of `total`, `points` and `values` are set. */
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
    /** Share of all visits, 0 to 1. */
    readonly share: number
  }[]
}
