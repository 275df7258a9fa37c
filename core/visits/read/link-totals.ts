import type { Database } from '../../storage/database.ts'
import { ever, linkCounts } from '../tables/counts-table.ts'
import { eachCount } from '../tables/packed-counts.ts'

/** The numbers that a list of links shows. */
export interface LinkTotals {
  readonly visits: number
  readonly fromQrCodes: number
  readonly lastVisitAt: Date | null
}

/** The totals of each of these links, by row id; zeroes for a link that was never visited. */
export async function linkTotals(
  db: Database,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, LinkTotals>> {
  if (linkIds.length === 0) return new Map()
  const fromQrCodes = await visitsFromQrCodes(db, linkIds)
  const rows = await db
    .selectFrom('link_totals')
    .selectAll()
    .where('link_id', 'in', linkIds)
    .execute()
  const visited = new Map(rows.map(row => [row.link_id, row]))
  return new Map(
    linkIds.map(id => {
      const row = visited.get(id)
      return [
        id,
        {
          visits: row?.visits ?? 0,
          fromQrCodes: fromQrCodes.get(id) ?? 0,
          lastVisitAt: row ? new Date(row.last_visit_at) : null,
        },
      ]
    }),
  )
}

async function visitsFromQrCodes(
  db: Database,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const name = await db
    .selectFrom('visit_names')
    .select('id')
    .where('name', '=', 'visitsFromQrCodes')
    .executeTakeFirst()
  if (name === undefined) return new Map()
  const rows = await db
    .selectFrom(linkCounts)
    .select(['owner_id', 'packed'])
    .where('owner_id', 'in', linkIds)
    .where('bucket', '=', ever)
    .execute()
  return new Map(rows.map(({ owner_id, packed }) => [owner_id, sumOf(packed, name.id)]))
}

function sumOf(packed: Uint8Array, dimension: number): number {
  let sum = 0
  eachCount(packed, found =>
    found === dimension
      ? (_, count) => {
          sum += count
        }
      : undefined,
  )
  return sum
}
