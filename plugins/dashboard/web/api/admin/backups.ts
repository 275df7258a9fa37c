import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** A complete copy of the database. */
export type Backup =
  operations['backups.list']['responses'][200]['content']['application/json']['data'][number]

/** What restoring one would change. */
export type RestorePreview =
  operations['backups.preview']['responses'][200]['content']['application/json']['data']

export const backupsKey = ['admin', 'backups'] as const

/** How often the list is read again, in milliseconds, so that a long backup shows up once it is done. */
const refreshMs = 15_000

/** The copies of the database, newest first. */
export const backupsQuery = queryOptions({
  queryKey: backupsKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/backups'))).data,
  refetchInterval: refreshMs,
})

/** What restoring a copy would change now. */
export function previewQuery(name: string) {
  return queryOptions({
    queryKey: [...backupsKey, name, 'preview'],
    queryFn: async () => {
      const params = { path: { name } }
      return (await dataOf(api.GET('/api/v1/admin/backups/{name}/preview', { params }))).data
    },
    // Restoring cannot be undone, so the preview must never be an old one.
    gcTime: 0,
  })
}

/** Copy the database now. Null: the copy takes long, is still being made, and will appear in the list. */
export async function makeBackup(): Promise<Backup | null> {
  return (await dataOf(api.POST('/api/v1/admin/backups'))).data
}

/** Download a copy. */
export async function downloadBackup(name: string): Promise<void> {
  const params = { path: { name } }
  const call = api.POST('/api/v1/admin/backups/{name}/download-link', { params })
  location.assign((await dataOf(call)).data.path)
}

export async function deleteBackup(name: string): Promise<void> {
  await api.DELETE('/api/v1/admin/backups/{name}', { params: { path: { name } } })
}
