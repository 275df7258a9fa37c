import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { Database } from '../../../storage/database.ts'
import type { Granularity } from '../../../visits/facts/buckets.ts'
import { compareTotals, queryAnalytics, type Totals } from '../../../visits/read/analytics.ts'
import { type Range, rangeBefore, readRange } from '../../../visits/read/range.ts'
import type { Scope } from '../../../visits/read/scope.ts'
import { firstCountedHour, undatedVisits } from '../../../visits/read/undated-visits.ts'
import { weighOf } from '../../../visits/read/weigh.ts'
import type { AnalyticsQuery, SpanQuery } from './analytics-schemas.ts'
import type { KnownDimensions } from './known-dimensions.ts'

export interface ReportDeps {
  readonly db: Database
  readonly known: KnownDimensions
  readonly now: () => Date
}

/** Which links the numbers are about, since when they can have any, and the plan that decides which of them show. */
export interface Subject {
  readonly scope: Scope
  /** The account that has the links. */
  readonly accountId: number
  readonly beginning: Date
  readonly plan: string
}

/** The answer. It also has the lists of dimensions, under names that only plugins know. */
export interface AnalyticsData extends SpanTotals {
  readonly timezone: string
  readonly granularity: Granularity
  /** Visits that are in no period. */
  readonly undated: number
  readonly previous: (SpanTotals & { readonly change: ReturnType<typeof compareTotals> }) | null
}

interface SpanTotals extends Span {
  readonly totals: Totals
}

/** Returns the function that answers a query, with all known dimensions. */
export function createAnalyticsReport({ db, known, now }: ReportDeps) {
  return async function report(
    subject: Subject,
    query: AnalyticsQuery,
  ): Promise<AnalyticsData | Refusal> {
    const { scope, accountId, plan } = subject
    const spans = readSpans(query, now(), await beginningOf(db, subject, query))
    if (isRefusal(spans)) return spans
    const { range, before } = spans
    const dimensions = known.chosen(plan, query.dimensions)
    if (isRefusal(dimensions)) return dimensions

    const asked = { range, before, dimensions, limit: query.limit }
    const { now: since, before: was } = await queryAnalytics(db, scope, asked)
    const { totals, ...lists } = since
    const { timezone, granularity } = range
    const change = was && compareTotals(was.totals, totals)
    const previous = before && was && change ? { ...spanOf(before), ...was, change } : null
    const undated = await undatedVisits(db, scope, {
      accountId,
      weigh: await weighOf(db, undefined),
    })
    return { ...spanOf(range), timezone, granularity, totals, undated, previous, ...lists }
  }
}

/** A span of time as the API shows it. */
interface Span {
  readonly from: string
  readonly to: string
}

interface Spans {
  readonly range: Range
  /** The span before, if it is compared. */
  readonly before: Range | undefined
}

/** Since when a subject has numbers: visits that links brought from elsewhere may be older than the links. */
export async function beginningOf(
  db: Database,
  { scope, accountId, beginning }: Omit<Subject, 'plan'>,
  { interval }: Pick<SpanQuery, 'interval'>,
): Promise<Date> {
  if (interval !== 'all') return beginning
  const hour = await firstCountedHour(db, 'linkId' in scope ? scope : { accountId })
  return new Date(Math.min(beginning.getTime(), (hour ?? Infinity) * hourMs))
}

const hourMs = 3_600_000

/** The spans that a query is about. */
export function readSpans(query: SpanQuery, now: Date, beginning: Date): Spans | Refusal {
  const range = readRange(query, now, beginning)
  if (isRefusal(range)) return range
  const before = query.compare ? rangeBefore(range, intervalOf(query)) : undefined
  return isRefusal(before) ? before : { range, before }
}

export function spanOf({ from, to }: Range): Span {
  return { from: from.toISOString(), to: to.toISOString() }
}

/** If the query says nothing, it is about the interval `30d`. */
function intervalOf({ interval, from, to }: SpanQuery) {
  return interval ?? ((from ?? to) === undefined ? '30d' : undefined)
}
