import type { Database } from '../../storage/database.ts'
import { type NamedDimension, noValue } from '../facts/dimensions.ts'
import { readNameIds } from './read-name-ids.ts'

/** What a count adds to a sum, by dimension; undefined if the dimension adds nothing. */
export type Weigh = (dimension: number) => ((value: number, count: number) => number) | undefined

/** One value of a dimension. */
export interface DimensionValue {
  readonly dimension: Pick<NamedDimension, 'name' | 'bots'>
  readonly value: string
}

/** Weighs all visits, or those with a value. Visits without a value are all visits minus those with one. */
export async function weighOf(db: Database, of: DimensionValue | undefined): Promise<Weigh> {
  const ids = await readNameIds(db, ['visits', ...(of ? [of.dimension.name, of.value] : [])])
  const visits = ids.get('visits')
  if (!of) return dimension => (dimension === visits ? all : undefined)
  const asked = ids.get(of.dimension.name)
  const value = ids.get(of.value)
  if (of.value !== noValue || of.dimension.bots) {
    return dimension => (dimension === asked ? only(value) : undefined)
  }
  const taken = allBut(value)
  return dimension => {
    if (dimension === visits) return all
    return dimension === asked ? taken : undefined
  }
}

function all(_: number, count: number): number {
  return count
}

function only(asked: number | undefined): (value: number, count: number) => number {
  return (value, count) => (value === asked ? count : 0)
}

function allBut(kept: number | undefined): (value: number, count: number) => number {
  return (value, count) => (value === kept ? 0 : -count)
}
