import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '../storage/database.ts'
import type { Schema } from '../storage/schema.ts'

/** Whose counts: one link's, or those of all links of an account. Both are row ids. */
export type Scope = { readonly linkId: number } | { readonly accountId: number }

/** Hours since 1970 UTC; `end` is the first one left out. */
export interface Hours {
  readonly first: number
  readonly end: number
}

export type Counts = SelectQueryBuilder<Schema, 'visit_counts', object>

/** The counts of a scope in some hours, for a query to group. */
export function countsWithin(db: Database, scope: Scope, { first, end }: Hours): Counts {
  const counts = db
    .selectFrom('visit_counts')
    .where('visit_counts.bucket', '>=', first)
    .where('visit_counts.bucket', '<', end)
  if ('linkId' in scope) return counts.where('visit_counts.link_id', '=', scope.linkId)
  return counts.where('visit_counts.link_id', 'in', links =>
    links.selectFrom('links').select('links.id').where('links.account_id', '=', scope.accountId),
  )
}
