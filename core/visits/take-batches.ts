import type { Tx } from '../storage/database.ts'
import { createNameTable, type NameTable } from './name-table.ts'
import { unpackBatch } from './packed-batch.ts'
import type { LinkCounts, VisitBatch } from './visit-batch.ts'

/**
 * A slice has at most so many batches, and no further ones once it has so many links: it is written in some
 * thirty milliseconds, and then others get their turn.
 */
const maxBatches = 64
const enoughLinks = 5_000

/** Batches that were stored, for one slice of folding. */
export interface TakenBatches {
  /** All of them together: a link is in it as often as batches had it. */
  readonly batch: VisitBatch
  /** The id of the last; 0 when there was none. */
  readonly upTo: number
  /** Nothing was left behind it. */
  readonly done: boolean
}

/** Take the oldest batches out of the database. */
export async function takeBatches(tx: Tx): Promise<TakenBatches> {
  const rows = await tx
    .selectFrom('visit_batches')
    .select(['id', 'packed'])
    .orderBy('id')
    .limit(maxBatches)
    .execute()
  const names = createNameTable()
  const links: LinkCounts[] = []
  const ids: number[] = []
  const linkIds = new Set<number>()
  for (const { id, packed } of rows) {
    if (linkIds.size >= enoughLinks) break
    for (const link of unpack(id, packed, names)) {
      links.push(link)
      linkIds.add(link.linkId)
    }
    ids.push(id)
  }
  if (ids.length > 0) await removeBatches(tx, ids)
  const done = ids.length === rows.length && rows.length < maxBatches
  return { batch: { names, links }, upTo: ids.at(-1) ?? 0, done }
}

function unpack(id: number, packed: Uint8Array, names: NameTable): readonly LinkCounts[] {
  try {
    return unpackBatch(packed, names)
  } catch (cause) {
    throw new Error(
      `The visits in row ${id} of visit_batches cannot be read: ${(cause as Error).message}. ` +
        'Restore a backup, or delete the row to go on without them.',
      { cause },
    )
  }
}

/** Two processes may read the same batches, but only one of them removes them: the other starts over. */
async function removeBatches(tx: Tx, ids: readonly number[]): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('visit_batches')
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  if (Number(numDeletedRows) !== ids.length) {
    throw new Error('Another process folded the same visits: try again.')
  }
}
