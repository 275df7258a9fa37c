import { type Database, inTransaction, type Tx } from '../storage/database.ts'
import { createAccountsOfLinks } from './accounts-of-links.ts'
import { createAddToCounts } from './add-to-counts.ts'
import { createAddToSketches } from './add-to-sketches.ts'
import { addToTotals } from './add-to-totals.ts'
import { createNameIds } from './name-ids.ts'
import { createNameTable, type NameTable } from './name-table.ts'
import { unpackBatch } from './packed-batch.ts'
import { Tally } from './tally.ts'
import { createValueCap, maxValuesADay, type ValueCap } from './value-cap.ts'
import { countAt, countLength, eachCount, type LinkCounts, type VisitBatch } from './visit-batch.ts'

/** What one slice of folding did. */
export interface Folded {
  /** Nothing was left behind it. */
  readonly done: boolean
  /** Batches up to this id are folded. */
  readonly upTo: number
}

/** A slice reads at most so many batches, and stops reading once it has so many counts to write. */
const maxBatches = 32
const enoughCounts = 20_000

/**
 * Makes the function that folds the oldest batches into counts, a slice at a time. A slice is one
 * transaction: counts and totals change and the batches go, or nothing happens. Slices must not
 * overlap.
 */
export function createFold(db: Database): () => Promise<Folded> {
  const nameIds = createNameIds()
  const cap = createValueCap()
  const accountsOf = createAccountsOfLinks()
  const addToCounts = createAddToCounts(nameIds, accountsOf)
  const addToSketches = createAddToSketches(nameIds, accountsOf)

  async function foldSlice(tx: Tx): Promise<Folded> {
    const { ids, batch, done } = await takeBatches(tx)
    const totals = await addToTotals(tx, batch.links)
    const kept = await keepToCap(tx, batch, totals, cap)
    await addToCounts(tx, kept)
    await addToSketches(tx, kept)
    return { done, upTo: ids.at(-1) ?? 0 }
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

async function takeBatches(
  tx: Tx,
): Promise<{ ids: readonly number[]; batch: VisitBatch; done: boolean }> {
  const rows = await tx
    .selectFrom('visit_batches')
    .select(['id', 'packed'])
    .orderBy('id')
    .limit(maxBatches)
    .execute()
  const names = createNameTable()
  const tally = new Tally(names)
  const ids: number[] = []
  for (const { id, packed } of rows) {
    if (tally.size >= enoughCounts) break
    merge(tally, unpack(id, packed, names))
    ids.push(id)
  }
  if (ids.length > 0) await removeBatches(tx, ids)
  return {
    ids,
    batch: tally.batch(),
    done: ids.length === rows.length && rows.length < maxBatches,
  }
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

function merge(tally: Tally, links: readonly LinkCounts[]): void {
  for (const { linkId, visits, lastVisitAt, counts, marked } of links) {
    tally.visited(linkId, visits, lastVisitAt)
    for (const { name, day, visits, marks } of marked) tally.mark(linkId, name, day, visits, marks)
    eachCount(counts, (name, hour, count) => tally.count(linkId, name, hour, count))
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

/**
 * Leaves out links that are gone, and counts as `(other)` what is past the cap. A link with fewer
 * visits than the cap cannot have more values, but for those of robots, which are in no total.
 */
async function keepToCap(
  tx: Tx,
  { names, links }: VisitBatch,
  totals: ReadonlyMap<number, number>,
  cap: ValueCap,
): Promise<VisitBatch> {
  const tally = new Tally(names)
  for (const { linkId, counts, marked } of links) {
    const total = totals.get(linkId)
    if (total === undefined) continue
    for (const { name, day, visits, marks } of marked) tally.mark(linkId, name, day, visits, marks)
    for (let at = 0; at < counts.length; at += countLength) {
      const { name: number, hour, count } = countAt(counts, at)
      const name = names.name(number)
      const isFree = name.value === '' || (total <= maxValuesADay && !name.bots)
      const admitted = isFree ? name : await cap.admit(tx, linkId, name, hour)
      tally.count(linkId, admitted === name ? number : names.numberOf(admitted), hour, count)
    }
  }
  return tally.batch()
}
