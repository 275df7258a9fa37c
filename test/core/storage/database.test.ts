import { describe, expect, it, onTestFinished } from 'vitest'
import { compileOnce, type Places } from '../../../core/lib/compile-once.ts'
import {
  type Database,
  inOneGo,
  inTransaction,
  type Steps,
  step,
  type Tx,
} from '../../../core/storage/database.ts'
import { openStorage } from '../../open-storage.ts'

const put = compileOnce((db: Database, { key, value }: Places<{ key: string; value: string }>) =>
  db.insertInto('meta').values({ key, value }),
)
const find = compileOnce((db: Database, { key }: Places<{ key: string }>) =>
  db.selectFrom('meta').select('value').where('key', '=', key),
)

async function open(): Promise<Database> {
  const { db, close } = await openStorage()
  onTestFinished(close)
  return db
}
const kept = async (db: Database, key: string) => (await find(db, { key })).rows[0]?.value

/** Keeps a value under a key, and then again under another, as it was found. */
function* copying(tx: Tx, from: string, to: string): Steps<string> {
  yield* step(put.withValues(tx, { key: from, value: 'kept' }))
  const { rows } = yield* step(find.withValues(tx, { key: from }))
  const value = rows[0]?.value ?? ''
  const { numAffectedRows } = yield* step(put.withValues(tx, { key: to, value }))
  return `${value}, ${numAffectedRows}`
}

describe('statements in one go', () => {
  it('follow from the results of those before, and see what these wrote', async () => {
    const db = await open()
    expect(await inTransaction(db, tx => inOneGo(tx, copying(tx, 'a', 'b')))).toBe('kept, 1')
    expect(await kept(db, 'b')).toBe('kept')
  })

  it('end with the first that fails, and the transaction is undone', async () => {
    const db = await open()
    const twice = inTransaction(db, tx => inOneGo(tx, copying(tx, 'a', 'a')))
    await expect(twice).rejects.toThrow(/unique/i)
    expect(await kept(db, 'a')).toBeUndefined()
  })
})
