import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'
import { hourOf } from '../facts/buckets.ts'
import { forgetRoom } from '../fold/account-room.ts'
import { ageCounts, type KeptDays } from './age-counts.ts'
import { sweepNames } from './sweep-names.ts'
import { removeSketches } from './tidy-sketches.ts'

/** If the clock went ahead by more days than this since the last run, it may be wrong. */
const mostDaysBetween = 30

/**
 * Compacts old counts, then removes names that nothing refers to. What a wrong clock takes for old could not be
 * restored: after a leap ahead, the first run only notes the day, and the next one trusts it.
 */
export async function tidyCounts(
  db: Database,
  kept: KeptDays,
  clock: { readonly now: () => Date; readonly signal: AbortSignal },
): Promise<void> {
  const today = Math.floor(hourOf(clock.now().getTime()) / 24)
  const last = await inTransaction(db, tx => noteDay(tx, today))
  if (last === undefined || today - last <= mostDaysBetween) {
    await ageCounts(db, kept, clock)
    if (kept.counts !== undefined) await removeSketches(db, today - kept.counts, clock.signal)
    await forgetRoom(db, today - kept.hourly)
  }
  await sweepNames(db, clock.signal)
}

/** Returns the day that was noted before. */
async function noteDay(tx: Tx, day: number): Promise<number | undefined> {
  const key = 'counts.tidied'
  const before = await readMeta(tx, key)
  await writeMeta(tx, key, String(day))
  return before === undefined ? undefined : Number(before)
}
