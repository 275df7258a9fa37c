import { queryOptions } from '@tanstack/react-query'
import { api, type BodyOf, dataOf, ifMatch } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import { readVersion, type Version } from '../client/version.ts'
import type { operations } from '../schema.d.ts'

export type Campaign =
  operations['campaigns.show']['responses'][200]['content']['application/json']['data']

export type NewCampaign = BodyOf<operations['campaigns.create']>

export const campaignsKey = ['campaigns'] as const

/** How many campaigns a list has at most. */
export const listedCampaigns = 100

/** The campaigns of the account by name: the first of those whose name contains `search`. */
export function campaignsQuery(search = '') {
  const query = { per_page: listedCampaigns, ...(search && { search }) }
  return queryOptions({
    queryKey: [...campaignsKey, 'list', search],
    queryFn: async () => (await dataOf(api.GET('/api/v1/campaigns', { params: { query } }))).data,
  })
}

/** All campaigns of the account by name, for the campaigns page. */
export const allCampaignsQuery = longList<Campaign>([...campaignsKey, 'all'], (query, signal) =>
  dataOf(api.GET('/api/v1/campaigns', { params: { query }, signal })),
)

/** One campaign, with the version that a change sends along. */
export function readCampaign(id: string): Promise<Version<Campaign>> {
  return readVersion(api.GET('/api/v1/campaigns/{id}', { params: { path: { id } } }))
}

/** One campaign, for its own page. */
export function campaignQuery(id: string) {
  return queryOptions({ queryKey: [...campaignsKey, 'one', id], queryFn: () => readCampaign(id) })
}

export async function createCampaign(body: NewCampaign): Promise<Campaign> {
  return (await dataOf(api.POST('/api/v1/campaigns', { body }))).data
}

/** Change a campaign. Throws a `Problem` of 412 if it changed since `etag` was read. */
export async function updateCampaign(
  id: string,
  body: Partial<NewCampaign>,
  etag: string,
): Promise<Campaign> {
  const params = { path: { id }, header: ifMatch(etag) }
  return (await dataOf(api.PATCH('/api/v1/campaigns/{id}', { body, params }))).data
}

/** Delete a campaign; its links stay. */
export async function deleteCampaign(id: string): Promise<void> {
  await api.DELETE('/api/v1/campaigns/{id}', { params: { path: { id } } })
}
