import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'
import { refreshMs, type Subject } from './analytics.ts'

/** The query parameters of the top links, as the API names them. */
export type TopLinksQuestion = NonNullable<
  operations['analytics.show.links']['parameters']['query']
>

/** The most visited links, and the visits of all links together. */
export type TopLinks =
  operations['analytics.show.links']['responses'][200]['content']['application/json']['data']

export type TopLink = TopLinks['links'][number]

/** The most links that one answer contains. */
export const mostLinks = 100

/** The most visited links, by all visits or by those with one value of a dimension. */
export function topLinksQuery(subject: Subject, question: TopLinksQuestion) {
  return queryOptions({
    queryKey: ['analytics', subject, 'links', question],
    queryFn: async ({ signal }) => (await dataOf(ask(subject, question, signal))).data,
    placeholderData: (found, last) =>
      JSON.stringify(last?.queryKey[1]) === JSON.stringify(subject)
        ? keepPreviousData(found)
        : undefined,
    refetchInterval: refreshMs,
  })
}

function ask(subject: Subject, query: TopLinksQuestion, signal: AbortSignal) {
  if (subject.kind === 'account') {
    return api.GET('/api/v1/analytics/links', { params: { query }, signal })
  }
  const options = { params: { path: { id: subject.id }, query }, signal }
  if (subject.kind === 'links') return api.GET('/api/v1/links/{id}/analytics/links', options)
  if (subject.kind === 'tags') return api.GET('/api/v1/tags/{id}/analytics/links', options)
  return api.GET('/api/v1/campaigns/{id}/analytics/links', options)
}
