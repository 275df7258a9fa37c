import type { LinkReader } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import { readPublicId } from '../storage/public-id.ts'
import type { LinkCache } from './cache.ts'
import { findAnyLink } from './find-link.ts'

/** Links as plugins may read them. */
export function createLinkReader(db: Database, cache: LinkCache): LinkReader {
  return {
    find: id => findAnyLink(db, id),
    recompile(id) {
      const rowId = readPublicId('lnk', id)
      if (rowId !== undefined) cache.forget(rowId)
    },
  }
}
