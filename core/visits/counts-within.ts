import type { SelectQueryBuilder } from 'kysely'
import type { LinkRows } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import type { AccountCountsTable, Schema } from '../storage/schema.ts'
import { partByBlocks } from './blocks.ts'
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

/**
 * The same for sums over the whole span: of an account, what lies in whole blocks is read as such, which
 * of a year is a fifth of the rows. When in a block something was counted, its row does not say.
 */
export function sumsWithin(db: Database, scope: Scope, hours: Hours): Counts {
  const parts = 'accountId' in scope ? partByBlocks(hours) : undefined
  if (!parts || !('accountId' in scope)) return countsWithin(db, scope, hours)
  const select = (table: 'account_counts' | 'account_blocks', { first, end }: Hours) =>
    db
      .selectFrom(table)
      .select(['dimension', 'value', 'bucket', 'count'])
      .where('account_id', '=', scope.accountId)
      .where('bucket', '>=', first)
      .where('bucket', '<', end)
  const all = select('account_blocks', parts.blocks)
    .unionAll(select('account_counts', parts.before))
    .unionAll(select('account_counts', parts.after))
  return db.selectFrom(all.as('counts')) as unknown as Counts
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
