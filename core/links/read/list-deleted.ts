import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { type Part, readSlice, type Slice } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { DeletedLinksTable } from '../../storage/schema.ts'
import { type Link, readLink } from '../link.ts'

/** A link that can be restored. */
export interface DeletedLink {
  readonly link: Pick<Link, 'id' | 'domain' | 'shortCode' | 'originalUrl' | 'title'>
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
  const { rows, next } = await readSlice(mine.select('id'), order, slice)
  const links: DeletedLink[] = []
  // One at a time, because a link may be large.
  for (const { id } of rows) {
    const row = await mine.selectAll().where('id', '=', id).executeTakeFirst()
    if (row) links.push(readDeleted(row))
    await yieldToRedirects()
  }
  return { rows: links, next, total: Number(total) }
}

function readDeleted({ link, deleted_at, rows }: DeletedLinksTable): DeletedLink {
  const { id, domain, shortCode, originalUrl, title } = readLink(JSON.parse(link))
  return {
    link: { id, domain, shortCode, originalUrl, title },
    deletedAt: new Date(deleted_at),
    visits: visitsIn(rows),
  }
}

function visitsIn(rows: string): number {
  const { link_totals: [total] = [] } = JSON.parse(rows) as {
    readonly link_totals?: readonly { readonly visits: number }[]
  }
  return total?.visits ?? 0
}
