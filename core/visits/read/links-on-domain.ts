import type { LinkRows } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Scope } from './scope.ts'

/** The links of a scope on a host; '' is the host of the base URL. */
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
