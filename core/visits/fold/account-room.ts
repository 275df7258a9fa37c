import { createLru } from '../../lib/memory/lru.ts'
import type { Database, Tx } from '../../storage/database.ts'

/** So many values of one UTC day are kept apart for an account, over its links and dimensions. */
const maxValuesOfAccountADay = 100_000

/** Room is written down so much at a time; what a restart leaves unused of it is not kept apart. */
const portionSize = 500

/** How many accounts and days are remembered. */
const maxRemembered = 100_000

/** The room that accounts have for new values: who visits with random ones fills it, and no more. */
export interface AccountRoom {
  /** Takes room for one more value of an account on that day; false: there is none left. */
  take(tx: Tx, accountId: number, day: number): Promise<boolean>
  /** Call when the transaction failed: what it took is not taken. */
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
      // An empty portion that stays is the last one: there is no need to ask again.
      if (portion.left === 0) portion.left = await takePortion(tx, accountId, day, max)
      return true
    },
    forget: () => portions.clear(),
  }
}

/** Gives how many values there is room for now. One statement checks and takes, as for all limits. */
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

/** Forget the room that was taken on days before this one. */
export async function forgetRoom(db: Database, day: number): Promise<void> {
  await db.deleteFrom('account_values').where('day', '<', day).execute()
}
