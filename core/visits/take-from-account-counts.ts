import { sql } from 'kysely'
import type { Tx } from '../storage/database.ts'
import { hoursABlock } from './blocks.ts'
import type { CountWindow } from './count-windows.ts'

/**
 * Take counts of a link, all or some, out of the counts of its account before they are removed. Values that
 * only this link had stay behind with a count of 0.
 */
export async function takeFromAccountCounts(
  tx: Tx,
  accountId: number,
  counts: CountWindow,
): Promise<void> {
  await take(tx, accountId, counts, 'account_counts', sql`bucket`)
  await take(tx, accountId, counts, 'account_blocks', sql`bucket / ${sql.lit(hoursABlock)}`)
}

async function take(
  tx: Tx,
  accountId: number,
  counts: CountWindow,
  table: 'account_counts' | 'account_blocks',
  bucket: ReturnType<typeof sql<number>>,
): Promise<void> {
  await tx
    .insertInto(table)
    .columns(['account_id', 'dimension', 'bucket', 'value', 'count'])
    .expression(from =>
      from
        .selectFrom('visit_counts')
        .select(({ val, neg, fn }) => [
          val(accountId).as('account_id'),
          'dimension',
          bucket.as('bucket'),
          'value',
          neg(fn.sum('count')).as('count'),
        ])
        .where(counts)
        .groupBy(['dimension', bucket, 'value']),
    )
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'dimension', 'bucket', 'value'])
        .doUpdateSet(({ eb, ref }) => ({
          count: eb(`${table}.count`, '+', ref('excluded.count')),
        })),
    )
    .execute()
}
