import { type Database, inTransaction } from '../../storage/database.ts'
import type { CountedVisits } from '../count/counted-visits.ts'
import { packBatch } from '../wire/packed-batch.ts'
import type { VisitBatch } from '../wire/visit-batch.ts'
import { addUp } from './add-up.ts'
import { spendQuota } from './spend-quota.ts'
import { lastStored, markStored } from './stored-mark.ts'

/** What became of a batch. */
export interface Stored {
  /** Its row; undefined when there was nothing to keep, or it was kept before. */
  readonly batchId: number | undefined
  /** Tracked visits by link's row id. */
  readonly visited: readonly { readonly linkId: number; readonly visits: number }[]
}

/**
 * Keep what was counted: one packed row, the accounts' usage and the batch's number in one
 * transaction. The same number again changes nothing.
 */
export async function storeBatch(
  db: Database,
  visits: CountedVisits,
  { run, sequence }: { readonly run: string; readonly sequence: number },
): Promise<Stored> {
  if (visits.size === 0) return nothing
  return inTransaction(db, async tx => {
    if ((await lastStored(tx, run)) >= sequence) return nothing
    const batch = addUp(visits, await spendQuota(tx, visits))
    await markStored(tx, run, sequence)
    if (batch.links.length === 0) return nothing
    const { id } = await tx
      .insertInto('visit_batches')
      .values({ packed: packBatch(batch) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { batchId: id, visited: visitedLinks(batch) }
  })
}

const nothing: Stored = { batchId: undefined, visited: [] }

/** A link that changed meanwhile, or whose owner's plan did, is in the batch more than once. */
function visitedLinks({ links }: VisitBatch): Stored['visited'] {
  const sums = new Map<number, number>()
  for (const { linkId, visits } of links) {
    if (visits > 0) sums.set(linkId, (sums.get(linkId) ?? 0) + visits)
  }
  return Array.from(sums, ([linkId, visits]) => ({ linkId, visits }))
}
