import type { Counts } from './counts-within.ts'

/** Sums by the name of their dimension. */
export type Totals = Readonly<Record<string, number>>

/** What each of these dimensions counted in all; 0 for what was never counted. */
export async function readTotals(
  counts: Counts,
  ids: ReadonlyMap<string, number>,
  names: readonly string[],
): Promise<Totals> {
  const known = names.flatMap(name => ids.get(name) ?? [])
  const rows = known.length === 0 ? [] : await readSums(counts, known)
  const sums = new Map(rows.map(({ dimension, sum }) => [dimension, Number(sum)]))
  return Object.fromEntries(names.map(name => [name, sums.get(ids.get(name) ?? 0) ?? 0]))
}

function readSums(counts: Counts, dimensions: readonly number[]) {
  return counts
    .select(({ fn }) => ['counts.dimension', fn.sum('counts.count').as('sum')])
    .where('counts.dimension', 'in', dimensions)
    .groupBy('counts.dimension')
    .execute()
}
