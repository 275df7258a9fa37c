import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

/** A note on what happened on a day. */
export type Annotation =
  operations['annotations.show']['responses'][200]['content']['application/json']['data']

export type NewAnnotation = BodyOf<operations['annotations.create']>

export const annotationsKey = ['annotations'] as const

/** The first and the last day of a span, such as `2026-11-20`. */
export interface DaySpan {
  readonly from: string
  readonly to: string
}

/** The annotations of a span of days, by day. A chart has no room for more than a thousand. */
export function annotationsQuery(days: DaySpan) {
  return queryOptions({
    queryKey: [...annotationsKey, 'list', days],
    queryFn: ({ signal }) => readAll(days, signal),
  })
}

const most = 1_000

async function readAll(days: DaySpan, signal: AbortSignal): Promise<readonly Annotation[]> {
  const all: Annotation[] = []
  let cursor: string | null = null
  do {
    const query = { ...days, per_page: 100, ...(cursor !== null && { cursor }) }
    const part: Part = await dataOf(api.GET('/api/v1/annotations', { params: { query }, signal }))
    all.push(...part.data)
    cursor = part.meta.nextCursor
  } while (cursor !== null && all.length < most)
  return all
}

type Part = operations['annotations.list']['responses'][200]['content']['application/json']

/** One annotation, with the version that a change sends along. */
export function readAnnotation(id: string): Promise<Version<Annotation>> {
  return readVersion(api.GET('/api/v1/annotations/{id}', { params: { path: { id } } }))
}

export async function annotate(body: NewAnnotation): Promise<void> {
  await api.POST('/api/v1/annotations', { body })
}

/** Change an annotation. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function changeAnnotation(
  id: string,
  body: NewAnnotation,
  etag: string,
): Promise<void> {
  const params = { path: { id }, header: ifMatch(etag) }
  await api.PATCH('/api/v1/annotations/{id}', { body, params })
}

export async function deleteAnnotation(id: string): Promise<void> {
  await api.DELETE('/api/v1/annotations/{id}', { params: { path: { id } } })
}
