import cron, { type ScheduledTask } from 'node-cron'
import { type Database, inTransaction } from '../../storage/database.ts'
import type { JobRunsTable } from '../../storage/schema.ts'

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
): Promise<(last: LastRun, task: Scheduled, at: number) => boolean> {
  const since = await firstStart(db, startedAt)
  return (last, task, at) => {
    const after = last ? last.started_at + slotMs : since
    return lastSlot(task, { after, upTo: at }) !== undefined
  }
}

/**
 * Whether the slot of a task that has come has been run: by another server, whose clock need not be the same, or by
 * this one before the clock was set back.
 */
export function isRepeated(last: LastRun, task: Scheduled, at: number): boolean {
  if (!last || last.started_at - at >= mostSetBackMs) return false
  const slot = Math.floor(last.started_at / slotMs) * slotMs
  return lastSlot(task, { after: slot, upTo: at }) === undefined
}

type LastRun = Pick<JobRunsTable, 'started_at'> | undefined
type Scheduled = Pick<ScheduledTask, 'getPattern' | 'match'>

/** A run noted further ahead than this is one of a clock that was wrong, and stands for no slot. */
const mostSetBackMs = 7 * 86_400_000

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

const dayMs = 86_400_000

/** Further back nothing is looked for: rarer than once a year a job cannot run. */
const mostDays = 366

/** The latest slot of a task after one moment and not after another; undefined when there is none. */
function lastSlot(
  task: Scheduled,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): number | undefined {
  const times = timesOfDay(task.getPattern())
  const today = Math.floor(upTo / dayMs) * dayMs
  for (let day = today; day > today - mostDays * dayMs && day + dayMs > after; day -= dayMs) {
    const slot = times
      .map(time => day + time)
      .find(at => at > after && at <= upTo && task.match(new Date(at)))
    if (slot !== undefined) return slot
  }
  return undefined
}

/** Of a pattern in UTC, the latest first, in milliseconds. */
function timesOfDay(pattern: string): readonly number[] {
  const { hour, minute } = cron.parse(pattern)
  return hour.flatMap(h => minute.map(m => (h * 60 + m) * 60_000)).sort((a, b) => b - a)
}
