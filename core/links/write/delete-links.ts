import { sql } from 'kysely'
import { deleteAccount, type Objection } from '../../accounts/access/change-account.ts'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { isHeard } from '../../storage/outbox.ts'
import {
  noteAccountCounts,
  removeLinkCounts,
  setCountsAside,
} from '../../visits/upkeep/remove-counts.ts'
import { type Link, readLink } from '../link.ts'
import { removeLinkText } from '../link-text.ts'
import { tellOfLinks } from '../tell-of-links.ts'
import { keepLink, readCodes } from './deleted-links.ts'
import { handOver } from './hand-over.ts'
import { type LinkDeps, writeLinks } from './link-deps.ts'
import { readRowsOfLink } from './rows-of-links.ts'

/**
 * Delete a link with its visits, and keep it for some days, so that it can be restored. If the visits are many, they are
 * taken out of all numbers afterwards, a slice at a time. Its codes stay with the account and lead nowhere.
 */
export async function deleteLink(deps: LinkDeps, link: Link): Promise<void> {
  const { cache, remover, hooks, deletedDays, now } = deps
  const isKept = deletedDays > 0
  // Visits that are not added up by now belong to no link afterwards.
  if (isKept) await deps.catchUp()
  const isWhole = await writeLinks(deps, async tx => {
    const codes = isKept ? await readCodes(tx, link.rowId) : []
    const rows = isKept ? await readRowsOfLink(tx, link.rowId) : undefined
    const row = await tx
      .deleteFrom('links')
      .where('id', '=', link.rowId)
      .returningAll()
      .executeTakeFirst()
    if (row) await tellOfLinks(tx, deps, [{ before: readLink(row) }])
    await removeLinkText(tx, link)
    if (!row || !rows) return removeLinkCounts(tx, link)
    await keepLink(tx, { row, codes, rows }, now())
    return setCountsAside(tx, link)
  })
  if (!isWhole) remover.wake()
  cache.forget(link.rowId)
  hooks.announceDeleted(link)
}

/**
 * Delete an account with its links and everything else it owns; false when there is none. Its counts can be
 * many, and are removed afterwards, a slice at a time. Plugins that want to know hear of each link afterwards,
 * as if it had been deleted alone. With an `heir`, another account gets its links and what belongs to them first. Refused: `last_admin`,
 * what `object` says, or what handing over is refused for.
 */
export async function deleteAccountAndLinks(
  deps: Pick<LinkDeps, 'db' | 'hooks' | 'remover' | 'shortUrls' | 'now'>,
  accountId: number,
  object: Objection,
  heir?: number,
): Promise<boolean | Refusal> {
  const { db, hooks, remover, now } = deps
  const done = await inTransactionUnlessRefused(db, async tx => {
    const given = heir === undefined ? 0 : await handOver(tx, deps, { from: accountId, to: heir })
    if (isRefusal(given)) return given
    const links =
      hooks.hearsOfDeleted || isHeard(tx, 'link')
        ? await tx.selectFrom('links').selectAll().where('account_id', '=', accountId).execute()
        : []
    await noteAccountCounts(tx, accountId)
    await tellOfLinks(
      tx,
      deps,
      links.map(row => ({ before: readLink(row) })),
    )
    const deleted = await deleteAccount(tx, accountId, now, object, it =>
      deleteInParts(it, accountId),
    )
    return deleted === true ? links : deleted
  })
  if (!Array.isArray(done)) return done
  remover.wake()
  void hooks.announceAllDeleted(done.map(readLink))
  return true
}

/** What refers to this many links takes some hundredths of a second. */
const atOnce = 256

/**
 * Deletes the links of an account and their texts, and has their codes be nobody's, with turns for redirects in between: a hundred
 * thousand in one statement keep the event loop for ten seconds. Whoever writes waits until the transaction ends.
 */
async function deleteInParts(tx: Tx, accountId: number): Promise<void> {
  await inParts(async () => {
    const { numDeletedRows } = await tx
      .deleteFrom('links')
      .where('id', 'in', it =>
        it.selectFrom('links').select('id').where('account_id', '=', accountId).limit(atOnce),
      )
      .executeTakeFirstOrThrow()
    return numDeletedRows
  })
  await inParts(async () => {
    const some = tx
      .selectFrom('link_texts')
      .select('link_id')
      .where('account_id', '=', accountId)
      .limit(atOnce)
    const { numDeletedRows } = await tx
      .deleteFrom('link_texts')
      .where('account_id', '=', accountId)
      .where('link_id', 'in', some)
      .executeTakeFirstOrThrow()
    return numDeletedRows
  })
  await inParts(async () => {
    const some = tx
      .selectFrom('short_codes')
      .select(['domain', 'code'])
      .where('account_id', '=', accountId)
      .limit(atOnce)
    const { numUpdatedRows } = await tx
      .updateTable('short_codes')
      .set({ account_id: null })
      .where(({ refTuple }) => sql<boolean>`${refTuple('domain', 'code')} in ${some}`)
      .executeTakeFirstOrThrow()
    return numUpdatedRows
  })
}

async function inParts(part: () => Promise<bigint>): Promise<void> {
  while ((await part()) === BigInt(atOnce)) await yieldToRedirects()
}
