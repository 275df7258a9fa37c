import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keepReserve, reserveBytes, reserveOf } from '../../../../core/storage/files/reserve.ts'
import { joinSqlite } from '../../../../core/storage/open/sqlite.ts'
import { rememberingLog } from '../../accounts/fixtures.ts'
import { aDatabasePath, anOpenDatabase, said, say } from '../folder.ts'

const sizeIn = (file: string) => statSync(join(dirname(file), 'linnet.reserve')).size

describe('the reserve', () => {
  it('takes its space once it is filled, and gives it back once', async () => {
    const file = aDatabasePath()
    const reserve = reserveOf(file)
    expect([reserve.isSpent(), reserve.spend()]).toEqual([false, false])
    expect(await reserve.fill()).toBe(true)
    expect([sizeIn(file), reserve.isSpent()]).toEqual([reserveBytes, false])
    expect(reserve.spend()).toBe(true)
    expect([sizeIn(file), reserve.isSpent(), reserve.spend()]).toEqual([0, true, false])
    expect(await reserve.fill()).toBe(true)
    expect(reserve.isSpent()).toBe(false)
    expect(readdirSync(dirname(file))).toEqual(['linnet.reserve'])
  })

  it('is filled again when the disk has room', async () => {
    const file = aDatabasePath()
    writeFileSync(join(dirname(file), 'linnet.reserve'), '')
    const log = rememberingLog()
    const kept = await keepReserve(file, log)
    onTestFinished(() => kept.stop())
    expect(reserveOf(file).isSpent()).toBe(false)
  })
})

describe('while the reserve is spent', () => {
  it('nothing is written, by no connection, and everything is read', async () => {
    const { file, db } = await anOpenDatabase()
    await say(db, 'before')
    const reserve = reserveOf(file)
    await reserve.fill()
    const other = joinSqlite(file)
    onTestFinished(other.close)
    reserve.spend()

    const full = { code: 'SQLITE_FULL' }
    // A connection that wrote a moment ago may notice only at a later write: see write-gate.test.ts.
    const saidAgain = () => say(db, 'before').catch(({ code }) => ({ code }))
    await expect.poll(saidAgain, { interval: 1 }).toEqual(full)
    await expect(say(db, 'after')).rejects.toMatchObject(full)
    await expect(say(other.db, 'after')).rejects.toMatchObject(full)
    await expect(db.transaction().execute(tx => say(tx, 'after'))).rejects.toMatchObject(full)
    const read = await other.db
      .selectFrom('meta')
      .select('value')
      .where('key', '=', 'says')
      .execute()
    expect(read).toEqual([{ value: 'before' }])

    await reserve.fill()
    await say(other.db, 'after')
    expect(said(file)).toBe('after')
  })
})
