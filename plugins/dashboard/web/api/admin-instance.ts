import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

/** What runs here. */
export const instanceQuery = queryOptions({
  queryKey: ['admin', 'instance'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/instance'))).data,
})
