import { type Database, inTransaction, type Tx } from '../storage/database.ts'
import { createAddToRows } from './add-to-rows.ts'
import { createAddToSketches } from './add-to-sketches.ts'
import { createAddToTotals } from './add-to-totals.ts'
import { accountCounts, ever, linkCounts } from './counts-table.ts'
import { idsOfNames } from './ids-of-names.ts'
import { keepToCap } from './keep-to-cap.ts'
import { createNameIds } from './name-ids.ts'
import { takeBatches } from './take-batches.ts'
import { createValueCap } from './value-cap.ts'

/** What one slice of folding did. */
export interface Folded {
  /** Nothing was left behind it. */
  readonly done: boolean
  /** Batches up to this id are folded. */
  readonly upTo: number
}

/**
 * Makes the function that folds the oldest batches into counts, a slice at a time. A slice is one
 * transaction: counts and totals change and the batches go, or nothing happens. Slices must not
 * overlap. Of the dimensions in `summed` links also have their sums of all time.
 */
export function createFold(
  db: Database,
  summed: ReadonlySet<string> = new Set(),
): () => Promise<Folded> {
  const nameIds = createNameIds()
  const cap = createValueCap()
  const addToTotals = createAddToTotals()
  const addToLinks = createAddToRows(linkCounts)
  const addToAccounts = createAddToRows(accountCounts)
  const addToSketches = createAddToSketches(nameIds)

  async function foldSlice(tx: Tx): Promise<Folded> {
    const { batch, upTo, done } = await takeBatches(tx)
    const links = await addToTotals(tx, batch.links)
    const counts = await keepToCap(tx, batch, links, { cap, summed })
    const ids = await idsOfNames(tx, counts, batch.names, nameIds)
    const ofLinks = counts.inOrder(ids)
    const ofAccounts = ofLinks.regrouped((linkId, bucket) =>
      bucket === ever ? undefined : links.get(linkId)?.accountId,
    )
    await addToLinks(tx, ofLinks.toRows(ids))
    await addToAccounts(tx, ofAccounts.inOrder(ids).toRows(ids))
    await addToSketches(tx, batch, links)
    return { done, upTo }
  }

  return async () => {
    try {
      return await inTransaction(db, foldSlice)
    } catch (error) {
      nameIds.forget()
      cap.forget()
      throw error
    }
  }
}
