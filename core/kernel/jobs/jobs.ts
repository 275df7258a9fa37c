import cron, { type ScheduledTask } from 'node-cron'
import type { Later, Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Locks } from '../../storage/locks.ts'
import type { JobRunsTable } from '../../storage/schema.ts'
import { createJobRuns } from './job-runs.ts'
import { createMissed, isRepeated } from './missed-jobs.ts'

/** Work on a schedule in UTC: `{ name: 'usage.close', every: '5 0 * * *', run }`. */
export interface NamedJob {
  readonly name: string
  /** Its name for people. */
  readonly label: string
  readonly every: string
  /** True: every server runs it, because it works on something that each machine has for itself. */
  readonly everywhere?: boolean | undefined
  run(): Later<void>
}

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

/** A slot is one minute. If the clock leads to two runs in one slot, the second is left out. */
const slotMs = 60_000

/** How late node-cron may run a job before it counts the slot as missed, in milliseconds. */
const mostLateMs = 86_400_000

/** How often to check whether the system clock has jumped, as on a machine that slept, in milliseconds. */
const lookMs = 60_000

/** How long after the start to run jobs that were missed while the process was off, in milliseconds. */
const settledMs = 60_000

/** How often to look for jobs of a server that has ended, and how old their runs may be, in milliseconds. */
const takeOverMs = 20_000
const oldestTakenMs = 86_400_000

const takenOver = 'The server that ran it ended, and another runs it again.'

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
  const runs = createJobRuns(db, many?.machine)
  const running = new Map<string, { readonly work: Promise<boolean>; readonly since: number }>()
  const tasks = new Map<string, ScheduledTask>()
  let jobs = first
  let isStarted = false
  let makingUp: Promise<void> | undefined
  let takingOver: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined
  let watchOthers: NodeJS.Timeout | undefined

  /** @param isDue decides by the last run, once no other server can run the job */
  async function runOnce(
    job: NamedJob,
    isDue: (last: JobRunsTable | undefined) => boolean = () => true,
    note: string | null = null,
  ): Promise<boolean> {
    if (running.has(job.name)) return false
    const work = runAlone(job, isDue, note)
    running.set(job.name, { work, since: performance.now() })
    try {
      return await work
    } finally {
      running.delete(job.name)
    }
  }

  async function runAlone(
    job: NamedJob,
    isDue: (last: JobRunsTable | undefined) => boolean,
    note: string | null,
  ): Promise<boolean> {
    const letGo = many && !job.everywhere ? await many.locks.take(lockOf(job)) : nothing
    if (letGo === undefined) return false
    try {
      if (!isDue(await runs.last(job))) return false
      await record(job, note)
      return true
    } finally {
      await letGo()
    }
  }

  async function record(job: NamedJob, note: string | null): Promise<void> {
    const started_at = now().getTime()
    await runs.remember(job, { started_at, ended_at: null, error: note })
    const error = await failure(job, log)
    await runs.remember(job, { started_at, ended_at: now().getTime(), error })
  }

  async function runInSlot(name: string): Promise<void> {
    const job = jobs.find(it => it.name === name)
    const task = tasks.get(name)
    if (job && task) await runOnce(job, last => !isRepeated(last, task, now().getTime()))
  }

  /** Runs missed jobs one after the other. `tasks` is empty once the jobs are stopped. */
  async function makeUp(startedAt: number): Promise<void> {
    const isMissed = await createMissed(db, startedAt)
    for (const { name } of jobs) {
      const job = jobs.find(it => it.name === name)
      const task = tasks.get(name)
      if (!job || !task) continue
      const isDue = (last: JobRunsTable | undefined) => isMissed(last, task, now().getTime())
      if (isDue(await runs.last(job)) && tasks.has(name)) await runOnce(job, isDue)
    }
  }

  /** Runs jobs again that a server was running when it ended, but only once: a job that ends servers must not go on. */
  async function takeOver(): Promise<void> {
    const wasLeft = (last: JobRunsTable | undefined) =>
      last?.ended_at === null &&
      last.error === null &&
      last.started_at > now().getTime() - oldestTakenMs
    const shared = jobs.filter(({ everywhere }) => !everywhere)
    const states = await runs.all(shared)
    for (const job of shared) {
      if (!wasLeft(states.get(job.name)) || !tasks.has(job.name)) continue
      await runOnce(job, wasLeft, takenOver)
    }
  }

  function takeOverOnce(): void {
    takingOver ??= takeOver()
      .catch(error => log.error(`Jobs of a server that ended could not be run: ${String(error)}`))
      .finally(() => {
        takingOver = undefined
      })
  }

  function makeUpOnce(startedAt: number): void {
    makingUp = makeUp(startedAt).catch(error => {
      log.error(`Missed jobs could not be run: ${String(error)}`)
    })
  }

  function schedule(): void {
    for (const { name, every } of jobs) {
      if (tasks.has(name)) continue
      const task = cron.schedule(
        every,
        () =>
          runInSlot(name).catch(error => {
            log.error(`The job ${name} could not be recorded: ${String(error)}`)
          }),
        {
          timezone: 'UTC',
          noOverlap: true,
          name,
          missedExecutionTolerance: mostLateMs,
          suppressMissedWarning: true,
        },
      )
      tasks.set(name, task)
    }
  }

  async function unschedule(): Promise<void> {
    const all = [...tasks.values()]
    tasks.clear()
    await Promise.all(all.map(task => task.destroy()))
  }

  async function runningElsewhere(
    states: ReadonlyMap<string, JobRunsTable>,
  ): Promise<ReadonlySet<string>> {
    const begun = jobs.filter(job => {
      const isHere = job.everywhere || running.has(job.name)
      return !isHere && states.get(job.name)?.ended_at === null
    })
    if (!many || begun.length === 0) return new Set()
    return many.locks.taken(begun.map(lockOf))
  }

  return {
    start() {
      isStarted = true
      const startedAt = now().getTime()
      schedule()
      timer = setTimeout(() => makeUpOnce(startedAt), settledMs).unref()
      let ahead = aheadMs()
      watch = setInterval(async () => {
        if (Math.abs(aheadMs() - ahead) < slotMs) return
        ahead = aheadMs()
        await unschedule()
        schedule()
        makeUpOnce(startedAt)
      }, lookMs).unref()
      if (many) watchOthers = setInterval(takeOverOnce, takeOverMs).unref()
    },

    replace(next) {
      const goesOn = ({ name, every }: NamedJob) =>
        next.some(it => it.name === name && it.every === every)
      for (const { name } of jobs.filter(it => !goesOn(it))) {
        void tasks.get(name)?.destroy()
        tasks.delete(name)
      }
      jobs = next
      if (isStarted) schedule()
    },

    async ended(prefix) {
      const ours = [...running].filter(([name]) => name.startsWith(prefix))
      await Promise.allSettled(ours.map(([, { work }]) => work))
    },

    async run(name) {
      const job = jobs.find(candidate => candidate.name === name)
      return job ? runOnce(job) : false
    },

    async list() {
      const states = await runs.all(jobs)
      const elsewhere = await runningElsewhere(states)
      return jobs.map(job => {
        const { name, label, every } = job
        const last = states.get(name)
        const isRunning = running.has(name) || elsewhere.has(lockOf(job))
        return {
          name,
          label,
          every,
          running: isRunning,
          startedAt: last ? new Date(last.started_at) : null,
          endedAt: last?.ended_at ? new Date(last.ended_at) : null,
          error: last?.error ?? null,
          outcome: last && !isRunning ? outcomeOf(last) : null,
          nextRunAt: tasks.get(name)?.getNextRun() ?? null,
        }
      })
    },

    running: () =>
      Array.from(running, ([name, { since }]) => ({ name, ms: performance.now() - since })),

    async stop() {
      isStarted = false
      clearTimeout(timer)
      clearInterval(watch)
      clearInterval(watchOthers)
      await unschedule()
      const works = Array.from(running.values(), ({ work }) => work)
      await Promise.allSettled([...works, makingUp, takingOver])
    },
  }
}

/** How far the system clock is ahead of the monotonic one. node-cron sleeps by the latter for up to a day at a time. */
function aheadMs(): number {
  return Date.now() - performance.now()
}

function outcomeOf({ ended_at, error }: JobRunsTable): JobState['outcome'] {
  if (ended_at === null) return 'interrupted'
  return error === null ? 'succeeded' : 'failed'
}

const lockOf = ({ name }: Pick<NamedJob, 'name'>): string => `job ${name}`

async function nothing(): Promise<void> {
  await Promise.resolve()
}

async function failure({ name, run }: NamedJob, log: Log): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.error(`The job ${name} failed: ${reason}`, { job: name, error })
    return reason
  }
}
