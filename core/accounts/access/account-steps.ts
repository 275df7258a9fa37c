import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { tell } from '../../storage/outbox.ts'

/** The features without whose second steps an account cannot sign in, by name. */
export async function requiredSteps(db: Database, accountId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account_steps')
    .select('feature')
    .where('account_id', '=', accountId)
    .orderBy('feature')
    .execute()
  return rows.map(({ feature }) => feature)
}

/** Note whether an account can sign in only with the steps of a feature. */
export async function requireStep(
  db: Database,
  { accountId, feature }: { readonly accountId: number; readonly feature: string },
  isRequired: boolean,
  now: () => Date,
): Promise<void> {
  return inTransaction(db, async tx => {
    if (!isRequired) return void (await dropSteps(tx, accountId, now(), feature))
    const added = await tx
      .insertInto('account_steps')
      .values({ account_id: accountId, feature, created_at: now().getTime() })
      .onConflict(conflict => conflict.doNothing())
      .returning('feature')
      .execute()
    await tell(tx, 'step', now(), added, after => ({ accountId, after }))
  })
}

/** Let an account sign in without second steps. Returns the features that it needed. */
export function resetSteps(
  db: Database,
  accountId: number,
  now: () => Date,
): Promise<readonly string[]> {
  return inTransaction(db, tx => dropSteps(tx, accountId, now()))
}

/** When the account was last marked: a session that was proven before was proven by less. 0 if it needs no second step. */
export async function stepsSince(db: Database, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('account_steps')
    .select(({ fn }) => fn.max('created_at').as('since'))
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return Number(row?.since ?? 0)
}

/** How many accounts need the steps of each feature. */
export async function countRequiredSteps(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('account_steps')
    .select(({ fn }) => ['feature', fn.countAll<number>().as('accounts')])
    .groupBy('feature')
    .execute()
  return new Map(rows.map(({ feature, accounts }) => [feature, Number(accounts)]))
}

async function dropSteps(
  tx: Tx,
  accountId: number,
  at: Date,
  feature?: string,
): Promise<readonly string[]> {
  const all = tx.deleteFrom('account_steps').where('account_id', '=', accountId)
  const some = feature === undefined ? all : all.where('feature', '=', feature)
  const dropped = await some.returning('feature').execute()
  await tell(tx, 'step', at, dropped, before => ({ accountId, before }))
  return dropped.map(({ feature }) => feature)
}
