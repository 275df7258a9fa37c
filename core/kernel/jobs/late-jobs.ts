import cron, { type ScheduledTask } from 'node-cron'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { addMeta, readMeta } from '../../storage/meta.ts'
import type { JobRunsTable } from '../../storage/schema.ts'
import type { JobRunner } from './job-runner.ts'
import type { JobRuns } from './job-runs.ts'
import type { JobSchedule, NamedJob } from './job-schedule.ts'

/** How old a run may be that another server takes over, in milliseconds. */
const oldestTakenMs = 86_400_000

const takenOver = 'The server that ran it ended, and another runs it again.'

/** Runs jobs that did not run, or did not end, when they should have. `schedule` is empty once the jobs are stopped. */
export function createLateJobs(
  jobs: () => readonly NamedJob[],
  { db, now, log }: { readonly db: Database; readonly now: () => Date; readonly log: Log },
  {
    runs,
    runner,
    schedule,
  }: { readonly runs: JobRuns; readonly runner: JobRunner; readonly schedule: JobSchedule },
) {
  let makingUp: Promise<void> | undefined
  let takingOver: Promise<void> | undefined

  async function makeUp(startedAt: number): Promise<void> {
    const isMissed = await createMissed(db, startedAt)
    for (const { name } of jobs()) {
      const job = jobs().find(it => it.name === name)
      const task = schedule.taskOf(name)
      if (!job || !task) continue
      const isDue = (last: JobRunsTable | undefined) => isMissed(last, task, now().getTime())
      if (isDue(await runs.last(job)) && schedule.taskOf(name)) await runner.run(job, isDue)
    }
  }

  async function takeOver(): Promise<void> {
    const wasLeft = (last: JobRunsTable | undefined) =>
      last?.ended_at === null &&
      last.error === null &&
      last.started_at > now().getTime() - oldestTakenMs
    const shared = jobs().filter(({ everywhere }) => !everywhere)
    const states = await runs.all(shared)
    for (const job of shared) {
      if (!wasLeft(states.get(job.name)) || !schedule.taskOf(job.name)) continue
      await runner.run(job, wasLeft, takenOver)
    }
  }

  return {
    /** Runs jobs whose slot was missed while the process was off, one after the other. */
    makeUp(startedAt: number) {
      makingUp = makeUp(startedAt).catch(error => {
        log.error(`Missed jobs could not be run: ${String(error)}`)
      })
    },

    /** Runs jobs again that a server was running when it ended, but only once: a job that ends servers must not go on. */
    takeOver() {
      takingOver ??= takeOver()
        .catch(error => log.error(`Jobs of a server that ended could not be run: ${String(error)}`))
        .finally(() => {
          takingOver = undefined
        })
    },

    ended: () => Promise.all([makingUp, takingOver]),
  }
}

/** A run that began at most this long before a slot counts as the run of that slot, in milliseconds. */
const slotMs = 60_000

/**
 * Returns a function that says whether a job has missed its last slot, as while the process was off. The database has
 * the last run of each job and the time of the first start, so a slot is missed only once however often the process
 * starts.
 */
async function createMissed(
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
  if (!last || last.started_at - at >= mostSetBackMs(task)) return false
  const slot = Math.floor(last.started_at / slotMs) * slotMs
  return lastSlot(task, { after: slot, upTo: at }) === undefined
}

type LastRun = Pick<JobRunsTable, 'started_at'> | undefined
type Scheduled = Pick<ScheduledTask, 'getPattern' | 'match'>

/**
 * A run stored further in the future than this came from a wrong clock, and counts for no slot: a job is held back for
 * seven of its slots at most, such as a week or seven minutes. In milliseconds.
 */
function mostSetBackMs(task: Scheduled): number {
  return (7 * dayMs) / timesOfDay(task.getPattern()).length
}

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
