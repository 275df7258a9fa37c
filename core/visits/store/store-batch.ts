import { type Database, inTransaction } from '../../storage/database.ts'
import type { CountedVisits } from '../wire/counted-visits.ts'
import { packBatch } from '../wire/packed-batch.ts'
import { lastSequence, saveSequence } from './last-sequence.ts'
import { spendQuota } from './spend-quota.ts'

/** The result of storing a batch. */
export interface Stored {
  /** The row id of the batch; undefined if there was nothing to store, or it was stored before. */
  readonly batchId: number | undefined
  /** The numbers of the visits that were stored. */
  readonly kept: Uint32Array
}

/**
 * Stores counted visits: one packed row, the accounts' usage and the number of the batch in one transaction. The same
 * number again changes nothing.
 */
export async function storeBatch(
  db: Database,
  visits: CountedVisits,
  { run, sequence }: { readonly run: string; readonly sequence: number },
): Promise<Stored> {
  if (visits.size === 0) return nothing
  return inTransaction(db, async tx => {
    if ((await lastSequence(tx, run)) >= sequence) return nothing
    const kept = await spendQuota(tx, visits)
    await saveSequence(tx, run, sequence)
    if (kept.length === 0) return nothing
    const { id } = await tx
      .insertInto('visit_batches')
      .values({ packed: packBatch(visits, kept) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { batchId: id, kept }
  })
}

const nothing: Stored = { batchId: undefined, kept: Uint32Array.of() }

/** Tracked visits by the row id of the link. */
export type VisitedLinks = readonly { readonly linkId: number; readonly visits: number }[]

/** How often each link was visited, without robots. */
export function visitedLinks(visits: CountedVisits, kept: Uint32Array): VisitedLinks {
  const sums = new Map<number, number>()
  for (const visit of kept) {
    const { id } = visits.linkOf(visit)
    if (!visits.isBot(visit)) sums.set(id, (sums.get(id) ?? 0) + 1)
  }
  return Array.from(sums, ([linkId, visits]) => ({ linkId, visits }))
}
