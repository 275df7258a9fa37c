import type { Tx } from '../../storage/database.ts'
import { type CountsRow, type CountsTableName, columnsOf } from './counts-table.ts'
import { createMergeRows } from './merge-rows.ts'
import { packCounts } from './packed-counts.ts'

/** Adds counts to rows of a table, each key once. */
export type AddToRows = (tx: Tx, rows: readonly CountsRow[]) => Promise<void>

/** Creates the function that adds to the rows of one table. */
export function createAddToRows(table: CountsTableName): AddToRows {
  return createMergeRows({
    ...columnsOf(table),
    keyOf: ({ owner, bucket }: CountsRow) => [owner, bucket],
    merge({ bucket, counts }, before) {
      const packed = packCounts(bucket, counts, before?.packed)
      return packed && [packed]
    },
  })
}
