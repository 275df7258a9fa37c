import { api, dataOf } from '../client/client.ts'
import { longList } from '../client/long-list.ts'
import type { operations } from '../schema.d.ts'
import { linksKey } from './links.ts'

/** A link that was deleted and can be restored. */
export type DeletedLink =
  operations['links.deleted']['responses'][200]['content']['application/json']['data'][number]

const deletedLinksKey = [...linksKey, 'deleted'] as const

/** The deleted links of the account, the last one first. */
export const deletedLinksQuery = longList<DeletedLink>(deletedLinksKey, (query, signal) =>
  dataOf(api.GET('/api/v1/links/deleted', { params: { query }, signal })),
)

/** Whether deleted links are kept, so that one that was just deleted can be restored. */
export async function areKept(): Promise<boolean> {
  const params = { query: { per_page: 1 } }
  return (await dataOf(api.GET('/api/v1/links/deleted', { params }))).meta.total > 0
}

export async function restoreLink(id: string): Promise<void> {
  await api.POST('/api/v1/links/{id}/restore', { params: { path: { id } } })
}

/** Deletes a deleted link for good. */
export async function forgetLink(id: string): Promise<void> {
  await api.DELETE('/api/v1/links/deleted/{id}', { params: { path: { id } } })
}
