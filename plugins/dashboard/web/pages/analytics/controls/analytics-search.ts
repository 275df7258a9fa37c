import type { AnalyticsQuestion, Granularity, Interval } from '../../../api/analytics/analytics.ts'
import { texts } from '../../../texts.ts'

/** What the address of numbers says, so that who gets it sees the same: which span, in which zone. */
export interface AnalyticsSearch {
  readonly interval?: Interval
  /** First and last day, as `2026-11-20`, instead of an interval. */
  readonly from?: string
  readonly to?: string
  /** IANA name; that of the browser unless given. */
  readonly timezone?: string
  /** How far apart points are; as the span suggests, unless given. */
  readonly granularity?: Granularity
  /** Whether the span before is laid beside; it is, unless given. */
  readonly compare?: false
  /** Host of the links that are counted; all, unless given. */
  readonly domain?: string
}

export const usualInterval: Interval = '30d'

/** Read the address; what makes no sense in it is left out, and so is what goes without saying. */
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

/** The same, as the API is asked. Nothing is before all. */
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

/** Where whoever looks at the page is. */
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

/** The API leaves out the day that a span ends with; people mean it. */
function dayAfter(day: string): string {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() + 1)
  return dayOf(date)
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
