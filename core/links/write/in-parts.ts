import { type Selectable, sql } from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import type { Database, Tx } from '../../storage/database.ts'
import type { LinksTable } from '../../storage/schema.ts'

export type LinkRow = Selectable<LinksTable>

/** What refers to this many links takes some hundredths of a second. */
const linksAtOnce = 128

/** A code alone takes a fiftieth of a link. */
const codesAtOnce = 4_096

/**
 * Works on all links of an account in one transaction, with turns for redirects in between: a hundred thousand in one statement
 * keep the event loop for seconds. Whoever writes waits until the transaction ends.
 */
export async function inPartsOfLinks(
  tx: Tx,
  accountId: number,
  work: (rows: readonly LinkRow[]) => Promise<void>,
): Promise<void> {
  let rows = await partOfLinks(tx, accountId)
  for (;;) {
    const last = rows.at(-1)
    if (!last) return
    await work(rows)
    await yieldToRedirects()
    rows = await partOfLinks(tx, accountId, last)
  }
}

/** So many links of an account as are worked on at once: the first, or those after another. */
export function partOfLinks(
  tx: Tx,
  accountId: number,
  after: Pick<LinkRow, 'created_at' | 'id'> = { created_at: Number.MIN_SAFE_INTEGER, id: 0 },
): Promise<readonly LinkRow[]> {
  return (
    tx
      .selectFrom('links')
      .selectAll()
      .where('account_id', '=', accountId)
      // PostgreSQL reads again, and passes over, what was changed before in the same transaction.
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(after.created_at, after.id)),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(linksAtOnce)
      .execute()
  )
}

/**
 * Gives codes of an account to another, or to nobody when their links go, in the same way: also those that lead nowhere any more. In
 * their own order it takes a tenth of the time that it takes link by link.
 */
export async function giveCodes(tx: Database, accountId: number, to: number | null): Promise<void> {
  for (;;) {
    const some = tx
      .selectFrom('short_codes')
      .select(['domain', 'code'])
      .where('account_id', '=', accountId)
      .limit(codesAtOnce)
    const { numUpdatedRows } = await tx
      .updateTable('short_codes')
      .set({ account_id: to, ...(to === null && { link_id: null }) })
      .where(({ refTuple }) => sql<boolean>`${refTuple('domain', 'code')} in ${some}`)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows < BigInt(codesAtOnce)) return
    await yieldToRedirects()
  }
}
