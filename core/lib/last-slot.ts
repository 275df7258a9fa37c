import cron, { type ScheduledTask } from 'node-cron'

const dayMs = 86_400_000

/** Further back nothing is looked for: rarer than once a year a job cannot run. */
const mostDays = 366

/** The latest slot of a task after one moment and not after another; undefined when there is none. */
export function lastSlot(
  task: Pick<ScheduledTask, 'getPattern' | 'match'>,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): number | undefined {
  const times = timesOfDay(task.getPattern())
  const today = Math.floor(upTo / dayMs) * dayMs
  for (let day = today; day > today - mostDays * dayMs && day + dayMs > after; day -= dayMs) {
    const slot = times
      .map(time => day + time)
      .find(at => at > after && at <= upTo && task.match(new Date(at)))
    if (slot !== undefined) return slot
  }
  return undefined
}

/** Of a pattern in UTC, the latest first, in milliseconds. */
function timesOfDay(pattern: string): readonly number[] {
  const { hour, minute } = cron.parse(pattern)
  return hour.flatMap(h => minute.map(m => (h * 60 + m) * 60_000)).sort((a, b) => b - a)
}
