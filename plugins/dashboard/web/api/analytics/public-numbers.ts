import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** An analytics page that anybody can see without an account. */
export type PublicPage =
  operations['publicNumbers.show']['responses'][200]['content']['application/json']['data']

export type PublicPageChange = BodyOf<operations['publicNumbers.update']>

const key = ['public-numbers'] as const

/** The public page of a link, tag or campaign; null if there is none. */
export function publicPageQuery(of: string) {
  return queryOptions({
    queryKey: [...key, of],
    queryFn: async ({ signal }) => {
      const query = { of, per_page: 1 }
      const { data } = await dataOf(
        api.GET('/api/v1/public-numbers', { params: { query }, signal }),
      )
      return data[0] ?? null
    },
  })
}

export async function publish(of: string): Promise<PublicPage> {
  return (await dataOf(api.POST('/api/v1/public-numbers', { body: { of } }))).data
}

export async function changePublicPage(id: string, body: PublicPageChange): Promise<PublicPage> {
  const params = { path: { id } }
  return (await dataOf(api.PATCH('/api/v1/public-numbers/{id}', { params, body }))).data
}

export async function revokePublicPage(id: string): Promise<void> {
  await api.DELETE('/api/v1/public-numbers/{id}', { params: { path: { id } } })
}
