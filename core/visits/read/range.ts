import { Temporal } from 'temporal-polyfill'
import { isWritable } from '../../lib/schema/moment.ts'
import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import {
  type Bucket,
  bucketsOf,
  firstHourFrom,
  type Granularity,
  type Hours,
  hourOf,
} from '../facts/buckets.ts'

/** Spans of time that end now, by name. */
export const intervals = ['24h', '7d', '30d', '90d', '12mo', 'all'] as const

export type Interval = (typeof intervals)[number]

/** What a request says of the time it asks about. */
export interface RangeQuery {
  /** A moment with its offset, or a day, which begins at midnight in the zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval?: Interval | undefined
  readonly granularity?: Granularity | undefined
  /** IANA name. */
  readonly timezone: string
}

/** A span of time cut into buckets of a zone's local time. */
export interface Range {
  readonly from: Date
  /** The first moment after it. */
  readonly to: Date
  readonly timezone: string
  readonly granularity: Granularity
  /** Those whose middle is in the span. */
  readonly hours: Hours
  readonly buckets: readonly Bucket[]
}

const maxBuckets = 2_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Read a span of time: `from` and `to`, or an interval that ends now; 30 days when nothing is said. What
 * ends now ends with the hour in progress, so that the newest visits are in it. `all` begins at
 * `beginning`. Refused: a span that is empty or ends before it begins, or has too many buckets.
 */
export function readRange(query: RangeQuery, now: Date, beginning: Date): Range | Refusal {
  if (query.interval !== undefined && (query.from ?? query.to) !== undefined) {
    return wrong('Use either interval, or from and to.', 'interval')
  }
  const { timezone } = query
  const to = endOf(query, now)
  const from =
    query.from === undefined
      ? beginningOf(query.interval ?? '30d', to, timezone, beginning)
      : momentOf(query.from, timezone)
  if (from === to) return wrong('The period is empty: to is not included.', 'from')
  if (from > to) return wrong('The period ends before it begins.', 'from')
  return cutUp(from, to, {
    timezone,
    granularity: query.granularity ?? suitable(from, to),
  })
}

/** A span in buckets. Refused: too many of them, or years that dates have no four digits for. Moments in milliseconds since 1970 UTC. */
export function cutUp(
  from: number,
  to: number,
  how: Pick<Range, 'timezone' | 'granularity'>,
): Range | Refusal {
  const { timezone, granularity } = how
  const hours = hoursOf(from, to)
  const buckets: Bucket[] = []
  for (const bucket of bucketsOf(hours, granularity, timezone)) {
    if (buckets.length === maxBuckets) {
      const detail = `Choose a coarser granularity: this would give more than ${maxBuckets} points.`
      return wrong(detail, 'granularity')
    }
    buckets.push(bucket)
  }
  const beginning = Math.min(from, buckets[0]?.start ?? from)
  if (![beginning, to].every(at => isWritable(new Date(at)))) {
    return wrong('The period must lie within the years 0000 to 9999 (UTC).', 'from')
  }
  return { ...how, from: new Date(from), to: new Date(to), hours, buckets }
}

/** A span that is too short for the middle of any hour has the hour that it begins in. */
function hoursOf(from: number, to: number): Hours {
  const hours = { first: firstHourFrom(from), end: firstHourFrom(to) }
  return hours.end > hours.first ? hours : { first: hourOf(from), end: hourOf(from) + 1 }
}

/** What is said to end in the hour in progress ends now. */
function endOf({ to, timezone }: RangeQuery, now: Date): number {
  const hour = hourOf(now.getTime()) * hourMs
  if (to === undefined) return hour + hourMs
  const end = momentOf(to, timezone)
  const isNow = end === now.getTime() || (end > hour && end < hour + hourMs)
  return isNow ? hour + hourMs : end
}

/** Days and months are whole ones of the zone, and the last of them is the one in progress. */
function beginningOf(interval: Interval, to: number, timezone: string, beginning: Date): number {
  if (interval === '24h') return to - dayMs
  if (interval === 'all') return Math.min(hourOf(beginning.getTime()) * hourMs, to - dayMs)
  const last = Temporal.Instant.fromEpochMilliseconds(to - 1)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
  const first =
    interval === '12mo'
      ? last.with({ day: 1 }).subtract({ months: 11 })
      : last.subtract({ days: daysOf[interval] - 1 })
  return first.toZonedDateTime(timezone).epochMilliseconds
}

/** How many days an interval has that is told in days. */
export const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const

function momentOf(text: string, timezone: string): number {
  if (text.includes('T')) return Date.parse(text)
  return Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds
}

/** Enough buckets for a curve, and no more than a screen is wide. */
function suitable(from: number, to: number): Granularity {
  const days = (to - from) / dayMs
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 2 * 365 ? 'week' : 'month'
}

function wrong(detail: string, field: string): Refusal {
  return refuse('validation_failed', detail, 422, field)
}
