import type { Database } from '../../storage/database.ts'
import type { Hours } from '../facts/buckets.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { countsWithin } from './counts-within.ts'
import type { Scope } from './scope.ts'
import type { CountMap } from './sum-up.ts'
import type { Weigh } from './weigh.ts'

/** Adds up the counts of a scope by hour. */
export async function sumByHour(
  db: Database,
  scope: Scope,
  hours: Hours,
  weigh: Weigh,
): Promise<CountMap> {
  const sums = new Map<number, number>()
  for await (const packed of countsWithin(db, scope, hours)) {
    eachCount(packed, (dimension, hour) => {
      const weight = weigh(dimension)
      if (weight === undefined) return undefined
      return (value, count) => {
        sums.set(hour, (sums.get(hour) ?? 0) + weight(value, count))
      }
    })
  }
  return sums
}
