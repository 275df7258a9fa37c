import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { Profile } from './profile.ts'

/** Whether this instance is set up, and whether the caller is signed in. Needs no credentials. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/session'))).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export interface FirstAdmin {
  /** From the server's log. */
  readonly code: string
  readonly email: string
  readonly password: string
  readonly full_name: string | null
}

/** Create the first admin and sign in. Works only once. */
export async function setUp(body: FirstAdmin): Promise<void> {
  await api.POST('/api/v1/setup', { body })
}

/** Sign in and return the account. */
export async function signIn(body: { email: string; password: string }): Promise<Profile> {
  return (await dataOf(api.POST('/api/v1/session', { body }))).data
}

export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
}
