import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'
import type { Subject } from './analytics.ts'

/** The visits of the last minutes. */
export type Live =
  operations['analytics.show.live']['responses'][200]['content']['application/json']['data']

type LiveQuestion = NonNullable<operations['analytics.show.live']['parameters']['query']>

const refreshMs = 10_000

/** The visits of the last minutes, read again and again while the page is visible. */
export function liveQuery(subject: Subject, domain: string | undefined) {
  const query = domain === undefined ? {} : { domain }
  return queryOptions({
    queryKey: ['live', subject, query],
    queryFn: async ({ signal }) => (await dataOf(ask(subject, query, signal))).data,
    refetchInterval: refreshMs,
  })
}

function ask(subject: Subject, query: LiveQuestion, signal: AbortSignal) {
  if (subject.kind === 'account') {
    return api.GET('/api/v1/analytics/live', { params: { query }, signal })
  }
  const options = { params: { path: { id: subject.id }, query }, signal }
  if (subject.kind === 'links') return api.GET('/api/v1/links/{id}/analytics/live', options)
  if (subject.kind === 'tags') return api.GET('/api/v1/tags/{id}/analytics/live', options)
  return api.GET('/api/v1/campaigns/{id}/analytics/live', options)
}
