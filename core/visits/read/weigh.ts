import type { Database } from '../../storage/database.ts'
import { type NamedDimension, noValue } from '../facts/dimensions.ts'
import { readNameIds } from '../tables/name-ids.ts'
import { eachCount } from '../tables/packed-counts.ts'

/** Reads packed counts and calls `add` with the bucket and the visits of each count that is asked for. */
export type Weigh = (packed: Uint8Array, add: (bucket: number, visits: number) => void) => void

/** One value of a dimension. */
export interface DimensionValue {
  readonly dimension: Pick<NamedDimension, 'name' | 'bots'>
  readonly value: string
}

/** Weighs all visits, or those with a value. Visits without a value are all visits minus those with one. */
export async function weighOf(db: Database, of: DimensionValue | undefined): Promise<Weigh> {
  const ids = await readNameIds(db, ['visits', ...(of ? [of.dimension.name, of.value] : [])])
  const visits = ids.get('visits')
  if (!of) return weighing(dimension => (dimension === visits ? all : undefined))
  const asked = ids.get(of.dimension.name)
  const value = ids.get(of.value)
  if (of.value !== noValue || of.dimension.bots) {
    return weighing(dimension => (dimension === asked ? only(value) : undefined))
  }
  const taken = allBut(value)
  return weighing(dimension => {
    if (dimension === visits) return all
    return dimension === asked ? taken : undefined
  })
}

/** How many visits a count of a dimension adds. */
type Weight = (value: number, count: number) => number

/** @param weightOf returns undefined for a dimension that adds nothing */
function weighing(weightOf: (dimension: number) => Weight | undefined): Weigh {
  return (packed, add) =>
    eachCount(packed, (dimension, bucket) => {
      const weight = weightOf(dimension)
      return weight && ((value, count) => add(bucket, weight(value, count)))
    })
}

function all(_: number, count: number): number {
  return count
}

function only(asked: number | undefined): Weight {
  return (value, count) => (value === asked ? count : 0)
}

function allBut(kept: number | undefined): Weight {
  return (value, count) => (value === kept ? 0 : -count)
}
