import type { Database, Tx } from '../../storage/database.ts'

const key = 'names.round'

/**
 * The round of tidying up that has begun last, 0 before the first. Names are noted with the round in
 * which they were last used: a clock that jumps would say nothing of the order of things.
 */
export async function roundOf(db: Database): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Begin the next round, and give its number. */
export async function beginRound(tx: Tx): Promise<number> {
  const round = (await roundOf(tx)) + 1
  const value = String(round)
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
  return round
}
