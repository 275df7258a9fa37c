import type { RowCounts } from './packed-counts.ts'

export const linkCounts = 'link_counts'

/** Alike: to the types it is the other one, so that what is written serves both. */
export const accountCounts = 'account_counts' as unknown as typeof linkCounts

export type CountsTableName = typeof linkCounts

/** Links first: what was taken from a link may be taken out of its account's counts once more. */
export const countsTables: readonly CountsTableName[] = [linkCounts, accountCounts]

/** The bucket of a link's sums of all time: those that a list of links shows. It is in no span. */
export const allTimeBucket = 0

/** Where counts are, and what they are. */
export interface CountsRow {
  /** The row of its link or account. */
  readonly owner: number
  /** In hours since 1970 UTC, or `allTimeBucket`. */
  readonly bucket: number
  readonly counts: RowCounts
}
