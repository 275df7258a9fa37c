import { firstDayFrom } from '../facts/buckets.ts'
import type { Range } from './range.ts'
import type { DistinctDay } from './read-distinct.ts'
import type { TimelineRow } from './timeline.ts'

/**
 * Days of UTC over time: each is in the bucket that its middle is in, and none is left out, so that the
 * rows add up to all of them. Different values are known by the day: by the hour there is no row.
 */
export function distinctTimeline(
  days: readonly DistinctDay[],
  { buckets, granularity }: Pick<Range, 'buckets' | 'granularity'>,
): readonly TimelineRow[] {
  if (granularity === 'hour') return []
  let next = 0
  return buckets.map(({ start }, index) => {
    const following = buckets[index + 1]
    const end = following ? firstDayFrom(following.start) : Number.POSITIVE_INFINITY
    let visits = 0
    for (let at = days[next]; at && at.day < end; at = days[next]) {
      visits += at.distinct
      next += 1
    }
    return { start: new Date(start).toISOString(), visits }
  })
}
