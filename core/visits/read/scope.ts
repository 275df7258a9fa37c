import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { LinkRows } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'

/** Whose counts to read: those of a link, of an account, or of the links of a query. Ids are row ids. */
export type Scope =
  | { readonly linkId: number }
  | { readonly accountId: number }
  | { readonly linkRows: LinkRows }

/** Whether a row of `links` belongs to a scope. */
export function isInScope(scope: Scope): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'links'>()
  if ('accountId' in scope) return eb('links.account_id', '=', scope.accountId)
  return eb('links.id', 'in', 'linkId' in scope ? [scope.linkId] : scope.linkRows)
}

/** The links of a scope on a host; '' is the host of the base URL. */
export function linksOnDomain(db: Database, scope: Scope, domain: string): LinkRows {
  return db
    .selectFrom('links')
    .select('links.id as link_id')
    .where('links.domain', '=', domain)
    .where(isInScope(scope)) as unknown as LinkRows
}
