import {
  deleteAccount,
  type Objection,
  tryToDeleteAccount,
} from '../../accounts/access/change-account.ts'
import { beginDeletion, endDeletion, listDeletions } from '../../accounts/access/deletions.ts'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import {
  doOrTry,
  inTransaction,
  inTransactionUnlessRefused,
  type Tx,
} from '../../storage/database.ts'
import { isInProcess } from '../../storage/database-kind.ts'
import { type DeleteBelow, prepareDeleteBelow } from '../../storage/delete-below.ts'
import { isHeard } from '../../storage/outbox.ts'
import { noteAccountCounts, noteLinkCounts } from '../../visits/upkeep/remove-counts.ts'
import { type Link, readLink } from '../link.ts'
import { tellOfLinks } from '../tell-of-links.ts'
import { forgetLinks } from './deleted-links.ts'
import { handOver } from './hand-over.ts'
import { giveCodes, inPartsOfLinks, type LinkRow, partOfLinks } from './in-parts.ts'
import type { LinkDeps } from './link-deps.ts'

type Deps = Pick<LinkDeps, 'db' | 'cache' | 'hooks' | 'remover' | 'shortUrls' | 'now'>

/**
 * Delete an account with its links and everything else it owns; false when there is none. Its counts can be
 * many, and are removed afterwards, a slice at a time. Plugins that want to know hear of each link afterwards,
 * as if it had been deleted alone. With an `heir`, another account gets its links and what belongs to them first. Refused: `last_admin`,
 * what `object` says, or what handing over is refused for.
 */
export async function deleteAccountAndLinks(
  deps: Deps,
  accountId: number,
  object: Objection,
  heir?: number,
): Promise<boolean | Refusal> {
  const begun = await inTransactionUnlessRefused(deps.db, async tx => {
    const given = heir === undefined ? 0 : await handOver(tx, deps, { from: accountId, to: heir })
    return isRefusal(given) ? given : beginDeletion(tx, accountId, deps.now, object)
  })
  if (begun === true) await finishDeletion(deps, accountId)
  return begun
}

/** Goes on with accounts that were being deleted when a process ended, or when that failed. */
export async function finishDeletions(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const accountId of await listDeletions(deps.db)) {
    if (!signal.aborted) await finishDeletion(deps, accountId)
  }
}

async function finishDeletion(deps: Deps, accountId: number): Promise<void> {
  const { db, cache, hooks, remover, now } = deps
  cache.forgetOf(new Set([accountId]))
  const gone: Link[] = []
  if (isInProcess(db)) await deleteInParts(deps, accountId, gone)
  await inTransaction(db, async tx => {
    await endDeletion(tx, accountId)
    await deleteAccount(tx, accountId, now, undefined, async (_, deleteBelow) => {
      await noteAccountCounts(tx, accountId)
      await giveCodes(tx, accountId, null)
      await inPartsOfLinks(tx, accountId, rows => deleteLinks(tx, deps, rows, deleteBelow, gone))
    })
  })
  remover.wake()
  void hooks.announceAllDeleted(gone)
}

/**
 * Deletes what an account has in many transactions: others who write wait for one of them, and not for all, which may take a minute. What
 * comes in between goes with the account itself.
 */
async function deleteInParts(deps: Deps, accountId: number, gone: Link[]): Promise<void> {
  const { db } = deps
  const deleteBelow = await prepareDeleteBelow(db)
  await giveCodes(db, accountId, null)
  const deletePart = () =>
    inTransaction(db, async tx => {
      const rows = await partOfLinks(tx, accountId)
      await noteLinkCounts(
        tx,
        accountId,
        rows.map(({ id }) => id),
      )
      await deleteLinks(tx, deps, rows, deleteBelow, gone)
      return rows.length > 0
    })
  while (await deletePart()) await yieldToRedirects()
  const forgetPart = async () => {
    const kept = db.selectFrom('deleted_links').select(['id', 'account_id'])
    return forgetLinks(db, await kept.where('account_id', '=', accountId).limit(100).execute())
  }
  while (await forgetPart()) await yieldToRedirects()
  // A link that somebody makes in between is told of when it goes.
  await deleteBelow(db, 'accounts', [accountId], ['links', 'deleted_links'])
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

/** Deletes links, tells of them, and adds them to `gone` if plugins hear of each afterwards. */
async function deleteLinks(
  tx: Tx,
  deps: Pick<LinkDeps, 'hooks' | 'shortUrls' | 'now'>,
  rows: readonly LinkRow[],
  deleteBelow: DeleteBelow,
  gone: Link[],
): Promise<void> {
  const { hearsOfDeleted } = deps.hooks
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await tx
    .deleteFrom('link_texts')
    .where(
      'account_id',
      'in',
      rows.map(it => it.account_id),
    )
    .where('link_id', 'in', ids)
    .execute()
  await deleteBelow(tx, 'links', ids)
  await tx.deleteFrom('links').where('id', 'in', ids).execute()
  const links = isHeard(tx, 'link') || hearsOfDeleted ? rows.map(readLink) : []
  if (hearsOfDeleted) gone.push(...links)
  await tellOfLinks(
    tx,
    deps,
    links.map(before => ({ before })),
  )
}
