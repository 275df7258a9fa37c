import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** Work that runs by the clock. */
export type Job =
  operations['jobs.list']['responses'][200]['content']['application/json']['data'][number]

export const jobsKey = ['admin', 'jobs'] as const

/** How often jobs are read again, in milliseconds: while one runs, and while none does. */
const busyMs = 1_000
const idleMs = 30_000

/** The jobs and their last runs. */
export const jobsQuery = queryOptions({
  queryKey: jobsKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/jobs'))).data,
  refetchInterval: ({ state }) => (state.data?.some(({ running }) => running) ? busyMs : idleMs),
})

/** Run a job now. A long one is still running when this returns. */
export async function runJob(name: string): Promise<Job> {
  const params = { path: { name } }
  return (await dataOf(api.POST('/api/v1/admin/jobs/{name}/run', { params }))).data
}
