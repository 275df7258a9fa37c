import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { addMeta, readMeta } from '../../storage/meta.ts'
import { deletionKey } from '../accounts.ts'
import { findDeletable, type Objection } from './change-account.ts'
import { deleteTokens } from './token-rows.ts'

/**
 * Decides that an account is deleted, and notes how it was before: from then on nobody can act for it, and its links lead nowhere,
 * as if it were suspended with them. What it has can be deleted in many transactions, so that others write in between. False if
 * there is no such account. Refused: `last_admin`, or what `object` says.
 */
export async function beginDeletion(
  tx: Tx,
  id: number,
  now: () => Date,
  object: Objection,
): Promise<boolean | Refusal> {
  const account = await findDeletable(tx, id, object)
  if (!account || isRefusal(account)) return account ?? false
  const { suspendedAt, linksClosed } = account
  const before = { suspended_at: suspendedAt?.getTime() ?? null, links_closed: Number(linksClosed) }
  await addMeta(tx, deletionKey(id), JSON.stringify(before))
  // Whoever signs in at the same moment has a session before it, which ends, or none after it.
  await tx
    .updateTable('accounts')
    .set({ suspended_at: now().getTime(), links_closed: 1 })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('sessions').where('account_id', '=', id).execute()
  await tx.deleteFrom('one_time_links').where('account_id', '=', id).execute()
  await deleteTokens(tx, now(), all => all.where('account_id', '=', id))
  return true
}

/** In the transaction that deletes the account itself: it was suspended only meanwhile, which nobody is told. */
export async function endDeletion(tx: Tx, id: number): Promise<void> {
  const before = await readMeta(tx, deletionKey(id))
  await tx.deleteFrom('meta').where('key', '=', deletionKey(id)).execute()
  if (before === undefined) return
  await tx.updateTable('accounts').set(JSON.parse(before)).where('id', '=', id).execute()
}

/** The accounts that are being deleted, or were when a process ended. */
export async function listDeletions(db: Database): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('meta')
    .select('key')
    .where('key', 'like', deletionKey('%'))
    .execute()
  return rows.map(({ key }) => Number(key.slice(deletionKey('%').length - 1)))
}
