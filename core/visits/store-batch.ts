import { type Database, inTransaction } from '../storage/database.ts'
import { dayOf, hourOf } from './buckets.ts'
import type { CountedVisits } from './counted-visits.ts'
import { packBatch } from './packed-batch.ts'
import { spendQuota } from './spend-quota.ts'
import { lastStored, markStored } from './stored-mark.ts'
import { createTally } from './tally.ts'
import type { VisitBatch } from './visit-batch.ts'

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
  { names, visits }: CountedVisits,
  { run, sequence }: { readonly run: string; readonly sequence: number },
): Promise<Stored> {
  if (visits.length === 0) return { batchId: undefined, visited: [] }
  return inTransaction(db, async tx => {
    if ((await lastStored(tx, run)) >= sequence) return { batchId: undefined, visited: [] }
    const batch = addUp({ names, visits: await spendQuota(tx, visits) })
    await markStored(tx, run, sequence)
    if (batch.links.length === 0) return { batchId: undefined, visited: [] }
    const { id } = await tx
      .insertInto('visit_batches')
      .values({ packed: packBatch(batch) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { batchId: id, visited: visitedLinks(batch) }
  })
}

function addUp({ names, visits }: CountedVisits): VisitBatch {
  const tally = createTally(names)
  for (const { linkId, at, isBot, names: counted, marks } of visits) {
    const hour = hourOf(at)
    for (const name of counted) tally.count(linkId, name, hour, 1)
    for (const { name, mark } of marks) tally.mark(linkId, name, dayOf(at), 1, [mark])
    if (!isBot) tally.visited(linkId, 1, at)
  }
  return tally.batch()
}

function visitedLinks({ links }: VisitBatch): Stored['visited'] {
  return links.flatMap(({ linkId, visits }) => (visits > 0 ? { linkId, visits } : []))
}
