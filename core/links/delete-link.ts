import { inTransaction } from '../storage/database.ts'
import { takeFromAccountCounts } from '../visits/take-from-account-counts.ts'
import type { Link } from './link.ts'
import type { LinkDeps } from './link-deps.ts'

/** Delete a link with its visits. Its codes stay with the account and lead nowhere. */
export async function deleteLink({ db, cache, hooks }: LinkDeps, link: Link): Promise<void> {
  await inTransaction(db, async tx => {
    await takeFromAccountCounts(tx, link)
    await tx.deleteFrom('links').where('id', '=', link.rowId).execute()
  })
  cache.forget(link.rowId)
  hooks.announce('deleted', link)
}
