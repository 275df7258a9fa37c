import { type Part, readSlice, type Slice } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { type Link, readLink } from '../link.ts'

/** A link that can be restored. */
export interface DeletedLink {
  readonly link: Link
  readonly deletedAt: Date
  /** Its visits of all time. */
  readonly visits: number
}

/** A part of the links that an account deleted, the last one first, and how many there are in all. */
export async function listDeleted(
  db: Database,
  accountId: number,
  slice: Slice,
): Promise<Part<DeletedLink> & { readonly total: number }> {
  const mine = db.selectFrom('deleted_links').where('account_id', '=', accountId)
  const { total } = await mine
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const order = { by: ['deleted_at', 'id'], descending: true }
  const { rows, next } = await readSlice(mine.selectAll(), order, slice)
  return {
    rows: rows.map(({ link, deleted_at, rows }) => ({
      link: readLink(JSON.parse(link)),
      deletedAt: new Date(deleted_at),
      visits: visitsIn(rows),
    })),
    next,
    total: Number(total),
  }
}

function visitsIn(rows: string): number {
  const { link_totals: [total] = [] } = JSON.parse(rows) as {
    readonly link_totals?: readonly { readonly visits: number }[]
  }
  return total?.visits ?? 0
}
