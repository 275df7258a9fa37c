import type { Database } from '../storage/database.ts'

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
  const rows = await db
    .selectFrom('visit_counts')
    .innerJoin('visit_names', 'visit_names.id', 'visit_counts.dimension')
    .select(({ fn }) => ['visit_counts.link_id', fn.sum('visit_counts.count').as('visits')])
    .where('visit_names.name', '=', 'visitsFromQrCodes')
    .where('visit_counts.link_id', 'in', linkIds)
    .groupBy('visit_counts.link_id')
    .execute()
  return new Map(rows.map(({ link_id, visits }) => [link_id, Number(visits)]))
}
