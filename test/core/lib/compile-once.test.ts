import { expect, it } from 'vitest'
import { compileOnce, type Places } from '../../../core/lib/compile-once.ts'
import type { Database } from '../../../core/storage/database.ts'
import { openStorage } from '../../open-storage.ts'
import { anOpenDatabase } from '../storage/folder.ts'

it('a query compiled once is built when it is first run, and runs with other values each time', async () => {
  let built = 0
  const put = compileOnce(
    (db: Database, { key, value }: Places<{ key: string; value: string }>) => {
      built += 1
      return db
        .insertInto('meta')
        .values({ key, value })
        .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
        .returning(['key', 'value'])
    },
  )
  const storages = await Promise.all([openStorage(), openStorage()])
  for (const { db } of storages) {
    for (const value of ['first', 'second', "'; drop table meta"]) {
      const { rows } = await put(db, { key: 'mood', value })
      expect(rows).toEqual([{ key: 'mood', value }])
    }
    await expect(
      db.transaction().execute(async tx => {
        await put(tx, { key: 'mood', value: 'undone' })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    const { rows } = await put(db, { key: 'other', value: 'kept' })
    expect(rows).toEqual([{ key: 'other', value: 'kept' }])
    expect(
      await db.selectFrom('meta').select('value').where('key', '=', 'mood').executeTakeFirst(),
    ).toEqual({ value: "'; drop table meta" })
  }
  expect(built).toBe(1)
  for (const storage of storages) await storage.close()
})

it('a query compiled once takes lists of any length, and is built once for some of them', async () => {
  let built = 0
  const find = compileOnce(
    (db: Database, { keys, not }: Places<{ keys: readonly string[]; not: string }>) => {
      built += 1
      return db
        .selectFrom('meta')
        .select('key')
        .where('key', 'in', keys)
        .where('value', '!=', not)
        .orderBy('key')
    },
  )
  const { db, close } = await openStorage()
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  await db
    .insertInto('meta')
    .values(all.map(key => ({ key, value: key })))
    .execute()
  for (let length = 0; length <= all.length; length += 1) {
    const { rows } = await find(db, { keys: all.slice(0, length), not: 'b' })
    expect(rows.map(({ key }) => key)).toEqual(all.slice(0, length).filter(key => key !== 'b'))
  }
  // None, 1, 2, 4 and 8.
  expect(built).toBe(5)
  await close()
})

it('a query compiled once reads what is committed while somebody writes, and in a transaction what that wrote', async () => {
  const find = compileOnce((db: Database, { key }: Places<{ key: string }>) =>
    db.selectFrom('meta').select('value').where('key', '=', key),
  )
  const { db } = await anOpenDatabase()
  const value = async (db: Database) => (await find(db, { key: 'mood' })).rows[0]?.value
  const write = (tx: Database, value: string) =>
    tx.insertInto('meta').values({ key: 'mood', value }).execute()
  await db.transaction().execute(async tx => {
    await write(tx, 'good')
    expect(await value(tx)).toBe('good')
    expect(await value(db)).toBeUndefined()
  })
  expect(await value(db)).toBe('good')
})
