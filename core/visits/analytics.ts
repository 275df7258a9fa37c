import type { Database } from '../storage/database.ts'
import { type Granularity, hourOf } from './buckets.ts'
import { type Counts, countsWithin, type Hours, type Scope } from './counts-within.ts'
import type { NamedDimension } from './dimensions.ts'
import { readTimeline, type TimelineRow } from './read-timeline.ts'
import { readTopValues, type ValueRow } from './read-top-values.ts'

/** What is asked of the counts. */
export interface Question {
  readonly from: Date
  /** The first moment that is not asked about. Hours are counted whole. */
  readonly to: Date
  /** Of line charts, in UTC. */
  readonly granularity: Granularity
  readonly dimensions: readonly AskedDimension[]
  /** Values per dimension, the most frequent first. */
  readonly limit: number
}

export type AskedDimension = Pick<NamedDimension, 'name' | 'label' | 'labelOf' | 'chart'>

/** The API's answer: `totals`, and under its name what each dimension counted. */
export interface Analytics {
  readonly totals: Totals
  readonly [dimension: string]: Totals | readonly TimelineRow[] | readonly ValueRow[]
}
type Totals = Readonly<Record<string, number>>

/**
 * Answer from the counts alone, grouped by the database. A line chart gives a row a bucket; a number
 * stands in `totals`, as `visits` always does; any other dimension gives its most frequent values.
 * Visits that are not folded yet are not in it: settle the recorder first.
 */
export async function queryAnalytics(
  db: Database,
  scope: Scope,
  { from, to, granularity, dimensions, limit }: Question,
): Promise<Analytics> {
  const hours: Hours = { first: hourOf(from.getTime()), end: hourOf(to.getTime() - 1) + 1 }
  const counts = countsWithin(db, scope, hours)
  const sums = await readSums(counts, ['visits', ...dimensions.map(({ name }) => name)])
  const charts = dimensions.filter(({ chart }) => chart !== 'number')
  const rows = charts.map(({ name, chart, ...labels }) => {
    const found = sums.get(name)
    if (chart === 'line') return readTimeline(counts, found?.id, hours, granularity)
    return found ? readTopValues(db, counts, { ...labels, ...found }, limit) : []
  })
  const numbers = dimensions.filter(({ chart }) => chart === 'number').map(({ name }) => name)
  const answered = await Promise.all(rows)
  return {
    ...Object.fromEntries(charts.map(({ name }, index) => [name, answered[index] ?? []])),
    totals: Object.fromEntries(
      ['visits', ...numbers].map(name => [name, sums.get(name)?.sum ?? 0]),
    ),
  }
}

/** What each dimension counted in all, with its id in the dictionary; none where it counted nothing. */
async function readSums(
  counts: Counts,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: number; readonly sum: number }>> {
  const rows = await counts
    .innerJoin('visit_names', 'visit_names.id', 'visit_counts.dimension')
    .select(({ fn }) => [
      'visit_names.id',
      'visit_names.name',
      fn.sum('visit_counts.count').as('sum'),
    ])
    .where('visit_names.name', 'in', names)
    .groupBy(['visit_names.id', 'visit_names.name'])
    .execute()
  return new Map(rows.map(({ id, name, sum }) => [name, { id, sum: Number(sum) }]))
}
