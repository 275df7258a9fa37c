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

/** Periods that end now, by name. */
export const intervals = ['24h', '7d', '30d', '90d', '12mo', 'all'] as const

export type Interval = (typeof intervals)[number]

/** The period that a request asks for. */
export interface RangeQuery {
  /** A time with its offset, or a day, which begins at midnight in the zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval?: Interval | undefined
  readonly granularity?: Granularity | undefined
  /** IANA name of the zone. */
  readonly timezone: string
}

/** A period cut into buckets of a zone's local time. */
export interface Range {
  readonly from: Date
  /** The first moment after the period. */
  readonly to: Date
  readonly timezone: string
  readonly granularity: Granularity
  /** The hours whose middle is in the period. */
  readonly hours: Hours
  readonly buckets: readonly Bucket[]
}

const maxBuckets = 2_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Reads a period: `from` and `to`, or an interval that ends now; 30 days by default. A period that ends now ends with
 * the current hour, so that it includes the newest visits. `all` begins at `beginning`. Refused: a period that is
 * empty, ends before it begins, or has too many buckets.
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

/**
 * Cuts a period into buckets. Times are in milliseconds since 1970 UTC. Refused: too many buckets, or years that do
 * not have four digits.
 */
function cutUp(
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

/** A period that is too short to contain the middle of an hour gets the hour in which it begins. */
function hoursOf(from: number, to: number): Hours {
  const hours = { first: firstHourFrom(from), end: firstHourFrom(to) }
  return hours.end > hours.first ? hours : { first: hourOf(from), end: hourOf(from) + 1 }
}

/** A period that ends within the current hour ends with it. */
function endOf({ to, timezone }: RangeQuery, now: Date): number {
  const hour = hourOf(now.getTime()) * hourMs
  if (to === undefined) return hour + hourMs
  const end = momentOf(to, timezone)
  const isNow = end === now.getTime() || (end > hour && end < hour + hourMs)
  return isNow ? hour + hourMs : end
}

/** Days and months are whole ones of the zone, and the last of them is the current one. */
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

/** The number of days of intervals that are named in days. */
const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const

function momentOf(text: string, timezone: string): number {
  if (text.includes('T')) return Date.parse(text)
  return Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds
}

/** Chooses a length with enough buckets for a curve, but no more than fit on a screen. */
function suitable(from: number, to: number): Granularity {
  const days = (to - from) / dayMs
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 2 * 365 ? 'week' : 'month'
}

function wrong(detail: string, field: string): Refusal {
  return refuse('validation_failed', detail, 422, field)
}

/**
 * The period before another, for a comparison. An interval moves back by its own days or months, to the same time of
 * day; whole calendar months by as many months, whole days by as many days; anything else by its length. So daylight
 * saving does not shift midnights, and the month before March is February. Refused: `all`, which has nothing before
 * it.
 */
export function rangeBefore(range: Range, interval: Interval | undefined): Range | Refusal {
  const { from, to, timezone } = range
  if (interval === 'all') {
    return refuse(
      'validation_failed',
      'All time has no previous period to compare with.',
      422,
      'compare',
    )
  }
  const back = stepOf(range, interval)
  const shifted = (at: Date) => zoned(at, timezone).subtract(back).epochMilliseconds
  return cutUp(shifted(from), shifted(to), range)
}

type Step = Pick<Temporal.DurationLikeObject, 'months' | 'days' | 'milliseconds'>

function stepOf({ from, to, timezone }: Range, interval: Interval | undefined): Step {
  if (interval === '12mo') return { months: 12 }
  if (interval !== undefined && interval in daysOf) {
    return { days: daysOf[interval as keyof typeof daysOf] }
  }
  const [first, end] = [zoned(from, timezone), zoned(to, timezone)]
  if (isMidnight(first) && isMidnight(end)) {
    const [day, endDay] = [first.toPlainDate(), end.toPlainDate()]
    return day.day === 1 && endDay.day === 1
      ? { months: day.until(endDay, { largestUnit: 'months' }).months }
      : { days: day.until(endDay).days }
  }
  return { milliseconds: to.getTime() - from.getTime() }
}

function zoned(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
}

/** Whether a moment is the start of its day: that is one o'clock if daylight saving begins at midnight. */
function isMidnight(at: Temporal.ZonedDateTime): boolean {
  return at.equals(at.startOfDay())
}
