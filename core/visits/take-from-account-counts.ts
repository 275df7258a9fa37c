import type { Tx } from '../storage/database.ts'

/**
 * Take what was counted of a link out of the counts of its account, before the link is deleted and its
 * own counts with it. Values that only this link had stay behind with a count of 0.
 */
export async function takeFromAccountCounts(
  tx: Tx,
  { rowId, accountId }: { readonly rowId: number; readonly accountId: number },
): Promise<void> {
  await tx
    .insertInto('account_counts')
    .columns(['account_id', 'dimension', 'bucket', 'value', 'count'])
    .expression(from =>
      from
        .selectFrom('visit_counts')
        .select(({ val, neg, ref }) => [
          val(accountId).as('account_id'),
          'dimension',
          'bucket',
          'value',
          neg(ref('count')).as('count'),
        ])
        .where('link_id', '=', rowId),
    )
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'dimension', 'bucket', 'value'])
        .doUpdateSet(({ eb, ref }) => ({
          count: eb('account_counts.count', '+', ref('excluded.count')),
        })),
    )
    .execute()
}
