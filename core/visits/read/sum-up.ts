import { memoryShares } from '../../lib/memory/memory-shares.ts'
import type { Database } from '../../storage/database.ts'
import type { Bucket, Hours } from '../facts/buckets.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { countsWithin } from './counts-within.ts'
import type { Scope } from './scope.ts'
import type { Weigh } from './weigh.ts'

/** The counts of a dimension, by value or by hour. */
export type CountMap = ReadonlyMap<number, number>

/** How the counts of a dimension are added up. */
export type SumKey = 'value' | 'hour'

/** Stands for `(other)` where the dictionary has no id for it. */
export const otherUnknown = -1

/**
 * Adds up the counts of these dimensions for a scope within some hours, in one pass: by the id of the value, or by
 * the hour. Of too many values, the rarest count as `other`.
 */
export async function sumUp(
  db: Database,
  scope: Scope,
  hours: Hours,
  dimensions: ReadonlyMap<number, SumKey>,
  other = otherUnknown,
): Promise<ReadonlyMap<number, CountMap>> {
  const { all, open } = openSums(dimensions, other)
  for await (const packed of countsWithin(db, scope, hours)) eachCount(packed, open)
  return all
}

/** Adds up the visits of a scope within some hours by hour. */
export async function sumByHour(
  db: Database,
  scope: Scope,
  hours: Hours,
  weigh: Weigh,
): Promise<CountMap> {
  const sums = new Map<number, number>()
  for await (const packed of countsWithin(db, scope, hours)) {
    weigh(packed, (hour, visits) => sums.set(hour, (sums.get(hour) ?? 0) + visits))
  }
  return sums
}

/**
 * Sums to add to; `open` returns the function that adds the counts of a dimension in a bucket. Memory is bounded: an
 * account may have a hundred thousand new values a day. Where all dimensions together have more than `most`, the one
 * with most of them keeps its more frequent half, and the others are added to `other`.
 */
export function openSums(
  dimensions: ReadonlyMap<number, SumKey>,
  other: number,
  most = memoryShares.summedValues,
) {
  const all = new Map(Array.from(dimensions.keys(), it => [it, new Map<number, number>()] as const))
  const ofValues = [...all].filter(([it]) => dimensions.get(it) === 'value').map(([, sums]) => sums)
  let values = 0

  function makeRoom(): void {
    const largest = ofValues.reduce((one, next) => (next.size > one.size ? next : one))
    values -= largest.size
    keepMostFrequent(largest, other)
    values += largest.size
  }

  function adder(sums: Map<number, number>, bucket: number | undefined) {
    return (value: number, count: number) => {
      const key = bucket ?? value
      const before = sums.get(key)
      sums.set(key, (before ?? 0) + count)
      if (before !== undefined || bucket !== undefined) return
      values += 1
      if (values > most) makeRoom()
    }
  }

  function open(dimension: number, bucket: number) {
    const sums = all.get(dimension)
    return sums && adder(sums, dimensions.get(dimension) === 'hour' ? bucket : undefined)
  }

  return { all, open }
}

/** Adds the rarer half of the values to `other`. */
function keepMostFrequent(sums: Map<number, number>, other: number): void {
  const kept = Math.floor(sums.size / 2)
  let rest = sums.get(other) ?? 0
  sums.delete(other)
  const rare = Float64Array.from(sums.values()).sort()[sums.size - kept] ?? 0
  const addToOther = (isRare: (count: number) => boolean) => {
    for (const [value, count] of sums) {
      if (!isRare(count) || sums.size < kept) continue
      sums.delete(value)
      rest += count
    }
  }
  addToOther(count => count < rare)
  addToOther(count => count === rare)
  sums.set(other, rest)
}

/** One point of a line chart. */
export interface TimelineRow {
  /** Start of the bucket, ISO 8601 UTC; the first one may start before the period. */
  readonly start: string
  readonly visits: number
}

/** Turns sums by hour into one row per bucket, including empty ones. */
export function timeline(byHour: CountMap, buckets: readonly Bucket[]): readonly TimelineRow[] {
  const sums = sumsWithin(byHour, buckets)
  return buckets.map(({ start }, at) => pointOf(start, sums[at] ?? 0))
}

/** Adds sums by hour up to one number for each of these consecutive stretches of time. */
export function sumsWithin(byHour: CountMap, stretches: readonly Hours[]): readonly number[] {
  const hours = [...byHour].sort(([a], [b]) => a - b)
  let next = 0
  return stretches.map(({ end }) => {
    let visits = 0
    for (let it = hours[next]; it && it[0] < end; it = hours[next]) {
      visits += it[1]
      next += 1
    }
    return visits
  })
}

/** The point of a bucket that starts at a time in milliseconds since 1970 UTC. */
export function pointOf(start: number, visits: number): TimelineRow {
  return { start: new Date(start).toISOString(), visits }
}
