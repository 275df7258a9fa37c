import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { JobRunsTable } from '../../storage/schema.ts'
import type { JobRunner } from './job-runner.ts'
import type { JobRuns } from './job-runs.ts'
import type { JobSchedule, NamedJob } from './job-schedule.ts'
import { createMissed } from './missed-jobs.ts'

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
