import type { Tx } from '../../storage/database.ts'
import { rowsStatement } from './rows-statement.ts'
import { packSketch, unpackSketch } from './sketch.ts'
import type { SketchesTable } from './sketches-table.ts'

/** Marks for one sketch. */
export interface OwnedMarks {
  /** The row of its link or account. */
  readonly owner: number
  /** Id from `visit_names`. */
  readonly dimension: number
  /** Of UTC, since 1970. */
  readonly day: number
  /** How many visits left them. */
  readonly visits: number
  readonly marks: readonly number[]
}

interface Row {
  readonly owner: number
  readonly dimension: number
  readonly day: number
  readonly visits: number
  readonly sketch: Uint8Array
}

/**
 * Makes the function that puts marks into the sketches of a table, in the order of its key. Adding the
 * visits first and looking then holds the row, so that of two processes none takes away what the other
 * wrote; most sketches are new, or learn nothing, and are written once.
 */
export function createMergeSketches(
  sketches: SketchesTable,
): (tx: Tx, rows: readonly OwnedMarks[]) => Promise<void> {
  const addVisits = rowsStatement<Row, Row>(
    (tx, rows) => upsertVisits(tx, sketches, rows),
    parametersOf,
  )
  const replace = rowsStatement<Row>((tx, rows) => upsertSketches(tx, sketches, rows), parametersOf)
  return async (tx, owned) => {
    const marksOf = new Map(owned.map(it => [keyOf(it), it.marks]))
    const rows = owned.map(({ marks, ...it }) => ({ ...it, sketch: packSketch(marks) }))
    const stored = await addVisits(tx, rows.sort(byKey))
    const learned = stored.flatMap(row => {
      const marks = marksOf.get(keyOf(row)) ?? []
      const sketch = packSketch([...unpackSketch(row.sketch), ...marks])
      return sketch.equals(row.sketch) ? [] : { ...row, sketch }
    })
    await replace(tx, learned)
  }
}

function keyOf({ owner, dimension, day }: Pick<Row, 'owner' | 'dimension' | 'day'>): string {
  return `${owner} ${dimension} ${day}`
}

function byKey(a: Row, b: Row): number {
  return a.owner - b.owner || a.dimension - b.dimension || a.day - b.day
}

/** In the order that the columns of the statements have. */
function parametersOf({ owner, dimension, day, visits, sketch }: Row): readonly unknown[] {
  return [owner, dimension, day, visits, sketch]
}

/** Gives each row as it then is, its sketch still that of before. */
function upsertVisits(tx: Tx, sketches: SketchesTable, rows: readonly Row[]) {
  const { table, owner } = sketches
  return insert(tx, sketches, rows)
    .onConflict(conflict =>
      conflict.columns([owner, 'dimension', 'day']).doUpdateSet(({ eb, ref }) => ({
        visits: eb(`${table}.visits`, '+', ref('excluded.visits')),
      })),
    )
    .returning([`${owner} as owner`, 'dimension', 'day', 'visits', 'sketch'])
    .compile()
}

function upsertSketches(tx: Tx, sketches: SketchesTable, rows: readonly Row[]) {
  return insert(tx, sketches, rows)
    .onConflict(conflict =>
      conflict
        .columns([sketches.owner, 'dimension', 'day'])
        .doUpdateSet(({ ref }) => ({ sketch: ref('excluded.sketch') })),
    )
    .compile()
}

function insert(tx: Tx, { table, owner }: SketchesTable, rows: readonly Row[]) {
  const values = rows.map(({ owner: id, dimension, day, visits, sketch }) => ({
    [owner]: id,
    dimension,
    day,
    visits,
    sketch: Buffer.from(sketch),
  }))
  return tx
    .insertInto(table)
    .columns([owner, 'dimension', 'day', 'visits', 'sketch'])
    .values(values)
}
