import type { Database } from '../../storage/database.ts'
import { kindOf, type NamedDimension } from '../facts/dimensions.ts'
import { distinctTimeline } from './distinct-timeline.ts'
import type { Range } from './range.ts'
import { readDistinct } from './read-distinct.ts'
import type { Scope } from './scope.ts'
import { type By, type Sums, sumUp } from './sum-up.ts'
import { type TimelineRow, timeline } from './timeline.ts'
import { topValues, type ValueRow } from './top-values.ts'

/** Sums by the name of their dimension. */
export type Totals = Readonly<Record<string, number>>

/** What is asked of the counts. */
export interface Question {
  readonly range: Pick<Range, 'hours' | 'days' | 'buckets' | 'granularity'>
  readonly dimensions: readonly AskedDimension[]
  /** Number of values per dimension, most frequent first. */
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
 * Answer from the counts alone. A line chart gives a row a bucket; a number stands in `totals`, as `visits`
 * always does, and one of different values gives a row a bucket too; any other dimension gives its most
 * frequent values.
 * Visits that are not folded yet are not in it: settle the recorder first.
 */
export async function queryAnalytics(
  db: Database,
  scope: Scope,
  { range, dimensions, limit }: Question,
): Promise<Analytics> {
  const ids = await readIds(db, ['visits', ...dimensions.map(({ name }) => name)])
  const sums = await sumUp(db, scope, range.hours, readings(dimensions, ids))
  const sumsOf = (name: string): Sums => sums.get(ids.get(name) ?? 0) ?? nothing

  const totals: Record<string, number> = { visits: total(sumsOf('visits')) }
  const rows: Record<string, Rows> = {}
  for (const dimension of dimensions) {
    const { name } = dimension
    switch (kindOf(dimension)) {
      case 'number':
        totals[name] = total(sumsOf(name))
        break
      case 'line':
        rows[name] = timeline(sumsOf(name), range.buckets)
        break
      case 'values':
        rows[name] = await topValues(db, sumsOf(name), dimension, limit)
        break
      case 'distinct': {
        const days = await readDistinct(db, scope, ids.get(name), range.days)
        totals[name] = days.reduce((sum, { distinct }) => sum + distinct, 0)
        rows[name] = distinctTimeline(days, range)
      }
    }
  }
  return { ...rows, totals }
}

const nothing: Sums = new Map()

function total(sums: Sums): number {
  let sum = 0
  for (const count of sums.values()) sum += count
  return sum
}

/** How the dimensions are read that are made of counts, by id. */
function readings(
  dimensions: readonly AskedDimension[],
  ids: ReadonlyMap<string, number>,
): ReadonlyMap<number, By> {
  const readings = new Map<number, By>()
  const visits = ids.get('visits')
  if (visits !== undefined) readings.set(visits, 'value')
  for (const dimension of dimensions) {
    const id = ids.get(dimension.name)
    const kind = kindOf(dimension)
    if (id === undefined || kind === 'distinct') continue
    readings.set(id, kind === 'line' ? 'hour' : 'value')
  }
  return readings
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
