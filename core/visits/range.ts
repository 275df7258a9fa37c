import { type Refusal, refuse } from '../outcomes.ts'
import { bucketOf, type Granularity, hourOf, nextBucket } from './buckets.ts'

/** Spans of time that end now, by name. */
export const intervals = ['24h', '7d', '30d', '90d', '12mo', 'all'] as const

export type Interval = (typeof intervals)[number]

/** What a request says of the time it asks about. */
export interface RangeQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval?: Interval | undefined
  readonly granularity?: Granularity | undefined
}

/** A span of time cut into buckets. */
export interface Range {
  readonly from: Date
  /** The first moment after it. */
  readonly to: Date
  readonly granularity: Granularity
}

const maxBuckets = 2_000
const dayMs = 86_400_000

/**
 * Read a span of time: `from` and `to`, or an interval that ends now; 30 days when nothing is said.
 * `all` begins at `beginning`. Refused: a span that ends before it begins, or has too many buckets.
 */
export function readRange(query: RangeQuery, now: Date, beginning: Date): Range | Refusal {
  if (query.interval !== undefined && (query.from ?? query.to) !== undefined) {
    return wrong('Give an interval, or from and to, not both.', 'interval')
  }
  const to = query.to === undefined ? now : new Date(query.to)
  const from =
    query.from === undefined
      ? beginningOf(query.interval ?? '30d', to, beginning)
      : new Date(query.from)
  if (from >= to) return wrong('The span ends before it begins.', 'from')
  const granularity = query.granularity ?? suitable(from, to)
  if (countBuckets(from, to, granularity) > maxBuckets) {
    return wrong(
      `Take a longer granularity: there are more than ${maxBuckets} buckets.`,
      'granularity',
    )
  }
  return { from, to, granularity }
}

function beginningOf(interval: Interval, to: Date, beginning: Date): Date {
  if (interval === 'all') return new Date(Math.min(beginning.getTime(), to.getTime() - dayMs))
  if (interval === '12mo') {
    return new Date(Date.UTC(to.getUTCFullYear() - 1, to.getUTCMonth() + 1))
  }
  const days = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }[interval]
  return new Date(to.getTime() - days * dayMs)
}

/** Enough buckets for a curve, and no more than a screen is wide. */
function suitable(from: Date, to: Date): Granularity {
  const days = (to.getTime() - from.getTime()) / dayMs
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 2 * 365 ? 'week' : 'month'
}

function countBuckets(from: Date, to: Date, granularity: Granularity): number {
  const end = hourOf(to.getTime() - 1)
  let count = 0
  let bucket = bucketOf(hourOf(from.getTime()), granularity)
  while (bucket <= end && count <= maxBuckets) {
    count += 1
    bucket = nextBucket(bucket, granularity)
  }
  return count
}

function wrong(detail: string, field: string): Refusal {
  return refuse('validation_failed', detail, 422, field)
}
