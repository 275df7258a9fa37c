import type { Database } from '../../storage/database.ts'
import type { Hours } from '../facts/buckets.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { countsWithin } from './counts-within.ts'
import type { Scope } from './scope.ts'
import type { Weigh } from './weigh.ts'

/** The counts of a dimension, by value or by hour. */
export type CountMap = ReadonlyMap<number, number>

/** How the counts of a dimension are added up. */
export type SumKey = 'value' | 'hour'

/**
 * Adds up the counts of these dimensions for a scope within some hours, in one pass: by the id of the value, or by
 * the hour.
 */
export async function sumUp(
  db: Database,
  scope: Scope,
  hours: Hours,
  dimensions: ReadonlyMap<number, SumKey>,
): Promise<ReadonlyMap<number, CountMap>> {
  const sums = new Map(
    Array.from(dimensions, ([dimension, by]) => [dimension, openSums(by)] as const),
  )
  for await (const packed of countsWithin(db, scope, hours)) {
    eachCount(packed, (dimension, bucket) => sums.get(dimension)?.at(bucket))
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
  return { all, at }
}
