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
  const sums = new Map(
    Array.from(dimensions, ([dimension, by]) => [dimension, openSums(by)] as const),
  )
  for await (const packed of countsWithin(db, scope, hours)) {
    eachCount(packed, (dimension, bucket) => sums.get(dimension)?.at(bucket))
    for (const { by, all } of sums.values()) if (by === 'value') keepMostFrequent(all, other)
  }
  return new Map(Array.from(sums, ([dimension, { all }]) => [dimension, all]))
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
 * Keeps memory bounded: an account may have a hundred thousand new values a day. Where there are more than `most`, the
 * rarest are added to `other`, until half as many are left.
 */
export function keepMostFrequent(
  sums: Map<number, number>,
  other: number,
  most = memoryShares.summedValues,
): void {
  if (sums.size <= most) return
  let rest = sums.get(other) ?? 0
  sums.delete(other)
  const kept = Math.floor(most / 2)
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

/** Sums to add to; `at` returns the function that adds the counts of a bucket. */
function openSums(by: SumKey) {
  const all = new Map<number, number>()
  let hour = 0
  const add = (value: number, count: number) => {
    const key = by === 'hour' ? hour : value
    all.set(key, (all.get(key) ?? 0) + count)
  }
  const at = (bucket: number) => {
    hour = bucket
    return add
  }
  return { by, all, at }
}

/** One point of a line chart. */
export interface TimelineRow {
  /** Start of the bucket, ISO 8601 UTC; the first one may start before the period. */
  readonly start: string
  readonly visits: number
}

/** Turns sums by hour into one row per bucket, including empty ones. */
export function timeline(byHour: CountMap, buckets: readonly Bucket[]): readonly TimelineRow[] {
  const hours = [...byHour].sort(([a], [b]) => a - b)
  let next = 0
  return buckets.map(({ start, end }) => {
    let visits = 0
    for (let it = hours[next]; it && it[0] < end; it = hours[next]) {
      visits += it[1]
      next += 1
    }
    return pointOf(start, visits)
  })
}

/** The point of a bucket that starts at a time in milliseconds since 1970 UTC. */
export function pointOf(start: number, visits: number): TimelineRow {
  return { start: new Date(start).toISOString(), visits }
}
