import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database } from '../../storage/database.ts'
import { allTimeBucket, linkCounts } from '../tables/counts-table.ts'
import { eachCount } from '../tables/packed-counts.ts'

/** The numbers that a list of links shows. */
export interface LinkTotals {
  readonly visits: number
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
  const nameOf = rows.length === 0 ? new Map() : await namesOf(db, Object.values(dimensions))
  return new Map(
    linkIds.map(id => {
      const row = visited.get(id)
      const counted = row?.packed && sumsOf(row.packed, nameOf)
      const others = Object.entries(dimensions).map(
        ([name, dimension]) => [name, counted?.get(dimension) ?? 0] as const,
      )
      return [
        id,
        {
          visits: row?.visits ?? 0,
          others: Object.fromEntries(others),
          lastVisitAt: row ? new Date(row.last_visit_at) : null,
        },
      ]
    }),
  )
}

/** The totals of visited links, with their packed counts of all time. */
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

/** The names of these dimensions by id; only of dimensions that have ever counted anything. */
async function namesOf(
  db: Database,
  dimensions: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await selectNames(db, { dimensions })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const selectNames = compileOnce(
  (db: Database, { dimensions }: Places<{ dimensions: readonly string[] }>) =>
    db.selectFrom('visit_names').select(['id', 'name']).where('name', 'in', dimensions),
)

function sumsOf(
  packed: Uint8Array,
  nameOf: ReadonlyMap<number, string>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  eachCount(packed, dimension => {
    const name = nameOf.get(dimension)
    if (name === undefined) return undefined
    return (_, count) => {
      sums.set(name, (sums.get(name) ?? 0) + count)
    }
  })
  return sums
}
