import type { Database } from '../../storage/database.ts'
import { ever, linkCounts } from '../tables/counts-table.ts'
import { eachCount } from '../tables/packed-counts.ts'

/** The numbers that a list of links shows. */
export interface LinkTotals {
  readonly visits: number
  /** What other dimensions counted of all time, by the name that links show it by. */
  readonly others: Readonly<Record<string, number>>
  readonly lastVisitAt: Date | null
}

/**
 * The totals of each of these links, by row id; zeroes for a link that was never visited.
 *
 * @param dimensions what is shown besides visits: the dimension that counts it, by its name
 */
export async function linkTotals(
  db: Database,
  linkIds: readonly number[],
  dimensions: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<number, LinkTotals>> {
  if (linkIds.length === 0) return new Map()
  const counted = await countedEver(db, linkIds, Object.values(dimensions))
  const rows = await db
    .selectFrom('link_totals')
    .selectAll()
    .where('link_id', 'in', linkIds)
    .execute()
  const visited = new Map(rows.map(row => [row.link_id, row]))
  return new Map(
    linkIds.map(id => {
      const row = visited.get(id)
      const others = Object.entries(dimensions).map(
        ([name, dimension]) => [name, counted.get(id)?.get(dimension) ?? 0] as const,
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

/** What some dimensions counted of all time, by link and dimension. */
async function countedEver(
  db: Database,
  linkIds: readonly number[],
  dimensions: readonly string[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  if (dimensions.length === 0) return new Map()
  const names = await db
    .selectFrom('visit_names')
    .select(['id', 'name'])
    .where('name', 'in', dimensions)
    .execute()
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  const rows = await db
    .selectFrom(linkCounts)
    .select(['owner_id', 'packed'])
    .where('owner_id', 'in', linkIds)
    .where('bucket', '=', ever)
    .execute()
  return new Map(rows.map(({ owner_id, packed }) => [owner_id, sumsOf(packed, nameOf)]))
}

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
