import type { Database } from '../../storage/database.ts'
import { type NamedDimension, noValue, otherValue } from '../facts/dimensions.ts'
import { type CountMap, otherUnknown } from './sum-up.ts'

/** One value of a dimension. */
export interface ValueRow {
  readonly value: string
  /** The value as people read it. */
  readonly label: string
  readonly visits: number
  /** The share of all visits, including those without a value, from 0 to 1. */
  readonly share: number
  /** The visits in the previous period, if it is compared. */
  readonly previousVisits?: number
}

/** How a dimension labels itself and its values. */
export type LabelledDimension = Pick<NamedDimension, 'label' | 'none' | 'labelOf'>

/** All visits by value, including those without one. */
export interface ComparedSums {
  readonly now: CountMap
  readonly before: CountMap | undefined
}

/** The most frequent values of one dimension. */
export async function topValues(
  db: Database,
  dimension: LabelledDimension,
  { now, before }: ComparedSums,
  limit: number,
): Promise<readonly ValueRow[]> {
  const { top, sum } = mostFrequent(now, limit)
  const names = await namesOf(
    db,
    top.map(([value]) => value),
  )
  return top
    .map(([id, visits]) => {
      const value = names.get(id) ?? (id === otherUnknown ? otherValue : noValue)
      const row = { value, label: labelOf(value, dimension), visits, share: visits / sum }
      return before ? { ...row, previousVisits: Math.max(before.get(id) ?? 0, 0) } : row
    })
    .sort((a, b) => b.visits - a.visits || compare(a.value, b.value))
}

/** The first values, and the sum of all, without a list of all. */
function mostFrequent(sums: CountMap, limit: number) {
  const first = (values: (readonly [id: number, visits: number])[]) =>
    values.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit)
  let top: (readonly [id: number, visits: number])[] = []
  let sum = 0
  for (const it of sums) {
    // Values that only deleted links had may remain with a count of 0.
    if (it[1] <= 0) continue
    sum += it[1]
    top.push(it)
    if (top.length >= limit + 1_000) top = first(top)
  }
  return { top: first(top), sum }
}

async function namesOf(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('visit_names')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Compares by bytes of UTF-8, which is how the database orders texts. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** A dimension with a single value, the empty one, shows its own name. */
export function labelOf(value: string, dimension: LabelledDimension): string {
  if (value === '') return dimension.label
  if (value === otherValue) return 'Other'
  if (value === noValue) return dimension.none ?? 'Unknown'
  return dimension.labelOf?.(value) ?? value
}
