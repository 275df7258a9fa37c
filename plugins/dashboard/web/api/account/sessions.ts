import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** A place where the account is signed in. */
export type Session =
  operations['sessions.list']['responses'][200]['content']['application/json']['data'][number]

/** Where the account is signed in, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/sessions'))).data,
})

/** Sign out whoever uses this session, at once. */
export async function endSession(id: string): Promise<void> {
  await api.DELETE('/api/v1/sessions/{id}', { params: { path: { id } } })
}
