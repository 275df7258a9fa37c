import type { Database, Tx } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'

const key = 'names.round'

/**
 * The latest round of tidying up, 0 before the first. Names are noted with the round in which they were last used,
 * because a clock that jumps would not tell their order.
 */
export async function roundOf(db: Database): Promise<number> {
  return Number((await readMeta(db, key)) ?? 0)
}

/** Begin the next round, and return its number. */
export async function beginRound(tx: Tx): Promise<number> {
  const round = (await roundOf(tx)) + 1
  await writeMeta(tx, key, String(round))
  return round
}
