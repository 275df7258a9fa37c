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

/** How often to look which jobs are due, in milliseconds. */
const lookMs = 1_000

/** By how much the system clock must have jumped, in milliseconds: one slot. */
const jumpMs = 60_000

/**
 * The times of jobs. At those, it calls `runInSlot`, which must not throw. When the system clock has jumped, as on a machine that
 * slept, it calls `onJump`. node-cron only says when each is due: by itself it would walk through every slot that was jumped over,
 * and answer nobody meanwhile.
 */
export function createJobSchedule(runInSlot: (name: string) => Promise<void>, onJump: () => void) {
  const scheduled = new Map<string, { readonly task: ScheduledTask; next: Date }>()

  function runDue(): void {
    const now = new Date()
    for (const [name, job] of scheduled) {
      if (now < job.next) continue
      job.next = nextOf(job.task)
      void runInSlot(name)
    }
  }

  return {
    /** Schedules those of these jobs that are not scheduled yet. */
    add(jobs: readonly NamedJob[]) {
      for (const { name, every } of jobs) {
        if (scheduled.has(name)) continue
        const task = cron.createTask(every, () => undefined, { timezone: 'UTC', name })
        scheduled.set(name, { task, next: nextOf(task) })
      }
    },

    /** Looks from now on whether jobs are due, until the timer is cleared. */
    watch(): NodeJS.Timeout {
      let ahead = aheadMs()
      return setInterval(() => {
        const hasJumped = Math.abs(aheadMs() - ahead) >= jumpMs
        if (!hasJumped) return runDue()
        ahead = aheadMs()
        for (const job of scheduled.values()) job.next = nextOf(job.task)
        onJump()
      }, lookMs).unref()
    },

    remove(name: string) {
      void scheduled.get(name)?.task.destroy()
      scheduled.delete(name)
    },

    removeAll() {
      for (const name of [...scheduled.keys()]) this.remove(name)
    },

    /** Undefined if the job is not scheduled. */
    taskOf: (name: string) => scheduled.get(name)?.task,

    /** By the system clock; null if the job is not scheduled. */
    nextRun: (name: string) => scheduled.get(name)?.next ?? null,
  }
}

function nextOf(task: ScheduledTask): Date {
  return task.getNextRuns(1)[0] as Date
}

/** How far the system clock is ahead of the monotonic one. */
function aheadMs(): number {
  return Date.now() - performance.now()
}
