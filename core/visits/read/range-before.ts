import { Temporal } from 'temporal-polyfill'
import type { Refusal } from '../../plugin/outcomes.ts'
import { refuse } from '../../plugin/outcomes.ts'
import { cutUp, daysOf, type Interval, type Range } from './range.ts'

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
