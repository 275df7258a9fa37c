import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keepReserve, reserveBytes, reserveOf } from '../../../../core/storage/files/reserve.ts'
import { joinSqlite, openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { itAtNight } from '../../../at-night.ts'
import { rememberingLog } from '../../accounts/fixtures.ts'
import { aDatabasePath, anOpenDatabase, makeDatabase, said, say } from '../folder.ts'

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

describe('a start', () => {
  // SQLite waits five seconds for the lock.
  itAtNight('does not spend it because another program holds the database', async () => {
    const file = aDatabasePath()
    await makeDatabase(file, 'before')
    const reserve = reserveOf(file)
    await reserve.fill()
    const holder = new BetterSqlite3(file)
    onTestFinished(() => void holder.close())
    holder.pragma('locking_mode = exclusive')
    holder.exec('begin exclusive')
    await expect(openSqlite(file)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    expect(reserve.isSpent()).toBe(false)
  })

  it('does not spend it for another trouble than a full disk, while there is room', async () => {
    const reserve = reserveOf(aDatabasePath())
    const helps = (code: string) => reserve.helps(Object.assign(new Error(code), { code }))
    for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])
      expect([code, await helps(code)]).toEqual([code, true])
    for (const code of ['EIO', 'EACCES', 'EMFILE', 'SQLITE_BUSY', 'SQLITE_CANTOPEN', 'ENOENT'])
      expect([code, await helps(code)]).toEqual([code, false])
  })

  it('fills it where it is empty and the disk has room, also that of a command', async () => {
    const file = aDatabasePath()
    await makeDatabase(file, 'before')
    writeFileSync(join(dirname(file), 'linnet.reserve'), '')
    const storage = await openSqlite(file, { serves: false })
    onTestFinished(() => storage.close())
    await say(storage.db, 'after')
    expect([said(file), sizeIn(file)]).toEqual(['after', reserveBytes])
  })

  it('by many at once fills it once', async () => {
    const file = aDatabasePath()
    const fills = Array.from({ length: 8 }, () => reserveOf(file).fill())
    expect(await Promise.all(fills)).toEqual(fills.map(() => true))
    expect(readdirSync(dirname(file))).toEqual(['linnet.reserve'])
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
