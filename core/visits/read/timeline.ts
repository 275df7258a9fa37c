import type { Bucket } from '../facts/buckets.ts'
import type { CountMap } from './sum-up.ts'

/** One point of a line chart. */
export interface TimelineRow {
  /** Start of the bucket, ISO 8601 UTC; the first one may start before the period. */
  readonly start: string
  readonly visits: number
}

/** Turns sums by hour into one row per bucket, including empty ones. */
export function timeline(byHour: CountMap, buckets: readonly Bucket[]): readonly TimelineRow[] {
  const hours = [...byHour].sort(([a], [b]) => a - b)
  let next = 0
  return buckets.map(({ start, end }) => {
    let visits = 0
    for (let it = hours[next]; it && it[0] < end; it = hours[next]) {
      visits += it[1]
      next += 1
    }
    return pointOf(start, visits)
  })
}

/** The point of a bucket that starts at a time in milliseconds since 1970 UTC. */
export function pointOf(start: number, visits: number): TimelineRow {
  return { start: new Date(start).toISOString(), visits }
}
