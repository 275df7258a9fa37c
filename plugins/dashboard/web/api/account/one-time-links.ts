import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** Whose password a link sets. */
export type OpenedLink =
  operations['oneTimeLink.open']['responses'][200]['content']['application/json']['data']

/** Make the link of an account, which ends the one before; its address is shown this once. */
export async function makeOneTimeLink(accountId: string): Promise<{
  readonly url: string
  readonly expiresAt: string
}> {
  const params = { path: { id: accountId } }
  const { data } = await dataOf(api.POST('/api/v1/admin/accounts/{id}/one-time-link', { params }))
  // What is behind a # is sent to no server, and so is in no log.
  const url = `${location.origin}/dashboard/one-time-link#${data.secret}`
  return { url, expiresAt: data.expiresAt }
}

export async function revokeOneTimeLink(accountId: string): Promise<void> {
  const params = { path: { id: accountId } }
  await api.DELETE('/api/v1/admin/accounts/{id}/one-time-link', { params })
}

/** A link that does not work is a `Problem`, `invalid_one_time_link`. */
export async function openOneTimeLink(secret: string): Promise<OpenedLink> {
  return (await dataOf(api.POST('/api/v1/one-time-link/open', { body: { secret } }))).data
}

/** Choose the password, and be signed in. */
export async function choosePassword(body: {
  readonly secret: string
  readonly password: string
}): Promise<void> {
  await api.POST('/api/v1/one-time-link/use', { body })
}
