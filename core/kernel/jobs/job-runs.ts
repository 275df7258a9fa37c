import type { Database } from '../../storage/database.ts'
import type { JobRunsTable } from '../../storage/schema.ts'

/** How long to keep the runs of a machine that no longer runs jobs, in milliseconds. */
const machineMs = 90 * 86_400_000

/** The last run of each job, as stored in the database. */
export interface JobRuns {
  last(job: Remembered): Promise<JobRunsTable | undefined>
  remember(job: Remembered, run: Omit<JobRunsTable, 'job'>): Promise<void>
  /** The last runs of these jobs, by name. */
  all(jobs: readonly Remembered[]): Promise<ReadonlyMap<string, JobRunsTable>>
}

interface Remembered {
  readonly name: string
  readonly everywhere?: boolean | undefined
}

/** @param machine identifies this machine among those that share the database; undefined if there are no others */
export function createJobRuns(db: Database, machine: string | undefined): JobRuns {
  const keyOf = ({ name, everywhere }: Remembered) =>
    everywhere && machine !== undefined ? `${name} @ ${machine}` : name

  return {
    last: job =>
      db.selectFrom('job_runs').selectAll().where('job', '=', keyOf(job)).executeTakeFirst(),

    async remember(job, run) {
      const key = keyOf(job)
      await db
        .insertInto('job_runs')
        .values({ job: key, ...run })
        .onConflict(conflict => conflict.column('job').doUpdateSet(run))
        .execute()
      if (key === job.name || run.ended_at === null) return
      await db
        .deleteFrom('job_runs')
        .where('job', 'like', `${job.name} @ %`)
        .where('started_at', '<', run.ended_at - machineMs)
        .execute()
    },

    async all(jobs) {
      const rows = await db.selectFrom('job_runs').selectAll().execute()
      const byKey = new Map(rows.map(row => [row.job, row]))
      return new Map(
        jobs.flatMap(job => {
          const row = byKey.get(keyOf(job))
          return row ? [[job.name, row]] : []
        }),
      )
    },
  }
}
