import type { Database, Tx } from '../../storage/database.ts'

const key = 'names.round'

/**
 * The latest round of tidying up, 0 before the first. Names are noted with the round in which they were last used,
 * because a clock that jumps would not tell their order.
 */
export async function roundOf(db: Database): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Begin the next round, and return its number. */
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
