import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'
import { valueSaid } from './value-said.ts'

/** Whose numbers: of all links of the account, of one, or of those with a tag or in a campaign. */
export type Subject =
  | { readonly kind: 'account' }
  | { readonly kind: 'links' | 'tags' | 'campaigns'; readonly id: string }

/** What can be asked of the numbers, as the API names it. */
export type AnalyticsQuestion = NonNullable<operations['analytics.show']['parameters']['query']>

export type Interval = NonNullable<AnalyticsQuestion['interval']>

export type Granularity = NonNullable<AnalyticsQuestion['granularity']>

/** The visits of a stretch of local time. */
export interface Point {
  /** ISO 8601; that of the first point may be before what was asked. */
  readonly start: string
  readonly visits: number
}

/** The visits of one value of a dimension. */
export interface ValueRow {
  readonly value: string
  readonly label: string
  readonly visits: number
  /** Of all visits, 0 to 1. */
  readonly share: number
  /** In the span before, if that was asked for. */
  readonly previousVisits?: number
}

/** The numbers of a span of time. What dimensions counted lies under their names, which plugins give. */
export interface Numbers {
  readonly from: string
  /** The first moment that is not in it. */
  readonly to: string
  readonly timezone: string
  readonly granularity: Granularity
  readonly totals: Readonly<Record<string, number>>
  readonly lists: Readonly<Record<string, readonly (Point | ValueRow)[]>>
  /** The span before, if it was asked for. */
  readonly previous: Previous | null
}

export interface Previous {
  readonly from: string
  readonly to: string
  readonly totals: Readonly<Record<string, number>>
  /** By what part each total has changed since: 0.5 is half as much again; null: there was none. */
  readonly change: Readonly<Record<string, number | null>>
  readonly lists: Readonly<Record<string, readonly Point[]>>
}

/** Numbers move: who looks at them sees so, this often, in milliseconds. Not while the page is hidden. */
export const refreshMs = 30_000

/** The most values of a dimension, or links, that the API tells. */
export const allValues = 1_000

/** Numbers that follow the visits; while those of another span are on their way the last ones stay. */
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
    ...analyticsQuery(subject, { ...question, dimensions: dimension, limit: allValues }),
    select: numbers => valuesOf(numbers, dimension),
  })
}

/** What a line chart shows of a dimension. */
export function pointsOf({ lists }: Pick<Numbers, 'lists'>, dimension: string): readonly Point[] {
  return (lists[dimension] ?? []).filter(row => 'start' in row)
}

/** What any other chart shows of a dimension. */
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
  const { from, to, timezone, granularity, totals, previous, ...lists } = data
  return { from, to, timezone, granularity, totals, previous: previous && apart(previous), lists }
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

/** What is known by name, and beside it the lists of which only plugins know. */
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
