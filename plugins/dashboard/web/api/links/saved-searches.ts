import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

export type SavedSearch =
  operations['savedSearches.create']['responses'][201]['content']['application/json']['data']

export const savedSearchesKey = ['saved-searches'] as const

/** The account's saved searches by name, at most a hundred. */
export function savedSearchesQuery() {
  return queryOptions({
    queryKey: savedSearchesKey,
    async queryFn({ signal }): Promise<readonly SavedSearch[]> {
      const params = { query: { per_page: 100 } }
      return (await dataOf(api.GET('/api/v1/saved-searches', { params, signal }))).data
    },
  })
}

export async function saveSearch(name: string, query: string): Promise<void> {
  await api.POST('/api/v1/saved-searches', { body: { name, query } })
}

export async function deleteSearch(id: string): Promise<void> {
  await api.DELETE('/api/v1/saved-searches/{id}', { params: { path: { id } } })
}
