import type { Database } from '../storage/database.ts'
import type { Counts } from './counts-within.ts'
import { type NamedDimension, otherValue } from './dimensions.ts'

/** One value of a dimension. */
export interface ValueRow {
  readonly value: string
  /** The value as people read it. */
  readonly label: string
  readonly visits: number
  /** Of all that the dimension counted, 0 to 1. */
  readonly share: number
}

/** How a dimension names itself and its values. */
type Labels = Pick<NamedDimension, 'label' | 'labelOf'>

/** The most frequent values of one dimension. */
export async function readTopValues(
  db: Database,
  counts: Counts,
  dimension: { readonly id: number } & Labels,
  limit: number,
): Promise<readonly ValueRow[]> {
  const top = counts
    .select(({ fn }) => [
      'counts.value',
      fn.sum('counts.count').as('visits'),
      fn.sum(fn.sum('counts.count')).over().as('sum'),
    ])
    .where('counts.dimension', '=', dimension.id)
    .groupBy('counts.value')
    // What only deleted links had stays behind with nothing.
    .having(({ fn }) => fn.sum('counts.count'), '>', 0)
    .orderBy('visits', 'desc')
    .orderBy('counts.value')
    .limit(limit)
  const rows = await db
    .selectFrom(top.as('top'))
    .innerJoin('visit_names', 'visit_names.id', 'top.value')
    .select(['visit_names.name', 'top.visits', 'top.sum'])
    .orderBy('top.visits', 'desc')
    .orderBy('visit_names.name')
    .execute()
  return rows.map(({ name, visits, sum }) => ({
    value: name,
    label: labelOf(name, dimension),
    visits: Number(visits),
    share: Number(visits) / Number(sum),
  }))
}

/** A dimension with one value has none to show but its own name. */
function labelOf(value: string, dimension: Labels): string {
  if (value === '') return dimension.label
  if (value === otherValue) return 'Other'
  return dimension.labelOf?.(value) ?? value
}
