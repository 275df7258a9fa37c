import type { RowCounts } from './packed-counts.ts'
import type { Columns } from './rows-by-key.ts'

export const linkCounts = 'link_counts'

/** The same columns: to the type checker it is the other table, so that statements serve both. */
export const accountCounts = 'account_counts' as unknown as typeof linkCounts

export type CountsTableName = typeof linkCounts

/** Links first: what was taken from a link may be subtracted from its account once more. */
export const countsTables: readonly CountsTableName[] = [linkCounts, accountCounts]

export function columnsOf(table: CountsTableName): Columns<CountsTableName> {
  return { table, key: ['owner_id', 'bucket'], others: ['packed'] }
}

/** The bucket of a link's sums of all time, which lists of links show. It is in no period. */
export const allTimeBucket = 0

/** The bucket of visits that were brought from elsewhere without their dates. It is in no period. */
export const undatedBucket = 1

/** The first hour that can be in a period. */
export const firstHour = undatedBucket + 1

/** The counts of one row, and its key. */
export interface CountsRow {
  /** The id of its link or account. */
  readonly owner: number
  /** In hours since 1970 UTC, or `allTimeBucket`. */
  readonly bucket: number
  readonly counts: RowCounts
}
