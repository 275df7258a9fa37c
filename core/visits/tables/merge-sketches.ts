import type { Tx } from '../../storage/database.ts'
import { rowsStatement } from './rows-statement.ts'
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

interface Row {
  readonly owner: number
  readonly dimension: number
  readonly day: number
  readonly visits: number
  readonly sketch: Buffer
}

/**
 * Creates the function that adds marks to the sketches of a table: as for counts, it reads, merges and writes, in the
 * order of the key.
 */
export function createMergeSketches(
  sketches: SketchesTable,
): (tx: Tx, rows: readonly OwnedMarks[]) => Promise<void> {
  const read = rowsStatement<OwnedMarks, Row>(
    (tx, rows) => compileRead(tx, sketches, rows),
    ({ owner, dimension, day }) => [owner, dimension, day],
  )
  const write = rowsStatement<Row>(
    (tx, rows) => compileWrite(tx, sketches, rows),
    it => [it.owner, it.dimension, it.day, it.visits, it.sketch],
  )
  return async (tx, owned) => {
    const rows = [...owned].sort(byKey)
    const before = await read(tx, rows)
    let at = 0
    const after = rows.map(row => {
      const found = before[at]
      if (found === undefined || byKey(found, row) !== 0) return addTo(undefined, row)
      at += 1
      return addTo(found, row)
    })
    await write(tx, after)
  }
}

type Key = Pick<Row, 'owner' | 'dimension' | 'day'>

function byKey(a: Key, b: Key): number {
  return a.owner - b.owner || a.dimension - b.dimension || a.day - b.day
}

function addTo(before: Row | undefined, { marks, ...row }: OwnedMarks): Row {
  const sketch = packSketch(marks, before?.sketch)
  return { ...row, visits: (before?.visits ?? 0) + row.visits, sketch }
}

function compileRead(tx: Tx, { table, owner }: SketchesTable, rows: readonly OwnedMarks[]) {
  return tx
    .selectFrom(table)
    .select([`${owner} as owner`, 'dimension', 'day', 'visits', 'sketch'])
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple(owner, 'dimension', 'day'),
        'in',
        rows.map(it => tuple(it.owner, it.dimension, it.day)),
      ),
    )
    .orderBy(owner)
    .orderBy('dimension')
    .orderBy('day')
    .compile()
}

function compileWrite(tx: Tx, { table, owner }: SketchesTable, rows: readonly Row[]) {
  return tx
    .insertInto(table)
    .columns([owner, 'dimension', 'day', 'visits', 'sketch'])
    .values(
      rows.map(({ owner: id, dimension, day, visits, sketch }) => ({
        [owner]: id,
        dimension,
        day,
        visits,
        sketch,
      })),
    )
    .onConflict(conflict =>
      conflict.columns([owner, 'dimension', 'day']).doUpdateSet(({ ref }) => ({
        visits: ref('excluded.visits'),
        sketch: ref('excluded.sketch'),
      })),
    )
    .compile()
}
