import { expect, it } from 'vitest'
import { createWritingTime } from '../../../../core/kernel/contain/writing-time.ts'
import { endTransactions } from '../../../../core/kernel/run/end-transactions.ts'
import { unhurried } from '../../../../core/kernel/run/in-turns.ts'
import { ownTables } from '../../../../core/kernel/run/own-tables.ts'
import type { Context } from '../../../../core/plugin.ts'
import { isOnServer, openStorage } from '../../../open-storage.ts'

/** How many turns of the event loop pass while a plugin has statements that take about 100 ms one after another. */
async function turnsOf(
  choose: (context: Context) => Context,
  isInTransaction = false,
): Promise<number> {
  const { db } = await openStorage()
  const time = createWritingTime({ error: () => undefined })
  const own = ownTables(endTransactions(db, 'acme.moods', time), 'acme.moods')
  await own.schema.createTable('acme_moods').addColumn('id', 'integer').execute()
  const context = choose({ db: own } as Context)
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  const work = async (on: Context['db']) => {
    for (const until = performance.now() + 100; performance.now() < until; ) {
      await on.selectFrom('acme_moods').selectAll().execute()
    }
  }
  let next = setImmediate(count)
  if (isInTransaction) await context.db.transaction().execute(work)
  else await work(context.db)
  clearImmediate(next)
  return turns
}

it.skipIf(isOnServer)(
  'between statements of a plugin that follow each other, redirects get their turn',
  async () => {
    expect(await turnsOf(unhurried)).toBeGreaterThan(0)
    expect(await turnsOf(context => context)).toBe(0)
  },
)

it.skipIf(isOnServer)('statements of one transaction of a plugin stay together', async () => {
  expect(await turnsOf(unhurried, true)).toBe(0)
})
