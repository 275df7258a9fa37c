import { expect, it } from 'vitest'
import { compileOnce, type Places } from '../../../core/storage/compile-once.ts'
import type { Database } from '../../../core/storage/database.ts'
import { openSqliteInMemory } from '../../../core/storage/sqlite.ts'

it('builds a query when it is first run, and runs it with other values each time', async () => {
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
  const storages = await Promise.all([openSqliteInMemory(), openSqliteInMemory()])
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
