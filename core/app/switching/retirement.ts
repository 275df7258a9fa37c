import type { RunningWork } from '../../http/api/running-work.ts'
import type { Containment } from '../../kernel/contain/contain.ts'
import type { Jobs } from '../../kernel/jobs/jobs.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugin.ts'
import { within } from '../../lib/async/within.ts'

/** Sees to the end of every plugin that was set up. */
export interface Retirement {
  watch(members: readonly RunningPlugin[]): void
  /** Stop them at once, last first. */
  stop(members: readonly RunningPlugin[]): Promise<void>
  /** Stop them when what was under way with them has ended. */
  retire(members: readonly RunningPlugin[], runningWork: RunningWork): void
  /** Stop all there are, last first; one that takes long is left behind. */
  close(): Promise<void>
}

/** For so long requests are waited for, and then hooks and jobs, in milliseconds. */
const patienceMs = 30_000

/** How long one plugin may take at the close, in milliseconds. */
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
      // The process stops: nobody will.
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
