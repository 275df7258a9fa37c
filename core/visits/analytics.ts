import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import { type Counts, countsWithin, type Scope, sumsWithin } from './counts-within.ts'
import { type Kind, kindOf, type NamedDimension } from './dimensions.ts'
import { distinctTimeline } from './distinct-timeline.ts'
import type { Range } from './range.ts'
import { readDistinct } from './read-distinct.ts'
import { readTimeline, type TimelineRow } from './read-timeline.ts'
import { readTopValues, type ValueRow } from './read-top-values.ts'
import { readTotals, type Totals } from './read-totals.ts'

/** What is asked of the counts. */
export interface Question {
  readonly range: Pick<Range, 'hours' | 'days' | 'buckets' | 'granularity'>
  readonly dimensions: readonly AskedDimension[]
  /** Values per dimension, the most frequent first. */
  readonly limit: number
}

export type AskedDimension = Pick<
  NamedDimension,
  'name' | 'label' | 'labelOf' | 'chart' | 'distinct'
>

/** The API's answer: `totals`, and under its name what each dimension counted. */
export interface Analytics {
  readonly totals: Totals
  readonly [dimension: string]: Totals | Rows
}

type Rows = readonly TimelineRow[] | readonly ValueRow[]

/**
 * Answer from the counts alone, grouped by the database. A line chart gives a row a bucket; a number
 * stands in `totals`, as `visits` always does, and one of different values gives a row a bucket too; any
 * other dimension gives its most frequent values.
 * Visits that are not folded yet are not in it: settle the recorder first.
 */
export async function queryAnalytics(
  db: Database,
  scope: Scope,
  { range, dimensions, limit }: Question,
): Promise<Analytics> {
  const sums = sumsWithin(db, scope, range.hours)
  const ids = await readIds(db, ['visits', ...dimensions.map(({ name }) => name)])
  const read = readers(db, scope, sums, ids, range, limit)
  const rows: [string, Rows][] = []
  for (const dimension of dimensions) {
    const kind = kindOf(dimension)
    if (kind === 'number' || kind === 'distinct') continue
    // SQLite answers on the thread that redirects: between two questions it is their turn.
    await turn()
    rows.push([dimension.name, await read[kind](dimension)])
  }
  const numbers = namesOf(dimensions, 'number')
  const totals = { ...(await readTotals(sums, ids, ['visits', ...numbers])) }
  for (const name of namesOf(dimensions, 'distinct')) {
    const days = await readDistinct(db, scope, ids.get(name), range.days)
    totals[name] = days.reduce((sum, { distinct }) => sum + distinct, 0)
    rows.push([name, distinctTimeline(days, range)])
  }
  return { ...Object.fromEntries(rows), totals }
}

function namesOf(dimensions: readonly AskedDimension[], kind: Kind): readonly string[] {
  return dimensions.filter(it => kindOf(it) === kind).map(({ name }) => name)
}

type Reader = (dimension: AskedDimension) => Promise<Rows>

function readers(
  db: Database,
  scope: Scope,
  sums: Counts,
  ids: ReadonlyMap<string, number>,
  { hours, buckets }: Question['range'],
  limit: number,
): Readonly<Record<Exclude<Kind, 'number' | 'distinct'>, Reader>> {
  const counts = countsWithin(db, scope, hours)
  return {
    line: ({ name }) => readTimeline(counts, ids.get(name), buckets),
    async values(dimension) {
      const id = ids.get(dimension.name)
      return id === undefined ? [] : readTopValues(db, sums, { ...dimension, id }, limit)
    },
  }
}

/** The ids of dimensions in the dictionary; none for what was never counted. */
async function readIds(
  db: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('visit_names')
    .select(['id', 'name'])
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}
