import type { CompiledQuery } from 'kysely'
import type { Tx } from '../storage/database.ts'
import { inChunks } from './chunks.ts'
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
  const addVisits = compileOnce((tx, rows) => upsertVisits(tx, sketches, rows))
  const replace = compileOnce((tx, rows) => upsertSketches(tx, sketches, rows))
  return async (tx, owned) => {
    const marksOf = new Map(owned.map(it => [keyOf(it), it.marks]))
    const rows = owned.map(({ marks, ...it }) => ({ ...it, sketch: packSketch(marks) }))
    for (const chunk of inChunks(rows.sort(byKey))) {
      const { rows: stored } = await tx.executeQuery(addVisits(tx, chunk))
      const learned = stored.flatMap(row => {
        const marks = marksOf.get(keyOf(row)) ?? []
        const sketch = packSketch([...unpackSketch(row.sketch), ...marks])
        return sketch.equals(row.sketch) ? [] : { ...row, sketch }
      })
      for (const some of inChunks(learned)) await tx.executeQuery(replace(tx, some))
    }
  }
}

function keyOf({ owner, dimension, day }: Pick<Row, 'owner' | 'dimension' | 'day'>): string {
  return `${owner} ${dimension} ${day}`
}

function byKey(a: Row, b: Row): number {
  return a.owner - b.owner || a.dimension - b.dimension || a.day - b.day
}

type Compile<R> = (tx: Tx, rows: readonly Row[]) => CompiledQuery<R>

/** Statements go by their number of rows; building one costs as much as running it. */
function compileOnce<R>(compile: Compile<R>): Compile<R> {
  const compiled = new Map<number, CompiledQuery<R>>()
  return (tx, rows) => {
    const query = compiled.get(rows.length) ?? compile(tx, rows)
    compiled.set(rows.length, query)
    return { ...query, parameters: rows.flatMap(parametersOf) }
  }
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
