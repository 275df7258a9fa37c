import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../storage/database.ts'
import { rowsStatement, writeRows } from '../tables/rows-by-key.ts'
import type { LinkCounts } from '../wire/visit-batch.ts'

/** A link that exists. */
export interface VisitedLink {
  /** The id of its account. */
  readonly accountId: number
  /** Its tracked visits of all time. */
  readonly visits: number
}

interface FoundTotal {
  readonly id: number
  readonly account_id: number
  readonly visits: number | null
  readonly last_visit_at: number | null
}

/**
 * Adds to the totals of links, which must be in order, each once; returns the new totals by link id, without links
 * that were deleted.
 */
export type AddToTotals = (
  tx: Tx,
  links: readonly LinkCounts[],
) => Promise<ReadonlyMap<number, VisitedLink>>

export function createAddToTotals(): AddToTotals {
  const read = rowsStatement(compileRead)
  const write = writeRows({
    table: 'link_totals',
    key: ['link_id'],
    others: ['visits', 'last_visit_at'],
  })
  return async (tx, links) => {
    const known = new Map<number, VisitedLink>()
    const totals: (readonly number[])[] = []
    let at = 0
    const ids = links.map(({ linkId }) => [linkId] as const)
    for (const found of await read(tx, ids)) {
      while (at < links.length && links[at]?.linkId !== found.id) at += 1
      const gain = links[at]
      if (gain === undefined) break
      const visits = Number(found.visits ?? 0) + gain.visits
      const lastVisitAt = Math.max(Number(found.last_visit_at ?? 0), gain.lastVisitAt)
      known.set(found.id, { accountId: found.account_id, visits })
      if (gain.visits > 0) totals.push([found.id, visits, lastVisitAt])
    }
    await write(tx, totals)
    return known
  }
}

function compileRead(tx: Tx, ids: readonly (readonly [number])[]): CompiledQuery<FoundTotal> {
  return tx
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select(['links.id', 'account_id', 'visits', 'last_visit_at'])
    .where(
      'links.id',
      'in',
      ids.map(([id]) => id),
    )
    .orderBy('links.id')
    .compile()
}
