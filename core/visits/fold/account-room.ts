import { createLru } from '../../lib/memory/lru.ts'
import type { Database, Tx } from '../../storage/database.ts'

/** How many values are counted separately for an account in one UTC day, over all its links and dimensions. */
const maxValuesOfAccountADay = 100_000

/** How much room is reserved in the database at a time; a restart loses what is unused of it. */
const portionSize = 500

/** How many pairs of account and day to remember. */
const maxRemembered = 100_000

/** The room of accounts for new values: random values can fill it, but not exceed it. */
export interface AccountRoom {
  /** Takes room for one more value of an account on a day; false if there is none left. */
  take(tx: Tx, accountId: number, day: number): Promise<boolean>
  /** Call this when the transaction failed: nothing was taken. */
  forget(): void
}

export function createAccountRoom(max = maxValuesOfAccountADay): AccountRoom {
  /** What is left of the last portion, by account and day. */
  const portions = createLru<string, { left: number }>(maxRemembered)

  async function portionOf(tx: Tx, accountId: number, day: number) {
    const key = `${accountId} ${day}`
    const known = portions.get(key)
    if (known) return known
    const fresh = { left: await takePortion(tx, accountId, day, max) }
    portions.set(key, fresh)
    return fresh
  }

  return {
    async take(tx, accountId, day) {
      const portion = await portionOf(tx, accountId, day)
      if (portion.left === 0) return false
      portion.left -= 1
      // A remembered portion that is empty is the last one, so there is no need to ask again.
      if (portion.left === 0) portion.left = await takePortion(tx, accountId, day, max)
      return true
    },
    forget: () => portions.clear(),
  }
}

/** Returns how many values there is room for now. One statement checks and takes, as for all limits. */
async function takePortion(tx: Tx, accountId: number, day: number, max: number): Promise<number> {
  const size = Math.min(portionSize, max)
  const taken = await tx
    .insertInto('account_values')
    .values({ account_id: accountId, day, count: size })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet(({ eb }) => ({ count: eb('account_values.count', '+', size) }))
        .where('account_values.count', '<=', max - size),
    )
    .returning('count')
    .executeTakeFirst()
  return taken ? size : 0
}

/** Deletes the records of room that was taken before this day. */
export async function forgetRoom(db: Database, day: number): Promise<void> {
  await db.deleteFrom('account_values').where('day', '<', day).execute()
}
