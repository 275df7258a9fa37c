import type { LinkRows } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Scope } from './scope.ts'

/** Those of a scope's links that are on a host; '' is that of the base URL. */
export function linksOnDomain(db: Database, scope: Scope, domain: string): LinkRows {
  return db
    .selectFrom('links')
    .select('links.id as link_id')
    .where('links.domain', '=', domain)
    .where(eb => {
      if ('accountId' in scope) return eb('links.account_id', '=', scope.accountId)
      return eb('links.id', 'in', 'linkId' in scope ? [scope.linkId] : scope.linkRows)
    }) as unknown as LinkRows
}
