import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { Log, Plugin } from '../../../plugin.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import type { Database } from '../../../storage/database.ts'
import type { Granularity } from '../../../visits/facts/buckets.ts'
import {
  type DimensionFailures,
  noteDimensionFailures,
  textOf,
} from '../../../visits/facts/dimension-failures.ts'
import { dimensionsOf, type NamedDimension } from '../../../visits/facts/dimensions.ts'
import { queryAnalytics, type Totals } from '../../../visits/read/analytics.ts'
import { compareTotals } from '../../../visits/read/compare-totals.ts'
import { type Range, readRange } from '../../../visits/read/range.ts'
import { rangeBefore } from '../../../visits/read/range-before.ts'
import type { Scope } from '../../../visits/read/scope.ts'
import type { AnalyticsQuery } from './analytics-schemas.ts'

export interface ReportDeps {
  readonly db: Database
  readonly plugins: readonly Plugin[]
  readonly entitlements: Pick<Entitlements, 'check'>
  readonly now: () => Date
  readonly log: Log
  /** Bring the counts up to date before they are read. */
  settle(): Promise<void>
}

/** Whose numbers, since when there can be any, and the plan that says which of them show. */
export interface Subject {
  readonly scope: Scope
  readonly beginning: Date
  readonly plan: string
}

/** What is answered. The lists of dimensions are in it too, under names that only plugins know. */
export interface AnalyticsData extends Span {
  readonly timezone: string
  readonly granularity: Granularity
  readonly previous: (Span & { readonly change: ReturnType<typeof compareTotals> }) | null
}

interface Span {
  readonly from: string
  readonly to: string
  readonly totals: Totals
}

/** Makes the function that answers a question, of all dimensions that are known. */
export function createAnalyticsReport({
  db,
  plugins,
  entitlements,
  now,
  log,
  settle,
}: ReportDeps): {
  readonly dimensions: readonly NamedDimension[]
  report(subject: Subject, query: AnalyticsQuery): Promise<AnalyticsData | Refusal>
} {
  const failures = noteDimensionFailures(log)
  const known = plugins.flatMap(plugin =>
    dimensionsOf([plugin]).map(dimension => ({
      feature: plugin.feature,
      dimension: namingFailures(dimension, failures),
    })),
  )
  return { dimensions: known.map(({ dimension }) => dimension), report }

  async function report({ scope, beginning, plan }: Subject, query: AnalyticsQuery) {
    const range = readRange(query, now(), beginning)
    if (isRefusal(range)) return range
    const before = query.compare ? rangeBefore(range, intervalOf(query)) : undefined
    if (isRefusal(before)) return before
    const dimensions = chosen(query, plan)
    if (isRefusal(dimensions)) return dimensions

    await settle()
    const { limit } = query
    const { totals, ...lists } = await queryAnalytics(db, scope, { range, dimensions, limit })
    const { timezone, granularity } = range
    const previous = before ? await readBefore(scope, before, dimensions, totals) : null
    return { ...spanOf(range), timezone, granularity, totals, previous, ...lists }
  }

  /** The dimensions that were named, each of which the plan must have; else all that it has. */
  function chosen(
    { dimensions }: AnalyticsQuery,
    plan: string,
  ): readonly NamedDimension[] | Refusal {
    const asked = dimensions?.flatMap(name => known.filter(it => it.dimension.name === name))
    const barred = asked && entitlements.check(plan, ...new Set(asked.map(it => it.feature)))
    if (barred) return barred
    const found = asked ?? known.filter(({ feature }) => !entitlements.check(plan, feature))
    return found.map(({ dimension }) => dimension)
  }

  /** Of the span before, what can be laid beside: totals, and points over time. */
  async function readBefore(
    scope: Scope,
    range: Range,
    dimensions: readonly NamedDimension[],
    since: Readonly<Record<string, number>>,
  ) {
    const comparable = dimensions.filter(({ chart }) => chart === 'number' || chart === 'line')
    const asked = { range, dimensions: comparable, limit: 1 }
    const { totals, ...lines } = await queryAnalytics(db, scope, asked)
    return { ...spanOf(range), totals, change: compareTotals(totals, since), ...lines }
  }
}

/** A plugin that cannot name a value must not hide how often it was counted. */
function namingFailures(
  dimension: NamedDimension,
  failures: DimensionFailures,
): NamedDimension & { labelOf(value: string): string } {
  return {
    ...dimension,
    labelOf(value) {
      try {
        return textOf(dimension.labelOf?.(value) ?? value)
      } catch (error) {
        failures.note(dimension, 'labelOf', error)
        return value
      }
    },
  }
}

/** Nothing said is an interval too. */
function intervalOf({ interval, from, to }: AnalyticsQuery) {
  return interval ?? ((from ?? to) === undefined ? '30d' : undefined)
}

function spanOf({ from, to }: Range) {
  return { from: from.toISOString(), to: to.toISOString() }
}
