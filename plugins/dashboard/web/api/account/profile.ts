import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

export type Profile =
  operations['profile.show']['responses'][200]['content']['application/json']['data']

/** Stands for "no limit": the largest integer that JavaScript counts exactly. */
export const unlimited = Number.MAX_SAFE_INTEGER

export const profileKey = ['profile'] as const

/** The account that is signed in, its plan and its usage. */
export const profileQuery = queryOptions({
  queryKey: profileKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/profile'))).data,
  // Somebody else may have signed in meanwhile in another tab.
  refetchOnWindowFocus: 'always',
})

/** The same, with the version that a change sends along. */
export function readProfile(): Promise<Version<Profile>> {
  return readVersion(api.GET('/api/v1/profile'))
}

/** Change the account's name. Throws a `Problem` of 412 if the account changed since `etag` was read. */
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

/** Change the account's password, which ends all its other sessions. */
export async function changePassword(body: PasswordChange): Promise<void> {
  await api.PATCH('/api/v1/profile/password', { body })
}

/**
 * Delete the account and all that it owns; null if it has no password. Throws a `Problem`, `last_admin`, for
 * the last admin.
 */
export async function deleteAccount(current_password: string | null): Promise<void> {
  await api.DELETE('/api/v1/profile', { body: { current_password } })
}

type Numbers = Readonly<Record<string, number>>

/** The limit that a plugin adds to a plan, wherever the plan keeps it. */
export function limitOf({ plan: { limits, organization } }: Profile, name: string): number {
  const all: Numbers = { ...limits, ...organization }
  return all[name] ?? unlimited
}

/** How much is used of something that a plugin counts. */
export function usageOf({ plan }: Profile, name: string): number {
  const all: Numbers = plan.usage
  return all[name] ?? 0
}
