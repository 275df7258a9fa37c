import type { ScheduledTask } from 'node-cron'
import { lastSlot } from '../../lib/last-slot.ts'
import { type Database, inTransaction } from '../../storage/database.ts'

/** A run that began so shortly before a slot was the run of that slot. */
const slotMs = 60_000

/**
 * Makes the function that says whether a job has missed its last slot, as while the process was off. What
 * a job ran last, and since when jobs run here at all, is in the database: however often the process
 * starts, each slot is missed once.
 */
export async function createMissed(
  db: Database,
  startedAt: number,
): Promise<(job: string, task: ScheduledTask, at: number) => Promise<boolean>> {
  const since = await firstStart(db, startedAt)
  return async (job, task, at) => {
    const last = await db
      .selectFrom('job_runs')
      .select('started_at')
      .where('job', '=', job)
      .executeTakeFirst()
    const after = last ? last.started_at + slotMs : since
    return lastSlot(task, { after, upTo: at }) !== undefined
  }
}

/** When jobs began to run on this database: what was before that nobody missed. */
async function firstStart(db: Database, at: number): Promise<number> {
  const key = 'jobs.since'
  return inTransaction(db, async tx => {
    const known = await tx
      .selectFrom('meta')
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst()
    if (known) return Number(known.value)
    await tx
      .insertInto('meta')
      .values({ key, value: String(at) })
      .execute()
    return at
  })
}
