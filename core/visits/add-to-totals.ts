import type { Tx } from '../storage/database.ts'
import { inChunks } from './chunks.ts'
import type { LinkCounts } from './visit-batch.ts'

/** Adds to the links' totals; gives what they are now, without the links that were deleted. */
export async function addToTotals(
  tx: Tx,
  links: readonly LinkCounts[],
): Promise<ReadonlyMap<number, number>> {
  const sorted = links.toSorted((a, b) => a.linkId - b.linkId)
  const totals = new Map<number, number>()
  for (const chunk of inChunks(sorted)) {
    const ids = chunk.map(({ linkId }) => linkId)
    const rows = await tx.selectFrom('links').select('id').where('id', 'in', ids).execute()
    for (const { id } of rows) totals.set(id, 0)
  }
  const existing = sorted.filter(({ linkId }) => totals.has(linkId))
  for (const chunk of inChunks(existing.filter(({ visits }) => visits > 0))) {
    for (const { link_id, visits } of await add(tx, chunk)) totals.set(link_id, visits)
  }
  return totals
}

function add(tx: Tx, links: readonly LinkCounts[]) {
  return tx
    .insertInto('link_totals')
    .values(
      links.map(({ linkId, visits, lastVisitAt }) => ({
        link_id: linkId,
        visits,
        last_visit_at: lastVisitAt,
      })),
    )
    .onConflict(conflict =>
      conflict.column('link_id').doUpdateSet(({ eb, ref }) => ({
        visits: eb('link_totals.visits', '+', ref('excluded.visits')),
        last_visit_at: eb
          .case()
          .when('excluded.last_visit_at', '>', ref('link_totals.last_visit_at'))
          .then(ref('excluded.last_visit_at'))
          .else(ref('link_totals.last_visit_at'))
          .end(),
      })),
    )
    .returning(['link_id', 'visits'])
    .execute()
}
