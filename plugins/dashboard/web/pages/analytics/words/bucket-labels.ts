import type { Granularity } from '../../../api/analytics/analytics.ts'
import { locale } from '../../../language/language.ts'
import { texts } from '../../../texts.ts'

/** The labels of the points of a line chart. */
export interface BucketLabels {
  /** Short, for an axis. */
  short(start: string): string
  /** Complete, for a reader. */
  long(start: string): string
  isWeekend(start: string): boolean
}

const shorts: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
}

const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const

const longs: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day,
  week: day,
  month: { month: 'long', year: 'numeric' },
}

/** The labels in a time zone. */
export function bucketLabels(granularity: Granularity, timeZone: string): BucketLabels {
  const short = new Intl.DateTimeFormat(locale, { ...shorts[granularity], timeZone })
  const long = new Intl.DateTimeFormat(locale, { ...longs[granularity], timeZone })
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone })
  return {
    short: start => short.format(new Date(start)),
    long(start) {
      const label = long.format(new Date(start))
      return granularity === 'week' ? texts.analytics.weekFrom(label) : label
    },
    isWeekend: start => granularity === 'day' && weekday.format(new Date(start)).startsWith('S'),
  }
}
