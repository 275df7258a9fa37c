import { setTimeout as delay } from 'node:timers/promises'
import { inChunks } from '../../lib/chunks.ts'
import { createIdSet, type IdSet } from '../../lib/memory/id-set.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { hourOf } from '../facts/buckets.ts'
import { forgetRoom } from '../fold/account-room.ts'
import { countsTables } from '../tables/counts-table.ts'
import { beginRound } from '../tables/name-ids.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { ageCounts, type KeptDays } from './age-counts.ts'
import { countWindows, pauseBetweenWindowsMs } from './count-windows.ts'
import { dimensionsInSketches, removeSketches } from './tidy-sketches.ts'

/** Compacts old counts, then removes names that nothing refers to. */
export async function tidyCounts(
  db: Database,
  kept: KeptDays,
  clock: { readonly now: () => Date; readonly signal: AbortSignal },
): Promise<void> {
  const today = Math.floor(hourOf(clock.now().getTime()) / 24)
  await ageCounts(db, kept, clock)
  if (kept.counts !== undefined) await removeSketches(db, today - kept.counts, clock.signal)
  await forgetRoom(db, today - kept.hourly)
  await sweepNames(db, clock.signal)
}

const sliceRows = 500

/** How many rows of counts a window has: they are read in about a millisecond. */
const windowRows = 250

/**
 * Removes names that no count and no sketch refers to from the dictionary, but only those that no fold has used since
 * the round before the current one began. Whoever writes a name notes its use in the same transaction, so a name is
 * either older than this sweep or left alone. Must not run together with `ageCounts`, which moves counts to where the
 * sweep may already have been.
 */
export async function sweepNames(db: Database, signal: AbortSignal): Promise<void> {
  const round = await inTransaction(db, beginRound)
  const used = await idsInUse(db, signal)
  let after = 0
  while (!signal.aborted) {
    const rows = await db
      .selectFrom('visit_names')
      .select('id')
      .where('id', '>', after)
      .where('used_in', '<', round - 1)
      .orderBy('id')
      .limit(sliceRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    const unused = rows.map(({ id }) => id).filter(id => !used.has(id))
    if (unused.length > 0) await inTransaction(db, tx => remove(tx, unused, round))
    await delay(pauseBetweenWindowsMs)
  }
}

async function idsInUse(db: Database, signal: AbortSignal): Promise<IdSet> {
  const used = createIdSet()
  for (const dimension of await dimensionsInSketches(db)) used.add(dimension)
  for (const table of countsTables) {
    const windows = countWindows(
      db,
      table,
      rest => rest.selectAll().limit(windowRows).execute(),
      signal,
    )
    for await (const rows of windows) {
      for (const { packed } of rows) {
        eachCount(packed, dimension => {
          used.add(dimension)
          return value => used.add(value)
        })
      }
    }
  }
  return used
}

async function remove(tx: Tx, ids: readonly number[], round: number): Promise<void> {
  for (const chunk of inChunks(ids)) {
    await tx
      .deleteFrom('visit_names')
      .where('id', 'in', chunk)
      .where('used_in', '<', round - 1)
      .execute()
  }
}
