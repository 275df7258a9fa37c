import type { Tx } from '../../storage/database.ts'
import { type BroughtVisits, packSums } from '../wire/packed-sums.ts'

/** A link, by row id, and visits that it had elsewhere. */
export interface BroughtToLink {
  readonly linkId: number
  readonly brought: BroughtVisits
}

/**
 * Stores visits from elsewhere, to be folded like any others, in the transaction that makes it certain that this happens
 * once. Returns the row id of the batch.
 */
export async function storeBrought(tx: Tx, links: readonly BroughtToLink[]): Promise<number> {
  const { id } = await tx
    .insertInto('visit_batches')
    .values({ packed: packSums(links) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes the key of an import for a link; false if it was taken before. */
export async function takeImportKey(tx: Tx, linkId: number, key: string): Promise<boolean> {
  const taken = await tx
    .insertInto('visit_imports')
    .values({ link_id: linkId, key })
    .onConflict(conflict => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}
