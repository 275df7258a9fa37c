import type { Tx } from '../../storage/database.ts'
import { createMergeRows } from './merge-rows.ts'
import { packSketch } from './sketch.ts'
import type { SketchesTable } from './sketches-table.ts'

/** Marks for one sketch. */
export interface OwnedMarks {
  /** The id of its link or account. */
  readonly owner: number
  /** Id from `visit_names`. */
  readonly dimension: number
  /** UTC days since 1970. */
  readonly day: number
  /** How many visits left the marks. */
  readonly visits: number
  readonly marks: readonly number[]
}

/** Creates the function that adds marks to the sketches of a table, each key once. */
export function createMergeSketches({
  table,
  owner,
}: SketchesTable): (tx: Tx, rows: readonly OwnedMarks[]) => Promise<void> {
  return createMergeRows({
    table,
    key: [owner, 'dimension', 'day'],
    others: ['visits', 'sketch'],
    keyOf: (it: OwnedMarks) => [it.owner, it.dimension, it.day],
    merge: ({ visits, marks }, before) => [
      visits + (before?.visits ?? 0),
      packSketch(marks, before?.sketch),
    ],
  })
}
