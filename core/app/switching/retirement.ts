import type { RunningWork } from '../../http/api/running-work.ts'
import type { Containment } from '../../kernel/contain/contain.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugin.ts'
import { within } from '../../lib/async/within.ts'

/** Stops plugins that were set up, each at the right moment. */
export interface Retirement {
  watch(members: readonly RunningPlugin[]): void
  /** Stops these plugins at once, last first. */
  stop(members: readonly RunningPlugin[]): Promise<void>
  /** Stops these plugins once the requests, hooks and jobs that use them have ended. */
  retire(members: readonly RunningPlugin[], runningWork: RunningWork): void
  /** Stops all plugins, last first. One that takes too long is abandoned. */
  close(): Promise<void>
}

/** How long to wait for running requests, then for hooks and jobs, in milliseconds. */
const patienceMs = 30_000

/** How long each plugin may take when everything is closed, in milliseconds. */
const closeMs = 200

export function createRetirement({
  contain,
  jobs,
}: {
  readonly contain: Containment
  readonly jobs: () => Jobs
}): Retirement {
  const alive = new Set<RunningPlugin>()
  let isOpen = true

  async function stop(members: readonly RunningPlugin[]): Promise<void> {
    for (const member of [...members].reverse()) {
      await member.stop()
      alive.delete(member)
    }
  }

  async function stopLater(
    members: readonly RunningPlugin[],
    runningWork: RunningWork,
  ): Promise<void> {
    await within(patienceMs, runningWork.ended(), undefined)
    for (const member of [...members].reverse()) {
      const { feature } = member.plugin
      const ended = [contain.ended(feature), jobs().ended(`${feature}.`)]
      await member.stop(within(patienceMs, Promise.all(ended), undefined))
      alive.delete(member)
    }
  }

  return {
    watch(members) {
      for (const member of members) alive.add(member)
      // The process is stopping, so nothing else will stop them.
      if (!isOpen) void stop(members)
    },
    stop,
    retire(members, runningWork) {
      if (members.length > 0) void stopLater(members, runningWork)
    },
    async close() {
      isOpen = false
      for (const member of [...alive].reverse()) await within(closeMs, member.stop(), undefined)
    },
  }
}
