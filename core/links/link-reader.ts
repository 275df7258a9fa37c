import type { LinkReader } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import { readPublicId } from '../storage/public-id.ts'
import type { LinkCache } from './cache.ts'
import { findAnyLink, findLink } from './find-link.ts'

/** Links as plugins may read them. `baseUrl` is the origin of short URLs. */
export function createLinkReader(db: Database, cache: LinkCache, baseUrl: string): LinkReader {
  return {
    find: id => findAnyLink(db, id),
    findOwn: ({ accountId }, id) => findLink(db, accountId, id),
    shortUrl: ({ shortCode }) => `${baseUrl}/${shortCode}`,

    async formerCodes(links) {
      const current = new Map(links.map(({ rowId, shortCode }) => [rowId, shortCode]))
      const rows = await db
        .selectFrom('short_codes')
        .select(['link_id', 'code'])
        .where('link_id', 'in', [...current.keys()])
        .orderBy('created_at')
        .execute()
      const former = new Map<number, string[]>()
      for (const { link_id, code } of rows) {
        if (link_id === null || current.get(link_id) === code) continue
        former.set(link_id, [...(former.get(link_id) ?? []), code])
      }
      return former
    },

    async nameLink({ rowId }, title) {
      await db
        .updateTable('links')
        .set({ title })
        .where('id', '=', rowId)
        .where('title', 'is', null)
        .execute()
    },

    recompile(id) {
      const rowId = readPublicId('lnk', id)
      if (rowId !== undefined) cache.forget(rowId)
    },
  }
}
