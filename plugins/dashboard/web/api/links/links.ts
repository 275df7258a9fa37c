import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MethodResponse } from 'openapi-fetch'
import { api, type BodyOf, dataOf, versionOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

type CoreKey =
  | 'id'
  | 'shortCode'
  | 'shortUrl'
  | 'originalUrl'
  | 'domain'
  | 'title'
  | 'notes'
  | 'archived'
  | 'status'
  | 'visits'
  | 'lastVisitAt'
  | 'createdAt'
  | 'updatedAt'

type Shown = MethodResponse<typeof api, 'get', '/api/v1/links/{id}'>['data']

/** A link. The fields of plugins are missing while those are switched off. */
export type Link = Pick<Shown, CoreKey> & Partial<Omit<Shown, CoreKey>>

export type LinkStatus = Link['status']

/** The query parameters of the list of links, as the API names them. */
export type LinksQuestion = NonNullable<operations['links.list']['parameters']['query']>

export type NewLink = BodyOf<operations['links.create']>

export type NewLinks = BodyOf<operations['links.bulkCreate']>

export type LinkChange = BodyOf<operations['links.update']>

/** The first part of every cache key that concerns links: invalidate it after a change. */
export const linksKey = ['links'] as const

/**
 * A page of links. While the next page loads, the previous one stays on the screen. Links whose short code is what
 * somebody searches for come first.
 */
export function linksQuery(query: LinksQuestion) {
  return queryOptions({
    queryKey: [...linksKey, 'list', query],
    async queryFn({ signal }) {
      const [{ data, meta }, exact] = await Promise.all([
        dataOf(api.GET('/api/v1/links', { params: { query }, signal })),
        linksOfCode(query, signal),
      ])
      const found: readonly Link[] = data
      const ids = new Set(exact.map(({ id }) => id))
      const links = [...exact, ...found.filter(({ id }) => !ids.has(id))]
      return { links, total: meta.total, lastPage: meta.lastPage }
    },
    placeholderData: keepPreviousData,
  })
}

/** The links, on all hosts, whose short code is the one word of a search, for its first page. */
async function linksOfCode(
  { search, ...rest }: LinksQuestion,
  signal: AbortSignal,
): Promise<readonly Link[]> {
  const isFirst = (rest.page ?? 1) === 1 && rest.sort === '-created_at'
  if (!isFirst || search === undefined || !/^[^\s/]+$/.test(search)) return []
  const query = { ...rest, short_code: search }
  return (await dataOf(api.GET('/api/v1/links', { params: { query }, signal }))).data
}

/**
 * All links that match a query, a hundred at a time, newest first. In that order each link comes exactly once,
 * even if others are created and deleted meanwhile.
 */
export async function* allLinks(question: LinksQuestion, signal: AbortSignal) {
  const { page, ...filter } = question
  let cursor: string | null | undefined
  do {
    const query = {
      ...filter,
      sort: '-created_at' as const,
      per_page: 100,
      ...(cursor && { cursor }),
    }
    const { data, meta } = await dataOf(api.GET('/api/v1/links', { params: { query }, signal }))
    const links: readonly Link[] = data
    yield { links, total: meta.total }
    cursor = meta.nextCursor
  } while (cursor)
}

/** One link, with the `etag` that a change sends along. */
export function linkQuery(id: string) {
  return queryOptions({
    queryKey: [...linksKey, 'one', id],
    async queryFn() {
      const { body, etag } = await versionOf(
        api.GET('/api/v1/links/{id}', { params: { path: { id } } }),
      )
      const link: Link = body.data
      return { link, etag }
    },
  })
}
