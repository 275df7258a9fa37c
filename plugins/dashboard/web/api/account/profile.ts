import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

export type Profile =
  operations['profile.show']['responses'][200]['content']['application/json']['data']

/** A limit that is none: the largest number that programs count exactly. */
export const unlimited = Number.MAX_SAFE_INTEGER

export const profileKey = ['profile'] as const

/** The account that is signed in, its plan and what it used. */
export const profileQuery = queryOptions({
  queryKey: profileKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/profile'))).data,
  // Somebody else may have signed in meanwhile, in another tab.
  refetchOnWindowFocus: 'always',
})

/** The same, with what a change of it sends along. */
export function readProfile(): Promise<Version<Profile>> {
  return readVersion(api.GET('/api/v1/profile'))
}

/** Change one's name as it was when `etag` was read; else a `Problem` of 412. */
export async function updateProfile(
  body: BodyOf<operations['profile.update']>,
  etag: string,
): Promise<void> {
  await api.PATCH('/api/v1/profile', { body, params: { header: ifMatch(etag) } })
}

/** Null for an account that has no password yet. */
export interface PasswordChange {
  readonly current_password: string | null
  readonly new_password: string
}

/** Change one's password, which ends all other sessions. */
export async function changePassword(body: PasswordChange): Promise<void> {
  await api.PATCH('/api/v1/profile/password', { body })
}

/**
 * Delete the account and all that it owns; null for one without a password. For the last admin a `Problem`,
 * `last_admin`.
 */
export async function deleteAccount(current_password: string | null): Promise<void> {
  await api.DELETE('/api/v1/profile', { body: { current_password } })
}

type Numbers = Readonly<Record<string, number>>

/** What the plan says of a limit that a plugin brings, wherever it has it. */
export function limitOf({ plan: { limits, organization } }: Profile, name: string): number {
  const all: Numbers = { ...limits, ...organization }
  return all[name] ?? unlimited
}

/** How much is used of what a plugin counts. */
export function usageOf({ plan }: Profile, name: string): number {
  const all: Numbers = plan.usage
  return all[name] ?? 0
}
