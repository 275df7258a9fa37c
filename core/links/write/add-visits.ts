import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import { inTransactionUnlessRefused, type Tx, whenVisible } from '../../storage/database.ts'
import { storeBrought, takeImportKey } from '../../visits/store/store-brought.ts'
import type { BroughtVisits } from '../../visits/wire/packed-sums.ts'
import type { Link } from '../link.ts'
import type { LinkDeps } from './link-deps.ts'

type Deps = Pick<LinkDeps, 'db' | 'hooks' | 'broughtVisits'>

/**
 * Adds visits that a link had elsewhere, once for each key: false if this one was taken before. Refused: if the link is
 * gone, or a plugin fails that counts them, too.
 */
export async function addVisits(
  deps: Deps,
  link: Link,
  { key, brought }: { readonly key: string; readonly brought: BroughtVisits | undefined },
): Promise<boolean | Refusal> {
  return inTransactionUnlessRefused<boolean>(deps.db, async tx => {
    const row = await tx
      .selectFrom('links')
      .select('id')
      .where('id', '=', link.rowId)
      .executeTakeFirst()
    if (!row) return refuse('not_found', 'This link does not exist.', 404)
    if (!(await takeImportKey(tx, link.rowId, key))) return false
    return (await bringVisits(deps, tx, brought ? [{ link, brought }] : [])) ?? true
  })
}

/** Adds visits from elsewhere in a transaction that happens once. Refused: if a plugin fails that counts them, too. */
export async function bringVisits(
  { hooks, broughtVisits }: Deps,
  tx: Tx,
  links: readonly { readonly link: Link; readonly brought: BroughtVisits }[],
): Promise<Refusal | undefined> {
  if (links.length === 0) return undefined
  for (const { link, brought } of links) {
    const refusal = await hooks.brought(tx, link, brought.visits)
    if (isRefusal(refusal)) return refusal
  }
  const batchId = await storeBrought(
    tx,
    links.map(({ link: { rowId: linkId }, brought }) => ({ linkId, brought })),
  )
  await whenVisible(tx, () => broughtVisits(batchId))
  return undefined
}
