import type { Selectable } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import type { DeletedLinksTable, LinksTable } from '../../storage/schema.ts'
import { noteSetAside } from '../../visits/upkeep/remove-counts.ts'
import { afterHosts } from '../codes/code-rules.ts'
import { packRows, type RowsOfLink } from './rows-of-links.ts'

/** A code that led to a link. */
export interface CodeOfLink {
  readonly domain: string
  readonly code: string
}

/** What is kept of a link that is deleted. */
export interface KeptLink {
  readonly row: Selectable<LinksTable>
  readonly codes: readonly CodeOfLink[]
  readonly rows: RowsOfLink
}

/** Reads the codes of a link before it is deleted. */
export function readCodes(tx: Tx, rowId: number): Promise<readonly CodeOfLink[]> {
  return tx
    .selectFrom('short_codes')
    .select(['domain', 'code'])
    .where('link_id', '=', rowId)
    .where('domain', '<', afterHosts)
    .orderBy('created_at')
    .execute()
}

/** Keeps a link in the transaction that deletes it. */
export async function keepLink(
  tx: Tx,
  { row, codes, rows }: KeptLink,
  deletedAt: Date,
): Promise<void> {
  await tx
    .insertInto('deleted_links')
    .values({
      id: row.id,
      account_id: row.account_id,
      deleted_at: deletedAt.getTime(),
      link: JSON.stringify(row),
      codes: JSON.stringify(codes),
      rows: packRows(rows),
    })
    .execute()
}

/** Deletes for good what was deleted before this moment, some at a time. */
export async function forgetDeletedLinks(
  db: Database,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    const old = await db
      .selectFrom('deleted_links')
      .select(['id', 'account_id'])
      .where('deleted_at', '<', before.getTime())
      .limit(atOnce)
      .execute()
    await forgetLinks(db, old)
    hasMore = old.length === atOnce
  }
}

const atOnce = 100

/** Deletes these links for good; false if none was there. What was counted of them is removed afterwards. */
export async function forgetLinks(
  db: Database,
  links: readonly Pick<DeletedLinksTable, 'id' | 'account_id'>[],
): Promise<boolean> {
  if (links.length === 0) return false
  return inTransaction(db, async tx => {
    const gone: { rowId: number; accountId: number }[] = []
    for (const { id, account_id } of links) {
      const { numDeletedRows } = await tx
        .deleteFrom('deleted_links')
        .where('id', '=', id)
        .where('account_id', '=', account_id)
        .executeTakeFirstOrThrow()
      if (numDeletedRows > 0n) gone.push({ rowId: id, accountId: account_id })
    }
    await noteSetAside(tx, gone)
    return gone.length > 0
  })
}
