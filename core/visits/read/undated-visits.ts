import type { Database } from '../../storage/database.ts'
import {
  accountCounts,
  type CountsTableName,
  firstHour,
  linkCounts,
  undatedBucket,
} from '../tables/counts-table.ts'
import { countsIn } from './counts-within.ts'
import type { Scope } from './scope.ts'
import type { Weigh } from './weigh.ts'

/** Adds up the visits of a scope that were brought from elsewhere without their dates. They are in no period. */
export async function undatedVisits(
  db: Database,
  scope: Scope,
  { accountId, weigh }: { readonly accountId: number; readonly weigh: Weigh },
): Promise<number> {
  // Few accounts have any, and then none of thousands of links has to be read.
  if (!(await hasUndated(db, accountId))) return 0
  let sum = 0
  const hours = { first: undatedBucket, end: undatedBucket + 1 }
  for await (const packed of countsIn(db, scope, hours)) {
    weigh(packed, (_, visits) => {
      sum += visits
    })
  }
  return sum
}

async function hasUndated(db: Database, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom(accountCounts)
    .select('owner_id')
    .where('owner_id', '=', accountId)
    .where('bucket', '=', undatedBucket)
    .executeTakeFirst()
  return row !== undefined
}

/** The first hour in which a link or an account has counts; visits from elsewhere may be older than both. */
export async function firstCountedHour(
  db: Database,
  of: { readonly linkId: number } | { readonly accountId: number },
): Promise<number | undefined> {
  const [table, owner]: readonly [CountsTableName, number] =
    'linkId' in of ? [linkCounts, of.linkId] : [accountCounts, of.accountId]
  const row = await db
    .selectFrom(table)
    .select('bucket')
    .where('owner_id', '=', owner)
    .where('bucket', '>=', firstHour)
    .orderBy('bucket')
    .limit(1)
    .executeTakeFirst()
  return row?.bucket
}
