import {
  deleteAccount,
  type Objection,
  tryToDeleteAccount,
} from '../../accounts/access/change-account.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { doOrTry, inTransactionUnlessRefused, type Tx } from '../../storage/database.ts'
import { type DeleteBelow, prepareDeleteBelow } from '../../storage/delete-below.ts'
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
import { giveCodes, inPartsOfLinks } from './in-parts.ts'
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
    // A plugin may have a row for each visit.
    if (!rows) await (await prepareDeleteBelow(tx))('links', [link.rowId])
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
  const { db, remover, now } = deps
  const done = await inTransactionUnlessRefused(db, async tx => {
    const given = heir === undefined ? 0 : await handOver(tx, deps, { from: accountId, to: heir })
    if (isRefusal(given)) return given
    const gone: Link[] = []
    const deleted = await deleteAccount(tx, accountId, now, object, async (it, below) => {
      await noteAccountCounts(it, accountId)
      await deleteLinksOf(it, deps, accountId, below, gone)
    })
    return deleted === true ? gone : deleted
  })
  if (!Array.isArray(done)) return done
  remover.wake()
  void deps.hooks.announceAllDeleted(done)
  return true
}

/** Says what `deleteAccountAndLinks` would, without the work: it would keep everybody from writing, as often as somebody tries. */
export async function tryToDeleteAccountAndLinks(
  deps: Pick<LinkDeps, 'db' | 'hooks' | 'shortUrls' | 'now'>,
  accountId: number,
  object: Objection,
  heir?: number,
): Promise<boolean | Refusal> {
  return doOrTry(deps.db, true, db =>
    inTransactionUnlessRefused(db, async tx => {
      const what = { from: accountId, to: heir ?? 0 }
      const given = heir === undefined ? 0 : await handOver(tx, deps, what, true)
      return isRefusal(given) ? given : tryToDeleteAccount(tx, accountId, object)
    }),
  )
}

/**
 * Deletes all links of an account, in parts, tells of them, and adds them to `gone` if plugins hear of each afterwards. Their codes are
 * nobody's.
 */
async function deleteLinksOf(
  tx: Tx,
  deps: Pick<LinkDeps, 'hooks' | 'shortUrls' | 'now'>,
  accountId: number,
  deleteBelow: DeleteBelow,
  gone: Link[],
): Promise<void> {
  const { hearsOfDeleted } = deps.hooks
  const isTold = isHeard(tx, 'link')
  await giveCodes(tx, accountId, null)
  await inPartsOfLinks(tx, accountId, async rows => {
    const ids = rows.map(({ id }) => id)
    await tx
      .deleteFrom('link_texts')
      .where('account_id', '=', accountId)
      .where('link_id', 'in', ids)
      .execute()
    await deleteBelow('links', ids)
    await tx.deleteFrom('links').where('id', 'in', ids).execute()
    const links = isTold || hearsOfDeleted ? rows.map(readLink) : []
    if (hearsOfDeleted) gone.push(...links)
    await tellOfLinks(
      tx,
      deps,
      links.map(before => ({ before })),
    )
  })
}
