import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'

/** What runs here, since when, and how large it is. */
export const instanceQuery = queryOptions({
  queryKey: ['admin', 'instance'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/instance'))).data,
})

/** Something around the server that was looked at. */
export type Finding = Awaited<ReturnType<NonNullable<typeof doctorQuery.queryFn>>>[number]

/** What is wrong with the server's surroundings, if anything, and what to do about it. */
export const doctorQuery = queryOptions({
  queryKey: ['admin', 'doctor'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/doctor'))).data,
})
