import { prepareDeleteBelow } from '../../storage/delete-below.ts'
import { removeLinkCounts, setCountsAside } from '../../visits/upkeep/remove-counts.ts'
import { type Link, readLink } from '../link.ts'
import { removeLinkText } from '../link-text.ts'
import { tellOfLinks } from '../tell-of-links.ts'
import { keepLink, readCodes } from './deleted-links.ts'
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
    if (!rows) await (await prepareDeleteBelow(tx))(tx, 'links', [link.rowId])
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
