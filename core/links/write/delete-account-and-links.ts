import { deleteAccount, type Objection } from '../../accounts/access/change-account.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import { inTransactionUnlessRefused } from '../../storage/database.ts'
import { noteAccountCounts } from '../../visits/upkeep/remove-counts.ts'
import { readLink } from '../link.ts'
import type { LinkDeps } from './link-deps.ts'

/**
 * Delete an account with its links and everything else it owns; false when there is none. Its counts can be
 * many, and are removed afterwards, a slice at a time. Plugins that want to know hear of each link afterwards,
 * as if it had been deleted alone. Refused: `last_admin`, or what `object` says.
 */
export async function deleteAccountAndLinks(
  { db, hooks, remover }: Pick<LinkDeps, 'db' | 'hooks' | 'remover'>,
  accountId: number,
  object: Objection,
): Promise<boolean | Refusal> {
  const done = await inTransactionUnlessRefused(db, async tx => {
    const links = hooks.hearsOfDeleted
      ? await tx.selectFrom('links').selectAll().where('account_id', '=', accountId).execute()
      : []
    await noteAccountCounts(tx, accountId)
    const deleted = await deleteAccount(tx, accountId, object)
    return deleted === true ? links : deleted
  })
  if (!Array.isArray(done)) return done
  remover.wake()
  void hooks.announceAllDeleted(done.map(readLink))
  return true
}
