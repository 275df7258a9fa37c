import cron, { type ScheduledTask } from 'node-cron'
import type { Later, Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { JobRunsTable } from '../../storage/schema.ts'
import { createMissed } from './missed-jobs.ts'

/** Work that runs by the clock, in UTC: `{ name: 'usage.close', every: '5 0 * * *', run }`. */
export interface NamedJob {
  readonly name: string
  /** What people call it. */
  readonly label: string
  readonly every: string
  run(): Later<void>
}

export interface Jobs {
  start(): void
  /** From now on there are these; what runs goes on to its end, and no other of its name begins before. */
  replace(jobs: readonly NamedJob[]): void
  /** Resolves when no job runs whose name begins so. */
  ended(prefix: string): Promise<void>
  /** Run one now; false when there is none of that name or it is running. */
  run(name: string): Promise<boolean>
  list(): Promise<readonly JobState[]>
  /** What runs now, and for how many milliseconds by a clock that does not jump. */
  running(): readonly { readonly name: string; readonly ms: number }[]
  /** Start no more and wait for what runs. */
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
  /** What came of the last run; interrupted: the process ended in the middle of it. */
  readonly outcome: 'succeeded' | 'failed' | 'interrupted' | null
  /** By the clock of the system; null while the clock does not run. */
  readonly nextRunAt: Date | null
}

/** Slots are a minute long: two runs within one are the clock's fault, and the second is left out. */
const slotMs = 60_000

/** A run noted further ahead than this is one of a clock that was wrong, and stands for no slot. */
const mostSetBackMs = 7 * 86_400_000

/** node-cron is this late at most before it takes a slot to be missed. */
const mostLateMs = 86_400_000

/** How often is looked whether the clock has leapt, as on a machine that slept, in milliseconds. */
const lookMs = 60_000

/** What was missed while the process was off is made up for so long after the start, in milliseconds. */
const settledMs = 60_000

/**
 * The jobs of the core and the plugins: none overlaps itself, none runs twice for one slot, and of the
 * slots that passed while the process was off the last one is made up for.
 */
export function createJobs(
  first: readonly NamedJob[],
  { db, now, log }: { readonly db: Database; readonly now: () => Date; readonly log: Log },
): Jobs {
  const running = new Map<string, { readonly work: Promise<void>; readonly since: number }>()
  const tasks = new Map<string, ScheduledTask>()
  let jobs = first
  let isStarted = false
  let makingUp: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined

  async function runOnce(job: NamedJob): Promise<boolean> {
    if (running.has(job.name)) return false
    const work = record(job)
    running.set(job.name, { work, since: performance.now() })
    try {
      await work
    } finally {
      running.delete(job.name)
    }
    return true
  }

  async function record(job: NamedJob): Promise<void> {
    const started_at = now().getTime()
    await remember(db, { job: job.name, started_at, ended_at: null, error: null })
    const error = await failure(job, log)
    await remember(db, { job: job.name, started_at, ended_at: now().getTime(), error })
  }

  async function runInSlot(name: string): Promise<void> {
    const job = jobs.find(it => it.name === name)
    if (!job) return
    const last = await db
      .selectFrom('job_runs')
      .select('started_at')
      .where('job', '=', job.name)
      .executeTakeFirst()
    if (last && isRepeated(last.started_at, now().getTime())) return
    await runOnce(job)
  }

  /** One after the other; `tasks` is empty once all is to stop. */
  async function makeUp(startedAt: number): Promise<void> {
    const isMissed = await createMissed(db, startedAt)
    for (const { name } of jobs) {
      const task = tasks.get(name)
      const isDue = task && (await isMissed(name, task, now().getTime()))
      const job = jobs.find(it => it.name === name)
      if (isDue && job) await runOnce(job)
    }
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
      const rows = await db.selectFrom('job_runs').selectAll().execute()
      const states = new Map(rows.map(row => [row.job, row]))
      return jobs.map(({ name, label, every }) => {
        const last = states.get(name)
        const isRunning = running.has(name)
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
      await unschedule()
      await Promise.allSettled([...Array.from(running.values(), ({ work }) => work), makingUp])
    },
  }
}

/** node-cron sleeps for up to a day by the clock that never leaps, and looks at the other when it wakes. */
function aheadMs(): number {
  return Date.now() - performance.now()
}

function outcomeOf({ ended_at, error }: JobRunsTable): JobState['outcome'] {
  if (ended_at === null) return 'interrupted'
  return error === null ? 'succeeded' : 'failed'
}

/** After the clock was set back the same slots come again: all until the one that ran last. */
function isRepeated(lastStartedAt: number, at: number): boolean {
  const slotOf = (moment: number) => Math.floor(moment / slotMs)
  return slotOf(lastStartedAt) >= slotOf(at) && lastStartedAt - at < mostSetBackMs
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

async function remember(
  db: Database,
  row: { job: string; started_at: number; ended_at: number | null; error: string | null },
): Promise<void> {
  const { job: _, ...change } = row
  await db
    .insertInto('job_runs')
    .values(row)
    .onConflict(conflict => conflict.column('job').doUpdateSet(change))
    .execute()
}
