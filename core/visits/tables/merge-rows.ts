import type { Tx } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'
import { type CountsRow, type CountsTableName, columnsOf } from './counts-table.ts'
import { packCounts } from './packed-counts.ts'
import { type Columns, type Key, readRows, takeRows, writeRows } from './rows-by-key.ts'

interface Merging<Table extends keyof Schema, New> extends Columns<Table> {
  keyOf(row: New): Key
  /** The values of the other columns, given what is in the table now; undefined if nothing is left. */
  merge(row: New, before: Schema[Table] | undefined): readonly unknown[] | undefined
}

/**
 * Creates the function that merges rows, each key once, into those of a table: it reads, merges and writes, in the
 * order of the key, because neighbours share a page. A row with nothing left is deleted.
 */
export function createMergeRows<Table extends keyof Schema, New>({
  keyOf,
  merge,
  ...columns
}: Merging<Table, New>): (tx: Tx, rows: readonly New[]) => Promise<void> {
  const read = readRows(columns)
  const write = writeRows(columns)
  const remove = takeRows(columns)
  const keyIn = (row: Schema[Table]) => columns.key.map(column => row[column] as number)
  return async (tx, rows) => {
    const keyed = rows.map(row => ({ row, key: keyOf(row) })).sort((a, b) => compare(a.key, b.key))
    const keys = keyed.map(({ key }) => key)
    const before = await read(tx, keys)
    const full: (readonly unknown[])[] = []
    const empty: Key[] = []
    let at = 0
    for (const { row, key } of keyed) {
      const found = before[at]
      const isFound = found !== undefined && compare(keyIn(found), key) === 0
      if (isFound) at += 1
      const others = merge(row, isFound ? found : undefined)
      if (others) full.push([...key, ...others])
      else empty.push(key)
    }
    await write(tx, full)
    await remove(tx, empty)
  }
}

/** A loop with an index, because it runs many times a row. */
function compare(a: Key, b: Key): number {
  let order = 0
  for (let at = 0; order === 0 && at < a.length; at += 1) order = (a[at] ?? 0) - (b[at] ?? 0)
  return order
}

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
