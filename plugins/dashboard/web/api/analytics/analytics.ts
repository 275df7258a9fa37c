import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'
import { valueSaid } from './value-said.ts'

/** Whose analytics: all links of the account, one link, or the links with a tag or in a campaign. */
export type Subject =
  | { readonly kind: 'account' }
  | { readonly kind: 'links' | 'tags' | 'campaigns'; readonly id: string }

/** The query parameters of analytics, as the API names them. */
export type AnalyticsQuestion = NonNullable<operations['analytics.show']['parameters']['query']>

export type Interval = NonNullable<AnalyticsQuestion['interval']>

export type Granularity = NonNullable<AnalyticsQuestion['granularity']>

/** The visits in one bucket of local time. */
export interface Point {
  /** ISO 8601. The first bucket may begin before the requested span. */
  readonly start: string
  readonly visits: number
}

/** The visits of one value of a dimension. */
export interface ValueRow {
  readonly value: string
  readonly label: string
  readonly visits: number
  /** Share of all visits, from 0 to 1. */
  readonly share: number
  /** In the previous span, if it was requested. */
  readonly previousVisits?: number
}

/** The analytics of a span of time. The lists of dimensions have names that plugins choose. */
export interface Numbers {
  readonly from: string
  /** End of the span, exclusive. */
  readonly to: string
  readonly timezone: string
  readonly granularity: Granularity
  readonly totals: Readonly<Record<string, number>>
  /** Visits that were brought from elsewhere without their dates: they are in no span. */
  readonly undated: number
  readonly lists: Readonly<Record<string, readonly (Point | ValueRow)[]>>
  /** The previous span, if it was requested. */
  readonly previous: Previous | null
}

export interface Previous {
  readonly from: string
  readonly to: string
  readonly totals: Readonly<Record<string, number>>
  /** Relative change of each total: 0.5 is 50 % more. Null if there was nothing before. */
  readonly change: Readonly<Record<string, number | null>>
  readonly lists: Readonly<Record<string, readonly Point[]>>
}

/** How often analytics that are on the screen are read again, in milliseconds. Not while the page is hidden. */
export const refreshMs = 30_000

/** The most values of a dimension, or links, that the API returns. */
export const allValues = 1_000

/** Analytics that refresh as visits come in. While another span loads, the previous one stays on the screen. */
export function analyticsQuery(subject: Subject, question: AnalyticsQuestion) {
  return queryOptions({
    queryKey: ['analytics', subject, question],
    queryFn: ({ signal }) => readNumbers(subject, question, signal),
    placeholderData: (numbers, last) =>
      isSame(last?.queryKey[1], subject) ? keepPreviousData(numbers) : undefined,
    refetchInterval: refreshMs,
  })
}

/** Every value of one dimension, for a map or a whole list. */
export function valuesQuery(subject: Subject, question: AnalyticsQuestion, dimension: string) {
  return queryOptions({
    ...analyticsQuery(subject, { ...question, dimensions: [dimension], limit: allValues }),
    select: numbers => valuesOf(numbers, dimension),
  })
}

/** The points of a dimension, for a line chart. */
export function pointsOf({ lists }: Pick<Numbers, 'lists'>, dimension: string): readonly Point[] {
  return (lists[dimension] ?? []).filter(row => 'start' in row)
}

/** The values of a dimension, for any other chart. */
export function valuesOf({ lists }: Numbers, dimension: string): readonly ValueRow[] {
  const rows = (lists[dimension] ?? []).filter(row => 'value' in row)
  return rows.map(row => ({ ...row, label: valueSaid(dimension, row.value, row.label) }))
}

async function readNumbers(
  subject: Subject,
  query: AnalyticsQuestion,
  signal: AbortSignal,
): Promise<Numbers> {
  const { data } = await dataOf(ask(subject, query, signal))
  const { from, to, timezone, granularity, totals, undated, previous, ...lists } = data
  const span = { from, to, timezone, granularity, totals, undated }
  return { ...span, previous: previous && apart(previous), lists }
}

function ask(subject: Subject, query: AnalyticsQuestion, signal: AbortSignal) {
  if (subject.kind === 'account') {
    return api.GET('/api/v1/analytics', { params: { query }, signal })
  }
  const options = { params: { path: { id: subject.id }, query }, signal }
  if (subject.kind === 'links') return api.GET('/api/v1/links/{id}/analytics', options)
  if (subject.kind === 'tags') return api.GET('/api/v1/tags/{id}/analytics', options)
  return api.GET('/api/v1/campaigns/{id}/analytics', options)
}

type Told = operations['analytics.show']['responses'][200]['content']['application/json']

/** Separates the fields that every answer has from the lists that plugins name. */
function apart({
  from,
  to,
  totals,
  change,
  ...lists
}: NonNullable<Told['data']['previous']>): Previous {
  return { from, to, totals, change, lists }
}

function isSame(subject: unknown, other: Subject): boolean {
  return JSON.stringify(subject) === JSON.stringify(other)
}
