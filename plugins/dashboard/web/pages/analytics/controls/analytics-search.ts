import type { AnalyticsQuestion, Granularity, Interval } from '../../../api/analytics/analytics.ts'
import { texts } from '../../../texts.ts'

/** The search parameters of an analytics page, so that a shared address shows the same span in the same time zone. */
export interface AnalyticsSearch {
  readonly interval?: Interval
  /** First and last day, such as `2026-11-20`, instead of an interval. */
  readonly from?: string
  readonly to?: string
  /** IANA name; by default the time zone of the browser. */
  readonly timezone?: string
  /** The distance between points; by default the one that suits the span. */
  readonly granularity?: Granularity
  /** Whether to compare with the previous span; on by default. */
  readonly compare?: false
  /** The host of the links to count; all hosts by default. */
  readonly domain?: string
}

export const usualInterval: Interval = '30d'

/** Parse the search parameters. Invalid values and defaults are dropped. */
export function analyticsSearch(raw: Record<string, unknown>): AnalyticsSearch {
  const { interval, from, to, timezone, granularity, compare, domain } = raw
  const isSpan = isDay(from) && isDay(to) && from <= to
  return {
    ...(isSpan && { from, to }),
    ...(!isSpan && isInterval(interval) && interval !== usualInterval && { interval }),
    ...(isTimeZone(timezone) && timezone !== browserZone() && { timezone }),
    ...(isGranularity(granularity) && { granularity }),
    ...(compare === false && { compare }),
    ...(isHost(domain) && { domain }),
  }
}

/** The same as a query for the API. The span of all time has no previous one. */
export function questionOf(search: AnalyticsSearch) {
  const { interval, from, to, timezone, granularity, compare, domain } = search
  const span =
    from !== undefined && to !== undefined
      ? { from, to: dayAfter(to) }
      : { interval: interval ?? usualInterval }
  return {
    ...span,
    timezone: timezone ?? browserZone(),
    ...(granularity && { granularity }),
    ...(compare !== false && interval !== 'all' && { compare: 'previous' }),
    ...(domain !== undefined && { domain }),
  } satisfies AnalyticsQuestion
}

/** The time zone of the browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function isHost(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:-]{1,253}$/.test(value)
}

function isInterval(value: unknown): value is Interval {
  return typeof value === 'string' && Object.hasOwn(texts.analytics.intervals, value)
}

function isGranularity(value: unknown): value is Granularity {
  return typeof value === 'string' && Object.hasOwn(texts.analytics.granularities, value)
}

function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    dayOf(new Date(value)) === value
  )
}

function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}

/** The API's end of a span is exclusive; people include the last day. */
function dayAfter(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() + 1)
  return dayOf(date)
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
