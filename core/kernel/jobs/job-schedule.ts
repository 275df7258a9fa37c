import cron, { type ScheduledTask } from 'node-cron'
import type { Later } from '../../plugin.ts'

/** Work on a schedule in UTC: `{ name: 'usage.close', every: '5 0 * * *', run }`. */
export interface NamedJob {
  readonly name: string
  /** Its name for people. */
  readonly label: string
  readonly every: string
  /** True: every server runs it, because it works on something that each machine has for itself. */
  readonly everywhere?: boolean | undefined
  /** True: it deletes by the clock what nobody can bring back, so it waits for a second night after a long pause. */
  readonly deletesForGood?: boolean
  run(): Later<void>
}

/** The times of jobs, for those that look whether one is scheduled. */
export type JobSchedule = ReturnType<typeof createJobSchedule>

/** How late node-cron may run a job before it counts the slot as missed, in milliseconds. */
const mostLateMs = 86_400_000

/** How often to check whether the system clock has jumped, as on a machine that slept, in milliseconds. */
const lookMs = 60_000

/** By how much the clock must have jumped, in milliseconds: one slot. */
const jumpMs = 60_000

/** Calls `runInSlot`, which must not throw, at the times of each job. */
export function createJobSchedule(runInSlot: (name: string) => Promise<void>) {
  const tasks = new Map<string, ScheduledTask>()
  return {
    /** Schedules those of these jobs that are not scheduled yet. */
    add(jobs: readonly NamedJob[]) {
      for (const { name, every } of jobs) {
        if (tasks.has(name)) continue
        const task = cron.schedule(every, () => runInSlot(name), {
          timezone: 'UTC',
          noOverlap: true,
          name,
          missedExecutionTolerance: mostLateMs,
          suppressMissedWarning: true,
        })
        tasks.set(name, task)
      }
    },

    remove(name: string) {
      void tasks.get(name)?.destroy()
      tasks.delete(name)
    },

    async removeAll() {
      const all = [...tasks.values()]
      tasks.clear()
      await Promise.all(all.map(task => task.destroy()))
    },

    /** Undefined if the job is not scheduled. */
    taskOf: (name: string) => tasks.get(name),
  }
}

/** Calls `then` whenever the system clock has jumped. node-cron then sleeps for too long, or not long enough. */
export function onClockJump(then: () => Promise<void>): NodeJS.Timeout {
  let ahead = aheadMs()
  return setInterval(async () => {
    if (Math.abs(aheadMs() - ahead) < jumpMs) return
    ahead = aheadMs()
    await then()
  }, lookMs).unref()
}

/** How far the system clock is ahead of the monotonic one. node-cron sleeps by the latter for up to a day at a time. */
function aheadMs(): number {
  return Date.now() - performance.now()
}
