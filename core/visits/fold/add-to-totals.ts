import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../storage/database.ts'
import { rowsStatement } from '../tables/rows-statement.ts'
import type { LinkCounts } from '../wire/visit-batch.ts'

/** A link that there is. */
export interface VisitedLink {
  /** The row of its account. */
  readonly accountId: number
  /** Its tracked visits of all time. */
  readonly visits: number
}

/** What a link gets, or has. */
interface Total {
  readonly linkId: number
  visits: number
  lastVisitAt: number
}

interface FoundTotal {
  readonly id: number
  readonly account_id: number
  readonly visits: number | null
  readonly last_visit_at: number | null
}

/** Adds to the totals of links; gives what they are then by row, without the links that were deleted. */
export type AddToTotals = (
  tx: Tx,
  links: readonly LinkCounts[],
) => Promise<ReadonlyMap<number, VisitedLink>>

export function createAddToTotals(): AddToTotals {
  const read = rowsStatement<Total, FoundTotal>(compileRead, ({ linkId }) => [linkId])
  const write = rowsStatement<Total>(compileWrite, it => [it.linkId, it.visits, it.lastVisitAt])
  return async (tx, links) => {
    const gains = gainsOf(links)
    const known = new Map<number, VisitedLink>()
    const totals: Total[] = []
    for (const found of await read(tx, inOrder(gains))) {
      const gain = gains.get(found.id)
      if (gain === undefined) continue
      const visits = Number(found.visits ?? 0) + gain.visits
      const lastVisitAt = Math.max(Number(found.last_visit_at ?? 0), gain.lastVisitAt)
      known.set(found.id, { accountId: found.account_id, visits })
      if (gain.visits > 0) totals.push({ linkId: found.id, visits, lastVisitAt })
    }
    await write(tx, totals)
    return known
  }
}

/** Batches may have a link more than once. */
function gainsOf(links: readonly LinkCounts[]): ReadonlyMap<number, Total> {
  const gains = new Map<number, Total>()
  for (const { linkId, visits, lastVisitAt } of links) {
    const gain = gains.get(linkId)
    if (gain === undefined) gains.set(linkId, { linkId, visits, lastVisitAt })
    else {
      gain.visits += visits
      gain.lastVisitAt = Math.max(gain.lastVisitAt, lastVisitAt)
    }
  }
  return gains
}

/** Of the table's key, for neighbours share a page. */
function inOrder(gains: ReadonlyMap<number, Total>): readonly Total[] {
  return [...gains.values()].sort((a, b) => a.linkId - b.linkId)
}

function compileRead(tx: Tx, links: readonly Total[]): CompiledQuery<FoundTotal> {
  return tx
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select(['links.id', 'account_id', 'visits', 'last_visit_at'])
    .where(
      'links.id',
      'in',
      links.map(({ linkId }) => linkId),
    )
    .orderBy('links.id')
    .compile()
}

function compileWrite(tx: Tx, totals: readonly Total[]): CompiledQuery {
  return tx
    .insertInto('link_totals')
    .columns(['link_id', 'visits', 'last_visit_at'])
    .values(
      totals.map(({ linkId, visits, lastVisitAt }) => ({
        link_id: linkId,
        visits,
        last_visit_at: lastVisitAt,
      })),
    )
    .onConflict(conflict =>
      conflict.column('link_id').doUpdateSet(({ ref }) => ({
        visits: ref('excluded.visits'),
        last_visit_at: ref('excluded.last_visit_at'),
      })),
    )
    .compile()
}
