import { Temporal } from 'temporal-polyfill'

/** The lengths of the buckets of a line chart. */
export const granularities = ['hour', 'day', 'week', 'month'] as const

export type Granularity = (typeof granularities)[number]

/** Hours since 1970 UTC; `end` is excluded. */
export interface Hours {
  readonly first: number
  readonly end: number
}

/** UTC days since 1970; `end` is excluded. */
export interface Days {
  readonly first: number
  readonly end: number
}

/** A period of local time, and the hours that count towards it. */
export interface Bucket extends Hours {
  /** When it starts, in milliseconds since 1970 UTC. */
  readonly start: number
}

const msAnHour = 3_600_000

/** The hour that contains a time in milliseconds, in hours since 1970 UTC. */
export function hourOf(at: number): number {
  return Math.floor(at / msAnHour)
}

/** The UTC day that contains a time in milliseconds, in days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / (24 * msAnHour))
}

/**
 * The first hour whose middle is not before a time in milliseconds. Counts are by hours of UTC, and some zones are
 * not whole hours away from it, so an hour belongs to the period that contains most of it.
 */
export function firstHourFrom(at: number): number {
  return Math.ceil(at / msAnHour - 0.5)
}

/**
 * The consecutive buckets of a zone's local time that contain these hours; the first may start before them. Weeks
 * start on Monday, as in ISO 8601. An hour that daylight saving skips has no bucket, and an hour that it repeats has
 * two.
 */
export function* bucketsOf(
  hours: Hours,
  granularity: Granularity,
  timeZone: string,
): Generator<Bucket> {
  let bucket: Bucket | undefined
  const starts = granularity === 'hour' ? hourStarts : periodStarts
  for (const { start, first } of starts(hours, granularity, timeZone)) {
    if (bucket && start <= bucket.start) continue
    if (bucket) yield { ...bucket, end: Math.min(first, hours.end) }
    if (first >= hours.end) return
    bucket = { start, first, end: hours.end }
  }
  if (bucket) yield bucket
}

interface Start {
  readonly start: number
  /** The first hour in it. */
  readonly first: number
}

/** Each hour of UTC belongs to the local hour that contains its middle. */
function* hourStarts({ first, end }: Hours, _: Granularity, timeZone: string): Generator<Start> {
  let hour = first
  while (hour < end) {
    const local = zonedAt(middleOf(hour), timeZone)
    const change =
      local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    const offsetMs = local.offsetNanoseconds / 1e6
    // Right after a change that is not by whole hours, the local hour may have begun before the change, or never at
    // all.
    const since = local.round({ smallestUnit: 'hour', roundingMode: 'floor' }).epochMilliseconds
    for (; hour < end && middleOf(hour) < change; hour += 1) {
      const start = floorTo(middleOf(hour) + offsetMs, msAnHour) - offsetMs
      yield { start: Math.max(start, since), first: hour }
    }
  }
}

function* periodStarts(
  { first }: Hours,
  granularity: Granularity,
  timeZone: string,
): Generator<Start> {
  const today = zonedAt(middleOf(first), timeZone).toPlainDate()
  let date = periodOf(today, granularity)
  for (;;) {
    const start = date.toZonedDateTime(timeZone).epochMilliseconds
    yield { start, first: Math.max(firstHourFrom(start), first) }
    date = date.add(lengths[granularity])
  }
}

const lengths = {
  hour: { days: 1 },
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
} as const

/** The first day of the day, week or month that contains a day. */
function periodOf(day: Temporal.PlainDate, granularity: Granularity): Temporal.PlainDate {
  if (granularity === 'week') return day.subtract({ days: day.dayOfWeek - 1 })
  return granularity === 'month' ? day.with({ day: 1 }) : day
}

function zonedAt(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
}

function middleOf(hour: number): number {
  return (hour + 0.5) * msAnHour
}

function floorTo(at: number, step: number): number {
  return Math.floor(at / step) * step
}
