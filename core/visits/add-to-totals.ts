import type { Tx } from '../storage/database.ts'
import { inChunks } from './chunks.ts'
import type { LinkCounts } from './visit-batch.ts'

/** A link that there is. */
export interface VisitedLink {
  /** The row of its account. */
  readonly accountId: number
  /** Its tracked visits of all time. */
  readonly visits: number
}

/** What links get: a batch may have a link more than once. */
interface Gain {
  readonly linkId: number
  visits: number
  lastVisitAt: number
}

/** Adds to the totals of links; gives what they are now by row, without the links that were deleted. */
export async function addToTotals(
  tx: Tx,
  links: readonly LinkCounts[],
): Promise<ReadonlyMap<number, VisitedLink>> {
  const gains = inOrder(links)
  const known = new Map<number, VisitedLink>()
  for (const chunk of inChunks(gains)) {
    const ids = chunk.map(({ linkId }) => linkId)
    const rows = await tx
      .selectFrom('links')
      .select(['id', 'account_id'])
      .where('id', 'in', ids)
      .execute()
    for (const { id, account_id } of rows) known.set(id, { accountId: account_id, visits: 0 })
  }
  const visited = gains.filter(({ linkId, visits }) => visits > 0 && known.has(linkId))
  for (const chunk of inChunks(visited)) {
    for (const { link_id, visits } of await add(tx, chunk)) {
      known.set(link_id, { accountId: known.get(link_id)?.accountId ?? 0, visits })
    }
  }
  return known
}

/** Each link once, in the order of the table's key. */
function inOrder(links: readonly LinkCounts[]): readonly Gain[] {
  const gains = new Map<number, Gain>()
  for (const { linkId, visits, lastVisitAt } of links) {
    const gain = gains.get(linkId)
    if (gain === undefined) gains.set(linkId, { linkId, visits, lastVisitAt })
    else {
      gain.visits += visits
      gain.lastVisitAt = Math.max(gain.lastVisitAt, lastVisitAt)
    }
  }
  return [...gains.values()].sort((a, b) => a.linkId - b.linkId)
}

function add(tx: Tx, links: readonly Gain[]) {
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
