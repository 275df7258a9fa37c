import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

export type Domain =
  operations['domains.show']['responses'][200]['content']['application/json']['data']

export type NewDomain = BodyOf<operations['domains.create']>

/** Where a domain redirects when the path is not a link. */
export type DomainChange = BodyOf<operations['domains.update']>

export const domainsKey = ['domains'] as const

/** The domains of the account, by host. */
export const domainsQuery = longList<Domain>([...domainsKey, 'all'], (query, signal) =>
  dataOf(api.GET('/api/v1/domains', { params: { query }, signal })),
)

/** One domain, with the version that a change sends along. */
export function readDomain(id: string): Promise<Version<Domain>> {
  return readVersion(api.GET('/api/v1/domains/{id}', { params: { path: { id } } }))
}

/** Add a host; it can have links once it is verified. */
export async function addDomain(body: NewDomain): Promise<Domain> {
  return (await dataOf(api.POST('/api/v1/domains', { body }))).data
}

/** Change a domain. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function updateDomain(id: string, body: DomainChange, etag: string): Promise<Domain> {
  const params = { path: { id }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/domains/{id}', { body, params }))).data
}

/** Check the proof of ownership of a host. Throws a `Problem`, `not_verified` or `host_taken`. */
export async function verifyDomain(id: string): Promise<Domain> {
  const params = { path: { id } }
  return (await dataOf(api.POST('/api/v1/domains/{id}/verify', { params }))).data
}

/** Delete a domain. Throws a `Problem`, `domain_in_use`, if it has links. */
export async function deleteDomain(id: string): Promise<void> {
  await api.DELETE('/api/v1/domains/{id}', { params: { path: { id } } })
}
