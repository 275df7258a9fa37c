import type { Log } from '../../plugin.ts'
import type { Database, Locks } from '../../storage/database.ts'
import type { JobRunsTable } from '../../storage/schema.ts'
import { createJobRunner } from './job-runner.ts'
import { createJobRuns } from './job-runs.ts'
import { createJobSchedule, type NamedJob } from './job-schedule.ts'
import { createLateJobs, isRepeated } from './late-jobs.ts'

/** What servers that share a database need so that only one of them runs a job. */
export interface JobsOfMany {
  readonly locks: Locks
  /** Identifies this server among the others, and stays the same after a restart. */
  readonly machine: string
}

export interface Jobs {
  start(): void
  /** Replaces all jobs. A job that is running goes on to its end, and a new one with its name does not begin before. */
  replace(jobs: readonly NamedJob[]): void
  /** Resolves when the running jobs whose names start with this prefix have ended. */
  ended(prefix: string): Promise<void>
  /** Runs a job now. False if there is no job with this name, or if it is already running. */
  run(name: string): Promise<boolean>
  list(): Promise<readonly JobState[]>
  /** The jobs that are running, and for how many milliseconds, measured by a monotonic clock. */
  running(): readonly { readonly name: string; readonly ms: number }[]
  /** Starts no more jobs, and waits for those that are running. */
  stop(): Promise<void>
}

export interface JobState {
  readonly name: string
  readonly label: string
  readonly every: string
  readonly running: boolean
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly error: string | null
  /** The outcome of the last run; `interrupted` if the process ended during it. */
  readonly outcome: 'succeeded' | 'failed' | 'interrupted' | null
  /** By the system clock; null while jobs are not scheduled. */
  readonly nextRunAt: Date | null
}

/** How long after the start to run jobs that were missed while the process was off, in milliseconds. */
const settledMs = 60_000

/** How often to look for jobs of a server that has ended, in milliseconds. */
const takeOverMs = 20_000

/**
 * Runs the jobs of the core and of plugins. A job never overlaps itself and never runs twice for one slot. Of the slots
 * missed while the process was off, only the last one is run later. If several servers share a database, one of them
 * runs a job; if that server ends during the run, another runs the job again, once.
 */
export function createJobs(
  first: readonly NamedJob[],
  {
    db,
    now,
    log,
    many,
  }: {
    readonly db: Database
    readonly now: () => Date
    readonly log: Log
    /** Undefined if there is only one server. */
    readonly many?: JobsOfMany | undefined
  },
): Jobs {
  let jobs = first
  let isStarted = false
  let startedAt = 0
  let timers: readonly NodeJS.Timeout[] = []
  const runs = createJobRuns(db, many?.machine)
  const runner = createJobRunner(runs, { now, log, locks: many?.locks })
  const schedule = createJobSchedule(
    name =>
      runInSlot(name).catch(error => {
        log.error(`The job ${name} could not be recorded: ${String(error)}`)
      }),
    () => late.makeUp(startedAt),
  )
  const late = createLateJobs(() => jobs, { db, now, log }, { runs, runner, schedule })

  const find = (name: string) => jobs.find(job => job.name === name)

  async function runInSlot(name: string): Promise<void> {
    const job = find(name)
    const task = schedule.taskOf(name)
    if (job && task) await runner.run(job, last => !isRepeated(last, task, now().getTime()))
  }

  return {
    start() {
      isStarted = true
      startedAt = now().getTime()
      schedule.add(jobs)
      timers = [
        schedule.watch(),
        setTimeout(() => late.makeUp(startedAt), settledMs).unref(),
        ...(many ? [setInterval(() => late.takeOver(), takeOverMs).unref()] : []),
      ]
    },

    replace(next) {
      const goesOn = ({ name, every }: NamedJob) =>
        next.some(it => it.name === name && it.every === every)
      for (const { name } of jobs.filter(it => !goesOn(it))) schedule.remove(name)
      jobs = next
      if (isStarted) schedule.add(jobs)
    },

    async run(name) {
      const job = find(name)
      return job ? runner.run(job) : false
    },

    async list() {
      const states = await runs.all(jobs)
      const isRunning = await runner.findRunning(jobs, states)
      return jobs.map(job => {
        const { name, label, every } = job
        const last = states.get(name)
        const running = isRunning(job)
        return {
          name,
          label,
          every,
          running,
          startedAt: last ? new Date(last.started_at) : null,
          endedAt: last?.ended_at ? new Date(last.ended_at) : null,
          error: last?.error ?? null,
          outcome: last && !running ? outcomeOf(last) : null,
          nextRunAt: schedule.nextRun(name),
        }
      })
    },

    ended: runner.ended,
    running: runner.running,

    async stop() {
      isStarted = false
      for (const timer of timers) clearTimeout(timer)
      schedule.removeAll()
      await Promise.all([runner.ended(''), late.ended()])
    },
  }
}

function outcomeOf({ ended_at, error }: JobRunsTable): JobState['outcome'] {
  if (ended_at === null) return 'interrupted'
  return error === null ? 'succeeded' : 'failed'
}
