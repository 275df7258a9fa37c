import { type Database, inTransaction } from '../../storage/database.ts'
import type { CountsTable } from '../../storage/schema.ts'
import { hourOf } from '../facts/buckets.ts'
import { type CountsRow, columnsOf, countsTables, firstHour } from '../tables/counts-table.ts'
import { createAddToRows } from '../tables/merge-rows.ts'
import { packCounts, unpackCounts } from '../tables/packed-counts.ts'
import { takeRows } from '../tables/rows-by-key.ts'
import { countWindows } from './count-windows.ts'

/** How long counts are kept, in days. */
export interface KeptDays {
  /** How long counts are kept by the hour; after that, by the day. */
  readonly hourly: number
  /** After how long counts are removed; undefined if never. */
  readonly counts: number | undefined
}

export const keptUnlessSaid: KeptDays = { hourly: 60, counts: undefined }

/** The first hours that stay as they are, and that stay at all. */
interface Ends {
  readonly hourly: number
  readonly counts: number
}

/** How many rows a window has: they are read in about a millisecond, and rewritten in about ten. */
const windowRows = 1_000

/** The counts of a day are kept in its noon hour (UTC), which belongs to that day in nearly every time zone. */
const noon = 12

/**
 * Combines the hours of each old day into one row, and removes what is too old; sums of all time stay. Each window is
 * one transaction: if interrupted at any moment, nothing is lost or doubled, and the next run continues.
 */
export async function ageCounts(
  db: Database,
  kept: KeptDays,
  { now, signal }: { readonly now: () => Date; readonly signal: AbortSignal },
): Promise<void> {
  const today = Math.floor(hourOf(now().getTime()) / 24)
  const ends: Ends = {
    hourly: (today - kept.hourly) * 24,
    counts: kept.counts === undefined ? 0 : (today - kept.counts) * 24,
  }
  for (const table of countsTables) {
    const take = takeRows(columnsOf(table))
    const addTo = createAddToRows(table)
    const windows = countWindows(
      db,
      table,
      rest => rest.select(['owner_id', 'bucket']).limit(windowRows).execute(),
      signal,
    )
    for await (const window of windows) {
      const old = window.filter(({ bucket }) => isOld(bucket, ends))
      if (old.length === 0) continue
      // Add what was deleted, so that a count that grew meanwhile is not lost.
      await inTransaction(db, async tx => {
        const taken = await take(
          tx,
          old.map(({ owner_id, bucket }) => [owner_id, bucket]),
        )
        await addTo(tx, byDay(taken.filter(({ bucket }) => bucket >= ends.counts)))
      })
    }
  }
}

function isOld(bucket: number, { hourly, counts }: Ends): boolean {
  if (bucket < firstHour) return false
  return bucket < counts || (bucket < hourly && bucket % 24 !== noon)
}

/** Combines the hours of each day into one row. */
function byDay(rows: readonly CountsTable[]): readonly CountsRow[] {
  const days = new Map<string, CountsTable>()
  for (const { owner_id, bucket: hour, packed } of rows) {
    const bucket = Math.floor(hour / 24) * 24 + noon
    const key = `${owner_id} ${bucket}`
    const day = packCounts(bucket, unpackCounts(packed), days.get(key)?.packed)
    if (day) days.set(key, { owner_id, bucket, packed: day })
    else days.delete(key)
  }
  return Array.from(days.values(), ({ owner_id, bucket, packed }) => ({
    owner: owner_id,
    bucket,
    counts: unpackCounts(packed),
  }))
}
