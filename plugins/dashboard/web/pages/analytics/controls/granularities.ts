import type { Granularity } from '../../../api/analytics/analytics.ts'
import type { AnalyticsSearch } from './analytics-search.ts'

/** How long a stretch is, in days; a month as long as it gets. */
const lengths: Readonly<Record<Granularity, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31 }

/** The API takes 2,000 points, and at both ends of a span there may be part of a stretch more. */
const maxPoints = 1_990

const msADay = 24 * 3_600_000

/** How long intervals are, in days, but for that of all time. */
const intervalDays = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '12mo': 366 } as const

/** What the API takes for a span, and makes more than one point of it. All time began at `beginning`. */
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

/** Days that have begun; of all time there is a day at least. */
function daysSince(moment: string): number {
  return Math.max(1, Math.ceil((Date.now() - Date.parse(moment)) / msADay))
}
