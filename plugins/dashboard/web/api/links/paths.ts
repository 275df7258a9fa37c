import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

type Asked = BodyOf<operations['linkPaths.preview.create']>

/** Where a link would lead with something behind its code. */
export function pathsQuery(body: Asked) {
  return queryOptions({
    queryKey: ['link-paths', body],
    queryFn: async ({ signal }) =>
      (await dataOf(api.POST('/api/v1/link-paths/preview', { body, signal }))).data.url,
    retry: false,
  })
}
