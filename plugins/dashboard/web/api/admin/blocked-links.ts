import { api, dataOf } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import type { operations } from '../schema.d.ts'

/** An original URL or target that blocks a link. One link can have several of them. */
export type BlockedLink =
  operations['admin.blockedLinks.list']['responses'][200]['content']['application/json']['data'][number]

export const blockedLinksKey = ['admin', 'blocked-links'] as const

/** What blocks links, across all accounts, newest first. */
export const blockedLinksQuery = longList<BlockedLink>(blockedLinksKey, (query, signal) =>
  dataOf(api.GET('/api/v1/admin/blocked-links', { params: { query }, signal })),
)

/** Unblock a link until its address changes. */
export async function releaseLink(id: string): Promise<void> {
  await api.POST('/api/v1/admin/blocked-links/{id}/release', { params: { path: { id } } })
}
