import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database } from '../../storage/database.ts'
import { allTimeBucket, linkCounts } from '../tables/counts-table.ts'
import { readNameIds } from '../tables/name-ids.ts'
import { eachCount } from '../tables/packed-counts.ts'

/** The numbers that a list of links shows. */
export interface LinkTotals {
  readonly visits: number
  /** Those of them that were brought from elsewhere without their dates. */
  readonly undated: number
  /** The sums of other dimensions of all time, by the name under which links show them. */
  readonly others: Readonly<Record<string, number>>
  readonly lastVisitAt: Date | null
}

/**
 * The totals of these links, by row id; zeroes for a link that was never visited.
 *
 * @param dimensions what to show besides visits: the dimension by the name under which links show it
 */
export async function linkTotals(
  db: Database,
  linkIds: readonly number[],
  dimensions: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<number, LinkTotals>> {
  const { rows } = await selectTotals(db, { linkIds })
  const visited = new Map(rows.map(row => [row.link_id, row]))
  // Links that are shown right away are mostly new, and then there is nothing more to look up.
  const names = ['visits', ...Object.values(dimensions)]
  const ids = rows.length === 0 ? undefined : await readNameIds(db, names)
  return new Map(
    linkIds.map(id => {
      const row = visited.get(id)
      const counted = row?.packed && sumsOf(row.packed)
      const sumOf = (dimension: string) => counted?.get(ids?.get(dimension) ?? 0) ?? 0
      const others = Object.entries(dimensions).map(([name, it]) => [name, sumOf(it)] as const)
      return [
        id,
        {
          visits: row?.visits ?? 0,
          undated: sumOf('visits'),
          others: Object.fromEntries(others),
          lastVisitAt: row?.last_visit_at ? new Date(row.last_visit_at) : null,
        },
      ]
    }),
  )
}

/** The totals of visited links, with their packed counts of all time: of `visits`, these are the undated ones alone. */
const selectTotals = compileOnce(
  (db: Database, { linkIds }: Places<{ linkIds: readonly number[] }>) =>
    db
      .selectFrom('link_totals')
      .leftJoin(linkCounts, join =>
        join.onRef('owner_id', '=', 'link_totals.link_id').on('bucket', '=', allTimeBucket),
      )
      .select(['link_totals.link_id', 'visits', 'last_visit_at', 'packed'])
      .where('link_totals.link_id', 'in', linkIds),
)

/** The sums of dimensions by their ids. */
function sumsOf(packed: Uint8Array): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  eachCount(packed, dimension => (_, count) => {
    sums.set(dimension, (sums.get(dimension) ?? 0) + count)
  })
  return sums
}
