import type { Database } from '../storage/database.ts'

/** How many accounts are on each plan that has any. */
export async function countAccountsByPlan(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('accounts')
    .select(({ fn }) => ['plan', fn.countAll<number>().as('total')])
    .groupBy('plan')
    .execute()
  return new Map(rows.map(({ plan, total }) => [plan, Number(total)]))
}

/** Move all accounts from one plan to another, and return their ids. */
export async function moveAccounts(
  db: Database,
  from: string,
  to: string,
  now: () => Date,
): Promise<readonly number[]> {
  const moved = await db
    .updateTable('accounts')
    .set({ plan: to, updated_at: now().getTime() })
    .where('plan', '=', from)
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}
