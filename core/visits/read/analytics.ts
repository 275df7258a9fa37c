import type { Database } from '../../storage/database.ts'
import { kindOf, type NamedDimension, noValue, otherValue } from '../facts/dimensions.ts'
import { readNameIds } from '../tables/name-ids.ts'
import { distinctWithin } from './distinct-within.ts'
import type { Range } from './range.ts'
import type { Scope } from './scope.ts'
import {
  type CountMap,
  pointOf,
  type SumKey,
  sumsWithin,
  sumUp,
  type TimelineRow,
  timeline,
} from './sum-up.ts'
import { type LabelledDimension, topValues, type ValueRow } from './top-values.ts'

/** Sums by the name of their dimension. */
export type Totals = Readonly<Record<string, number>>

/** A question to the counts. */
export interface Question {
  readonly range: AskedRange
  /** The period to compare with, if any. */
  readonly before?: AskedRange | undefined
  readonly dimensions: readonly AskedDimension[]
  /** How many values to return per dimension, most frequent first. */
  readonly limit: number
}

type AskedRange = Pick<Range, 'hours' | 'buckets' | 'granularity'>

export type AskedDimension = LabelledDimension &
  Pick<NamedDimension, 'name' | 'chart' | 'bots' | 'distinct'>

/** The API's answer: `totals`, and the counts of each dimension under its name. */
export interface Analytics {
  readonly totals: Totals
  readonly [dimension: string]: Totals | Rows
}

/** The previous period has no values of its own: each value of the present one says what it was. */
export interface Compared {
  readonly now: Analytics
  readonly before: Analytics | undefined
}

type Rows = readonly TimelineRow[] | readonly ValueRow[]

/**
 * Answers from the counts alone. A line chart has a row for each bucket. A number is in `totals`, where `visits`
 * always is. A dimension of different values is in `totals` and has a row for each bucket too. Any other dimension
 * has its most frequent values. Visits that are not folded yet are not included: let the recorder catch up first.
 */
export async function queryAnalytics(
  db: Database,
  scope: Scope,
  { range, before, dimensions, limit }: Question,
): Promise<Compared> {
  const ids = await readNameIds(db, [
    'visits',
    noValue,
    otherValue,
    ...dimensions.map(({ name }) => name),
  ])
  const asked = { dimensions, ids }
  const now = await readSpan(db, scope, range, asked)
  const earlier = before && (await readSpan(db, scope, before, asked))
  const values: Record<string, readonly ValueRow[]> = {}
  for (const dimension of dimensions.filter(it => kindOf(it) === 'values')) {
    const sumsIn = (span: Span) => allSums(dimension, span, ids.get(noValue) ?? unknownId)
    const sums = { now: sumsIn(now), before: earlier && sumsIn(earlier) }
    values[dimension.name] = await topValues(db, dimension, sums, limit)
  }
  return {
    now: { ...now.lines, ...values, totals: now.totals },
    before: earlier && { ...earlier.lines, totals: earlier.totals },
  }
}

/** The counts of a period. */
interface Span {
  readonly totals: Totals & { readonly visits: number }
  readonly lines: Readonly<Record<string, readonly TimelineRow[]>>
  sumsOf(name: string): CountMap
}

interface Asked {
  readonly dimensions: readonly AskedDimension[]
  /** The ids of names in the dictionary. */
  readonly ids: ReadonlyMap<string, number>
}

async function readSpan(
  db: Database,
  scope: Scope,
  range: AskedRange,
  { dimensions, ids }: Asked,
): Promise<Span> {
  const sums = await sumUp(db, scope, range.hours, readings(dimensions, ids), ids.get(otherValue))
  const sumsOf = (name: string): CountMap => sums.get(ids.get(name) ?? unknownId) ?? nothing
  const totals = { visits: total(sumsOf('visits')) } as Record<string, number> & { visits: number }
  const lines: Record<string, readonly TimelineRow[]> = {}
  for (const dimension of dimensions) {
    const { name } = dimension
    const kind = kindOf(dimension)
    if (kind === 'number') totals[name] = total(sumsOf(name))
    if (kind === 'line') lines[name] = timeline(sumsOf(name), range.buckets)
    if (kind === 'distinct') {
      const buckets = range.granularity === 'hour' ? [] : range.buckets
      const stretches = buckets.length > 0 ? buckets : [range.hours]
      const visits = { id: ids.get('visits') ?? unknownId, byHour: sumsOf('visits') }
      const estimated = await distinctWithin(db, scope, ids.get(name), stretches, visits)
      const brought = sumsWithin(sumsOf(name), stretches)
      const counts = estimated.map((count, at) => count + (brought[at] ?? 0))
      totals[name] = counts.reduce((sum, count) => sum + count, 0)
      lines[name] = buckets.map(({ start }, at) => pointOf(start, counts[at] ?? 0))
    }
  }
  return { totals, lines, sumsOf }
}

/** The sums of a dimension by value, with `(none)` for the visits without a value. Robots are in no other number. */
function allSums({ name, bots }: AskedDimension, { sumsOf, totals }: Span, none: number): CountMap {
  const counted = sumsOf(name)
  if (bots) return counted
  const rest = totals.visits - total(counted) + (counted.get(none) ?? 0)
  return new Map(counted).set(none, Math.max(rest, 0))
}

/** An id that no name in the dictionary has. */
const unknownId = 0

const nothing: CountMap = new Map()

function total(sums: CountMap): number {
  let sum = 0
  for (const count of sums.values()) sum += count
  return sum
}

/** How to add up the dimensions that consist of counts, by their ids. */
function readings(
  dimensions: readonly AskedDimension[],
  ids: ReadonlyMap<string, number>,
): ReadonlyMap<number, SumKey> {
  const readings = new Map<number, SumKey>()
  for (const dimension of dimensions) {
    const id = ids.get(dimension.name)
    const kind = kindOf(dimension)
    if (id === undefined) continue
    // What a link brought from elsewhere of different values is a number for each day.
    readings.set(id, kind === 'line' || kind === 'distinct' ? 'hour' : 'value')
  }
  const visits = ids.get('visits')
  if (visits !== undefined) readings.set(visits, 'hour')
  return readings
}

/** The relative change of each total: 0.5 means half as much again; null if it was 0. */
export function compareTotals(
  before: Totals,
  since: Totals,
): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    Object.entries(before).map(([name, was]) => [
      name,
      was === 0 ? null : ((since[name] ?? 0) - was) / was,
    ]),
  )
}
