import type { Bucket } from '../facts/buckets.ts'
import type { CountMap } from './sum-up.ts'

/** One point of a line chart. */
export interface TimelineRow {
  /** Start of the bucket, ISO 8601 UTC; the first one may start before what was asked. */
  readonly start: string
  readonly visits: number
}

/** Sums by the hour over time: a row for each bucket, also for the empty ones. */
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

/** Of a bucket that starts then, in milliseconds since 1970 UTC. */
export function pointOf(start: number, visits: number): TimelineRow {
  return { start: new Date(start).toISOString(), visits }
}
