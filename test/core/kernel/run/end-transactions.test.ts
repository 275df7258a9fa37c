import { expect, it } from 'vitest'
import { endTransactions } from '../../../../core/kernel/run/end-transactions.ts'
import { ownTables } from '../../../../core/kernel/run/own-tables.ts'
import { openStorage } from '../../../open-storage.ts'

async function moods(ms = 100) {
  const { db } = await openStorage()
  const own = endTransactions(ownTables(db, 'acme.moods'), ms)
  await own.schema.createTable('acme_moods').addColumn('id', 'integer').execute()
  const add = (to: typeof own, id: number) => to.insertInto('acme_moods').values({ id }).execute()
  const all = async () =>
    (await own.selectFrom('acme_moods').select('id').execute()).map(({ id }) => Number(id))
  return { own, add, all }
}

it('a transaction of a plugin that waits for ever is undone, and others write', async () => {
  const { own, add, all } = await moods()
  const never = Promise.withResolvers<void>()
  let later: Promise<unknown> | undefined
  const hanging = own.transaction().execute(async tx => {
    await add(tx, 1)
    await never.promise
    later = add(tx, 2)
    await later
  })
  const other = add(own, 3)
  await expect(hanging).rejects.toThrow('its transaction was undone after 0.1 s')
  await other
  never.resolve()
  await new Promise(setImmediate)
  await expect(later).rejects.toThrow()
  expect(await all()).toEqual([3])
})

it('many transactions of a plugin that wait for ever get less time each, until one ends by itself', async () => {
  const { own, add } = await moods(1_000)
  const hang = () =>
    own
      .transaction()
      .execute(() => new Promise(() => undefined))
      .catch((error: Error) => error.message)
  const undone = (seconds: number) => `its transaction was undone after ${seconds} s`
  expect(await Promise.all([hang(), hang(), hang()])).toEqual([1, 0.1, 0.1].map(undone))
  await own.transaction().execute(async tx => void (await add(tx, 1)))
  expect(await hang()).toBe(undone(1))
})

it('control: one that ends in time is kept, and what it returns is given', async () => {
  const { own, add, all } = await moods()
  const given = await own.transaction().execute(async tx => {
    await add(tx, 1)
    return 'kept'
  })
  expect([given, await all()]).toEqual(['kept', [1]])
})
