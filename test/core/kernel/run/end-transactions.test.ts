import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createWritingTime } from '../../../../core/kernel/contain/writing-time.ts'
import { endTransactions } from '../../../../core/kernel/run/end-transactions.ts'
import { ownTables } from '../../../../core/kernel/run/own-tables.ts'
import type { Tables } from '../../../../core/plugin.ts'
import { openStorage } from '../../../open-storage.ts'

async function moods(ms = 100) {
  const { db } = await openStorage()
  const said: string[] = []
  const time = createWritingTime({ error: message => void said.push(message) }, ms)
  const own = ownTables(endTransactions(db, 'acme.moods', time), 'acme.moods')
  await own.schema.createTable('acme_moods').addColumn('id', 'integer').execute()
  const add = (to: typeof own, id: number) => to.insertInto('acme_moods').values({ id }).execute()
  const all = async () =>
    (await own.selectFrom('acme_moods').select('id').orderBy('id').execute()).map(it =>
      Number(it.id),
    )
  return { own, add, all, time, said }
}

type Db = Kysely<Tables>
type Work = (tx: Db) => Promise<void>

/** The ways in which a plugin can have a transaction of its own. */
const ways: Readonly<Record<string, (own: Db, work: Work) => Promise<unknown>>> = {
  'transaction()': (own, work) => own.transaction().execute(work),
  async 'startTransaction()'(own, work) {
    const tx = await own.startTransaction().execute()
    await work(tx)
    await tx.commit().execute()
  },
  'connection()': (own, work) => own.connection().execute(one => one.transaction().execute(work)),
  'startTransaction() on a connection()': (own, work) =>
    own.connection().execute(async one => {
      const tx = await one.startTransaction().execute()
      await work(tx)
      await tx.commit().execute()
    }),
  'transaction() without its own checks': (own, work) =>
    own.withoutPlugins().transaction().execute(work),
}

describe.each(Object.entries(ways))('begun by %s', (_, begin) => {
  it('a transaction of a plugin that waits for ever is undone, and others write', async () => {
    const { own, add, all, time, said } = await moods()
    const begun = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    const hanging = begin(own, async tx => {
      await add(tx, 1)
      begun.resolve()
      await never.promise
      await add(tx, 2)
    })
    await begun.promise
    await add(own, 3)
    expect([...time.late()]).toEqual([['acme.moods', 100]])
    never.resolve()
    await expect(hanging).rejects.toThrow('its transaction was undone after 0.1 s')
    expect(await all()).toEqual([3])
    expect(said).toEqual(['acme.moods kept everybody from writing: its transaction was undone'])
  })

  it('control: one that ends in time is kept', async () => {
    const { own, add, all, time } = await moods(10_000)
    await begin(own, async tx => void (await add(tx, 1)))
    expect([await all(), time.late().size]).toEqual([[1], 0])
  })
})

it('many transactions of a plugin that wait for ever get less time each, until one ends by itself', async () => {
  const { own, add, time } = await moods(1_000)
  const hang = () => own.startTransaction().execute()
  await Promise.all([hang(), hang(), hang()])
  await add(own, 1)
  expect([...time.late()]).toEqual([['acme.moods', 100]])
  expect(time.allowed('acme.moods', 5_000)).toBe(500)
  expect(time.allowed('acme.others')).toBe(1_000)
  await own.transaction().execute(async tx => void (await add(tx, 1)))
  expect([time.late().size, time.allowed('acme.moods')]).toEqual([0, 1_000])
})

it('a plugin cannot end the database of all', async () => {
  const { own, add, all } = await moods()
  await own.destroy()
  await add(own, 1)
  expect(await all()).toEqual([1])
})
