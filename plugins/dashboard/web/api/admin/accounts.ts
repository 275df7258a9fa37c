import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

/** An account as admins see it. */
export type Account =
  operations['accounts.show']['responses'][200]['content']['application/json']['data']

/** An account in the list of all accounts, with its usage. */
export type ListedAccount =
  operations['accounts.list']['responses'][200]['content']['application/json']['data'][number]

export type NewAccount = BodyOf<operations['accounts.create']>

export type AccountChange = BodyOf<operations['accounts.update']>

export const accountsKey = ['admin', 'accounts'] as const

/** The accounts of this instance that match a search, oldest first; all of them if the search is empty. */
export function accountsQuery(search: string) {
  return longList<ListedAccount>([...accountsKey, 'all', search], (part, signal) => {
    const query = search === '' ? part : { ...part, search }
    return dataOf(api.GET('/api/v1/admin/accounts', { params: { query }, signal }))
  })
}

/** One account, with the version that a change sends along. */
export function readAccount(id: string): Promise<Version<Account>> {
  return readVersion(api.GET('/api/v1/admin/accounts/{id}', { params: { path: { id } } }))
}

/** Create an account. Without a password it comes with an invitation, at once. */
export async function createAccount(body: NewAccount): Promise<NewlyMade> {
  const invite = !body.password
  return (await dataOf(api.POST('/api/v1/admin/accounts', { body: { ...body, invite } }))).data
}

/** An account that was created, and the secret of its invitation, if it has one. */
export type NewlyMade = Account & { readonly oneTimeLinkSecret: string | null }

/** Change an account. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function updateAccount(
  id: string,
  body: AccountChange,
  etag: string,
): Promise<Account> {
  const params = { path: { id }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/admin/accounts/{id}', { body, params }))).data
}

/** Delete an account and all that it owns, or what the account `heir` did not get first. Throws a `Problem`, `last_admin`, for the last admin. */
export async function removeAccount(id: string, heir: string | null): Promise<void> {
  const params = { path: { id }, query: heir === null ? {} : { hand_over_to: heir } }
  await api.DELETE('/api/v1/admin/accounts/{id}', { params })
}

/** Hand over links of an account, named by ids or short URLs, or all of them if none is named. Returns how many. */
export async function handOver(id: string, to: string, links: readonly string[]): Promise<number> {
  const params = { path: { id } }
  const body = links.length === 0 ? { to } : { to, links: [...links] }
  const path = '/api/v1/admin/accounts/{id}/hand-over'
  return (await dataOf(api.POST(path, { params, body }))).data.links
}

/** Suspend an account, or choose again whether its links are closed meanwhile. Throws a `Problem`, `last_admin`, for the last admin. */
export async function suspendAccount(id: string, links_closed: boolean): Promise<void> {
  const params = { path: { id } }
  await api.POST('/api/v1/admin/accounts/{id}/suspend', { params, body: { links_closed } })
}

export async function releaseAccount(id: string): Promise<void> {
  await api.POST('/api/v1/admin/accounts/{id}/release', { params: { path: { id } } })
}

/** The identities at providers that sign an account in, the one used last first. */
export function identitiesOfQuery(id: string) {
  const params = { path: { id } }
  return queryOptions({
    queryKey: [...accountsKey, id, 'identities'],
    queryFn: async () =>
      (await dataOf(api.GET('/api/v1/admin/accounts/{id}/identities', { params }))).data,
  })
}

/** Let an identity sign an account in no longer. Throws a `Problem`, `last_way_in`, for the only way in. */
export async function removeIdentityOf(id: string, identity: string): Promise<void> {
  const params = { path: { id, identity } }
  await api.DELETE('/api/v1/admin/accounts/{id}/identities/{identity}', { params })
}

/** The sessions and API tokens of an account. */
export function accessOfQuery(id: string) {
  const params = { path: { id } }
  return queryOptions({
    queryKey: [...accountsKey, id, 'access'],
    queryFn: async () => {
      const [{ data: sessions }, { data: tokens }] = await Promise.all([
        dataOf(api.GET('/api/v1/admin/accounts/{id}/sessions', { params })),
        dataOf(api.GET('/api/v1/admin/accounts/{id}/api-tokens', { params })),
      ])
      return { sessions, tokens }
    },
  })
}

/** End a session of an account. */
export async function endSessionOf(id: string, session: string): Promise<void> {
  const params = { path: { id, session } }
  await api.DELETE('/api/v1/admin/accounts/{id}/sessions/{session}', { params })
}

/** Revoke an API token of an account. */
export async function revokeTokenOf(id: string, token: string): Promise<void> {
  const params = { path: { id, token } }
  await api.DELETE('/api/v1/admin/accounts/{id}/api-tokens/{token}', { params })
}
