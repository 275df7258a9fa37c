import cron, { type ScheduledTask } from 'node-cron'
import type { Database } from '../../storage/database.ts'
import { addMeta, readMeta } from '../../storage/meta.ts'
import type { JobRunsTable } from '../../storage/schema.ts'

/** A run that began at most this long before a slot counts as the run of that slot, in milliseconds. */
const slotMs = 60_000

/**
 * Returns a function that says whether a job has missed its last slot, as while the process was off. The database has
 * the last run of each job and the time of the first start, so a slot is missed only once however often the process
 * starts.
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
 * Whether the current slot of a task has been run already: by another server, whose clock may differ, or by this one
 * before its clock was set back.
 */
export function isRepeated(last: LastRun, task: Scheduled, at: number): boolean {
  if (!last || last.started_at - at >= mostSetBackMs) return false
  const slot = Math.floor(last.started_at / slotMs) * slotMs
  return lastSlot(task, { after: slot, upTo: at }) === undefined
}

type LastRun = Pick<JobRunsTable, 'started_at'> | undefined
type Scheduled = Pick<ScheduledTask, 'getPattern' | 'match'>

/** A run stored further in the future than this came from a wrong clock, and counts for no slot. In milliseconds. */
const mostSetBackMs = 7 * 86_400_000

/** When jobs first ran on this database. Slots before that were not missed. */
async function firstStart(db: Database, at: number): Promise<number> {
  const key = 'jobs.since'
  if ((await readMeta(db, key)) === undefined) await addMeta(db, key, String(at))
  return Number(await readMeta(db, key))
}

const dayMs = 86_400_000

/** How many days to look back. No job is scheduled less often than once a year. */
const mostDays = 366

/** The latest slot of a task after `after` and up to `upTo`; undefined if there is none. */
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

/** The times of day of a cron pattern in UTC, in milliseconds since midnight, latest first. */
function timesOfDay(pattern: string): readonly number[] {
  const { hour, minute } = cron.parse(pattern)
  return hour.flatMap(h => minute.map(m => (h * 60 + m) * 60_000)).sort((a, b) => b - a)
}
