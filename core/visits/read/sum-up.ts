import type { Database } from '../../storage/database.ts'
import type { Hours } from '../facts/buckets.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { countsWithin } from './counts-within.ts'
import type { Scope } from './scope.ts'

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
    Array.from(dimensions, ([dimension, by]) => [dimension, new OpenSums(by)] as const),
  )
  for await (const packed of countsWithin(db, scope, hours)) {
    eachCount(packed, (dimension, bucket) => sums.get(dimension)?.at(bucket))
  }
  return new Map(Array.from(sums, ([dimension, { all }]) => [dimension, all]))
}

class OpenSums {
  readonly all = new Map<number, number>()
  readonly #by: SumKey
  #hour = 0

  constructor(by: SumKey) {
    this.#by = by
  }

  /** Returns the function that adds the counts of a bucket. */
  at(hour: number): (value: number, count: number) => void {
    this.#hour = hour
    return this.#add
  }

  readonly #add = (value: number, count: number) => {
    const key = this.#by === 'hour' ? this.#hour : value
    this.all.set(key, (this.all.get(key) ?? 0) + count)
  }
}
