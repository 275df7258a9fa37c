import cron, { type ScheduledTask } from 'node-cron'
import type { Later, Log } from '../plugin.ts'
import type { Database } from '../storage/database.ts'

/** Work that runs by the clock, in UTC: `{ name: 'usage.close', every: '5 0 * * *', run }`. */
export interface NamedJob {
  readonly name: string
  readonly every: string
  run(): Later<void>
}

export interface Jobs {
  start(): void
  /** Run one now; false when there is none of that name or it is running. */
  run(name: string): Promise<boolean>
  list(): Promise<readonly JobState[]>
  /** Start no more and wait for what runs. */
  stop(): Promise<void>
}

export interface JobState {
  readonly name: string
  readonly every: string
  readonly running: boolean
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly error: string | null
}

/** Slots are a minute long: two runs within one are the clock's fault, and the second is left out. */
const slotMs = 60_000

/** The jobs of the core and the plugins: none overlaps itself, none runs twice for one slot. */
export function createJobs(
  jobs: readonly NamedJob[],
  { db, now, log }: { readonly db: Database; readonly now: () => Date; readonly log: Log },
): Jobs {
  const running = new Map<string, Promise<void>>()
  let tasks: readonly ScheduledTask[] = []

  async function runOnce(job: NamedJob): Promise<boolean> {
    if (running.has(job.name)) return false
    const work = record(job)
    running.set(job.name, work)
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
    const error = await failure(job)
    if (error) log.error(`The job ${job.name} failed: ${error}`, { job: job.name })
    await remember(db, { job: job.name, started_at, ended_at: now().getTime(), error })
  }

  async function runInSlot(job: NamedJob): Promise<void> {
    const last = await db
      .selectFrom('job_runs')
      .select('started_at')
      .where('job', '=', job.name)
      .executeTakeFirst()
    const slot = Math.floor(now().getTime() / slotMs)
    if (last && Math.floor(last.started_at / slotMs) === slot) return
    await runOnce(job)
  }

  return {
    start() {
      tasks = jobs.map(job =>
        cron.schedule(
          job.every,
          () =>
            runInSlot(job).catch(error => {
              log.error(`The job ${job.name} could not be recorded: ${String(error)}`)
            }),
          { timezone: 'UTC', noOverlap: true, name: job.name },
        ),
      )
    },

    async run(name) {
      const job = jobs.find(candidate => candidate.name === name)
      return job ? runOnce(job) : false
    },

    async list() {
      const rows = await db.selectFrom('job_runs').selectAll().execute()
      const states = new Map(rows.map(row => [row.job, row]))
      return jobs.map(({ name, every }) => {
        const last = states.get(name)
        return {
          name,
          every,
          running: running.has(name),
          startedAt: last ? new Date(last.started_at) : null,
          endedAt: last?.ended_at ? new Date(last.ended_at) : null,
          error: last?.error ?? null,
        }
      })
    },

    async stop() {
      await Promise.all(tasks.map(task => task.destroy()))
      await Promise.allSettled(running.values())
    },
  }
}

async function failure(job: NamedJob): Promise<string | null> {
  try {
    await job.run()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
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
