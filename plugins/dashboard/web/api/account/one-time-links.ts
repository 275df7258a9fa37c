import { api, dataOf } from '../client/client.ts'
import type { StepDue } from '../client/second-step.ts'
import type { operations } from '../schema.d.ts'
import type { Profile } from './profile.ts'
import { accountOrStep } from './session.ts'

/** Whose password a link sets. */
export type OpenedLink =
  operations['oneTimeLink.open']['responses'][200]['content']['application/json']['data']

/** A link that is shown only this once. */
export interface MadeLink {
  readonly url: string
  readonly expiresAt: string
  readonly isMailed: boolean
  readonly mailProblem: string | null
}

/**
 * Make the one-time link of an account, which replaces the previous one, and mail it there if `mail` says so. Its address is returned
 * only this once.
 */
export async function makeOneTimeLink({
  id,
  mail,
}: {
  readonly id: string
  readonly mail: boolean
}): Promise<MadeLink> {
  const params = { path: { id } }
  const { data } = await dataOf(
    api.POST('/api/v1/admin/accounts/{id}/one-time-link', { params, body: { mail } }),
  )
  const { secret, expiresAt, isMailed, mailProblem } = data
  return { url: urlOf(secret), expiresAt, isMailed, mailProblem }
}

/** Browsers never send what follows a #, so no server log has it. */
export function urlOf(secret: string): string {
  return `${location.origin}/dashboard/one-time-link#${secret}`
}

export async function revokeOneTimeLink(accountId: string): Promise<void> {
  const params = { path: { id: accountId } }
  await api.DELETE('/api/v1/admin/accounts/{id}/one-time-link', { params })
}

/** Throws a `Problem`, `invalid_one_time_link`, if the link does not work. */
export async function openOneTimeLink(secret: string): Promise<OpenedLink> {
  return (await dataOf(api.POST('/api/v1/one-time-link/open', { body: { secret } }))).data
}

/** Choose the password and sign in. Returns the account, or the second step that it asks for. */
export function choosePassword(body: {
  readonly secret: string
  readonly password: string
}): Promise<Profile | StepDue> {
  return accountOrStep(api.POST('/api/v1/one-time-link/use', { body }))
}

/** Accept an invitation by a provider. Returns where the browser has to go. */
export async function acceptBy(body: {
  readonly secret: string
  readonly feature: string
  readonly name: string
}): Promise<string> {
  return (await dataOf(api.POST('/api/v1/one-time-link/accept', { body }))).data.url
}

/** Have a link to a new password mailed, if there is an account with this address. */
export async function askForLink(email: string): Promise<void> {
  await api.POST('/api/v1/one-time-link/ask', { body: { email } })
}
