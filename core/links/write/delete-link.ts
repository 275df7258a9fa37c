import { inTransaction } from '../../storage/database.ts'
import { removeLinkCounts } from '../../visits/upkeep/remove-counts.ts'
import { removeLinkText } from '../keep-link-text.ts'
import type { Link } from '../link.ts'
import type { LinkDeps } from './link-deps.ts'

/**
 * Delete a link with its visits; if they are many, they are removed afterwards, a slice at a time. Its codes
 * stay with the account and lead nowhere.
 */
export async function deleteLink(
  { db, cache, remover, hooks }: LinkDeps,
  link: Link,
): Promise<void> {
  const isWhole = await inTransaction(db, async tx => {
    await tx.deleteFrom('links').where('id', '=', link.rowId).execute()
    await removeLinkText(tx, link)
    return removeLinkCounts(tx, link)
  })
  if (!isWhole) remover.wake()
  cache.forget(link.rowId)
  hooks.announceDeleted(link)
}
