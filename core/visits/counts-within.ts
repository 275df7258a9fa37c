import type { SelectQueryBuilder } from 'kysely'
import type { LinkRows } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import type { AccountCountsTable, Schema } from '../storage/schema.ts'
import type { Hours } from './buckets.ts'

/** Whose counts: those of a link, of an account, or of the links that a query gives. Ids are of rows. */
export type Scope =
  | { readonly linkId: number }
  | { readonly accountId: number }
  | { readonly linkRows: LinkRows }

/** The counts of links, or of accounts: they look alike. */
interface Counted extends Schema {
  counts: Omit<AccountCountsTable, 'account_id'>
}

export type Counts = SelectQueryBuilder<Counted, 'counts', object>

/** The counts of a scope in some hours, for a query to group. */
export function countsWithin(db: Database, scope: Scope, { first, end }: Hours): Counts {
  return countsOf(db, scope).where('counts.bucket', '>=', first).where('counts.bucket', '<', end)
}

function countsOf(db: Database, scope: Scope): Counts {
  if ('accountId' in scope) {
    const ofAccounts = db.selectFrom('account_counts as counts')
    return ofAccounts.where('counts.account_id', '=', scope.accountId) as unknown as Counts
  }
  const ofLinks = db.selectFrom('visit_counts as counts')
  return ('linkId' in scope
    ? ofLinks.where('counts.link_id', '=', scope.linkId)
    : ofLinks.where('counts.link_id', 'in', scope.linkRows)) as unknown as Counts
}
