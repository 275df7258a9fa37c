import type { Granularity } from '../../../api/analytics/analytics.ts'
import type { AnalyticsSearch } from './analytics-search.ts'

/** Length of each granularity in days, of a month at its longest. */
const lengths: Readonly<Record<Granularity, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31 }

/** The API allows 2,000 points, and a span may begin and end with partial ones. */
const maxPoints = 1_990

const msADay = 24 * 3_600_000

/** Length of the intervals in days, except "all time". */
const intervalDays = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '12mo': 366 } as const

/**
 * The granularities that the API allows for a span and that give more than one point. All time starts at
 * `beginning`.
 */
export function granularitiesOf(
  search: AnalyticsSearch,
  beginning: string | null,
): readonly Granularity[] {
  const days = daysOf(search, beginning)
  return granularities.filter(it => days > lengths[it] && days / lengths[it] <= maxPoints)
}

export const granularities = Object.keys(lengths) as readonly Granularity[]

function daysOf({ interval = '30d', from, to }: AnalyticsSearch, beginning: string | null): number {
  if (from !== undefined && to !== undefined) {
    return (Date.parse(to) - Date.parse(from)) / msADay + 1
  }
  if (interval !== 'all') return intervalDays[interval]
  return beginning === null ? Number.POSITIVE_INFINITY : daysSince(beginning)
}

/** Days that have begun since a moment, at least one. */
function daysSince(moment: string): number {
  return Math.max(1, Math.ceil((Date.now() - Date.parse(moment)) / msADay))
}
