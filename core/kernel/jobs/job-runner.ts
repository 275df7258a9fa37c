import { caught } from '../../lib/caught.ts'
import { messageForPeople } from '../../lib/message-for-people.ts'
import type { Log } from '../../plugin.ts'
import type { Locks } from '../../storage/database.ts'
import type { JobRunsTable } from '../../storage/schema.ts'
import type { JobRuns } from './job-runs.ts'
import type { NamedJob } from './job-schedule.ts'

/** After a pause as long as this, in milliseconds, the clock may be wrong: a machine woke up, or was restored. */
const longMs = 14 * 86_400_000

/** Whoever is warned has so long to look, in milliseconds, however soon the next time is. These jobs have one a day. */
const warningMs = 12 * 3_600_000

const leftOut =
  'Left out once: its last run was long ago, and it deletes for good by the clock. Check the clock; it runs at its next time, or now if you say so.'

type IsDue = (last: JobRunsTable | undefined) => boolean

/** What runs jobs, for those that decide when. */
export type JobRunner = ReturnType<typeof createJobRunner>

/**
 * Runs jobs so that none overlaps itself, and stores each run.
 * @param locks are those of all servers that share the database; undefined if there is only one
 */
export function createJobRunner(
  runs: JobRuns,
  {
    now,
    log,
    locks,
  }: { readonly now: () => Date; readonly log: Log; readonly locks: Locks | undefined },
) {
  const running = new Map<string, { readonly work: Promise<boolean>; readonly since: number }>()

  async function runAlone(
    job: NamedJob,
    isDue: IsDue | undefined,
    note: string | null,
  ): Promise<boolean> {
    const letGo = locks && !job.everywhere ? await locks.take(lockOf(job)) : nothing
    if (letGo === undefined) return false
    try {
      const last = isDue && (await runs.last(job))
      if (isDue && !isDue(last)) return false
      if (last && mustWait(job, last)) await leaveOut(job, last)
      else await record(job, note)
      return true
    } finally {
      await letGo()
    }
  }

  /** Once, and at a time that follows soon: then it runs, whatever the clock says. */
  function mustWait({ deletesForGood }: NamedJob, { started_at, error }: JobRunsTable): boolean {
    const pauseMs = now().getTime() - started_at
    return deletesForGood === true && (error === leftOut ? pauseMs < warningMs : pauseMs > longMs)
  }

  async function leaveOut(job: NamedJob, last: JobRunsTable): Promise<void> {
    const at = now().getTime()
    await runs.remember(job, { started_at: at, ended_at: at, error: leftOut })
    if (last.error === leftOut) return
    log.warn(
      `The job ${job.name} is left out once: the clock says that its last run was ${Math.floor((at - last.started_at) / 86_400_000)} days ago, ` +
        'and it deletes for good. Check the clock. It runs at its next time',
      { job: job.name },
    )
  }

  async function record(job: NamedJob, note: string | null): Promise<void> {
    const started_at = now().getTime()
    await runs.remember(job, { started_at, ended_at: null, error: note })
    const error = await failure(job, log)
    await runs.remember(job, { started_at, ended_at: now().getTime(), error })
  }

  return {
    /**
     * False, with nothing done, if the job is running or not due.
     * @param isDue decides by the last run, once no other server can run the job; undefined if somebody wants it now
     * @param note is stored as the error while the job runs
     */
    async run(job: NamedJob, isDue?: IsDue, note: string | null = null) {
      if (running.has(job.name)) return false
      const work = runAlone(job, isDue, note)
      running.set(job.name, { work, since: performance.now() })
      try {
        return await work
      } finally {
        running.delete(job.name)
      }
    },

    /** Resolves when the running jobs whose names start with this prefix have ended. */
    async ended(prefix: string) {
      const ours = [...running].filter(([name]) => name.startsWith(prefix))
      await Promise.allSettled(ours.map(([, { work }]) => work))
    },

    /** The jobs that run on this server, and for how many milliseconds, by a monotonic clock. */
    running: () =>
      Array.from(running, ([name, { since }]) => ({ name, ms: performance.now() - since })),

    /** Returns a function that says which of these jobs, with these last runs, any server is running. */
    async findRunning(jobs: readonly NamedJob[], states: ReadonlyMap<string, JobRunsTable>) {
      const unended = jobs.filter(job => {
        const isHere = job.everywhere || running.has(job.name)
        return !isHere && states.get(job.name)?.ended_at === null
      })
      const elsewhere =
        locks && unended.length > 0 ? await locks.taken(unended.map(lockOf)) : undefined
      return (job: NamedJob) => running.has(job.name) || elsewhere?.has(lockOf(job)) === true
    },
  }
}

const lockOf = ({ name }: NamedJob): string => `job ${name}`

async function nothing(): Promise<void> {
  await Promise.resolve()
}

async function failure({ name, run }: NamedJob, log: Log): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    log.error(`The job ${name} failed: ${caught(error).message}`, { job: name, error })
    return messageForPeople(error)
  }
}
