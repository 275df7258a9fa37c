import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { copyDatabase } from '../../../core/storage/copy-database.ts'
import { restoreDatabase } from '../../../core/storage/restore.ts'
import { expectedFile, openSqlite } from '../../../core/storage/sqlite.ts'
import { aDatabasePath, makeDatabase, said, say } from './folder.ts'

const now = Date.UTC(2026, 10, 20, 12)

/** A database that says `new`, and a copy of it that says `old`. */
async function aHouse() {
  const file = aDatabasePath()
  const copy = join(dirname(file), 'copy.db')
  await makeDatabase(file, 'old')
  await copyDatabase(file, copy)
  await makeDatabase(file, 'new')
  return { file, copy, folder: dirname(file) }
}

const restore = (from: string, file: string) =>
  restoreDatabase(from, file, { ...expectedFile, now })

describe('a restore', () => {
  it('puts the copy in place, and keeps what was there before', async () => {
    const { file, copy, folder } = await aHouse()
    const { kept = '' } = await restore(copy, file)
    expect(kept).toBe(join(folder, 'backups', 'before-restore-20261120T120000Z.db'))
    expect([said(file), said(kept), said(copy)]).toEqual(['old', 'new', 'old'])
    expect(readdirSync(folder).sort()).toEqual(['backups', 'copy.db', 'linnet.db'])
  })

  it('is not mixed with the log that a crash left beside the database', async () => {
    const { file, copy } = await aHouse()
    await leaveLog(file, 'newer')
    expect(existsSync(`${file}-wal`)).toBe(true)
    const { kept = '' } = await restore(copy, file)
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect([said(file), said(kept)]).toEqual(['old', 'newer'])
  })

  it('keeps the very bytes of a database that is damaged', async () => {
    const { file, copy } = await aHouse()
    writeFileSync(file, 'garbage')
    writeFileSync(`${file}-wal`, 'its log')
    const { kept = '' } = await restore(copy, file)
    expect(readFileSync(kept, 'utf8')).toBe('garbage')
    expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('its log')
    expect(said(file)).toBe('old')
  })

  it('needs no database to be there', async () => {
    const { copy, folder } = await aHouse()
    const file = join(folder, 'other.db')
    expect(await restore(copy, file)).toEqual({ kept: undefined })
    expect(said(file)).toBe('old')
  })
})

describe('a copy', () => {
  const spoilt: [string, (copy: string) => void, RegExp][] = [
    ['is garbage', copy => writeFileSync(copy, 'hello '.repeat(100)), /does not start as a SQLite/],
    ['is empty', copy => truncateSync(copy, 0), /it is empty/],
    ['lost its end', copy => truncateSync(copy, 40_000), /ends after 40000 of/],
    ['belongs to another program', copy => overwrite(copy, 68, 1), /not one of Linnet's/],
    ['was written by a newer version', copy => overwrite(copy, 60, 99), /a newer Linnet/],
    ['is damaged inside', copy => scribble(copy), /could not be copied/],
  ]

  it.each(spoilt)('that %s is refused, and nothing is changed', async (_, spoil, why) => {
    const { file, copy, folder } = await aHouse()
    spoil(copy)
    const before = readFileSync(file)
    await expect(restore(copy, file)).rejects.toThrow(why)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'linnet.db'])
  })
})

describe('a restore that is broken off', () => {
  it('before it was decided leaves the database as it was', async () => {
    const { file, copy } = await aHouse()
    copyFileSync(copy, `${file}.restoring`)
    appendFileSync(`${file}.restoring.unfinished`, 'half')
    await (await openSqlite(file)).close()
    expect(said(file)).toBe('new')
    await restore(copy, file)
    expect(said(file)).toBe('old')
  })

  it.each([
    ['the log was there still', async (file: string) => leaveLog(file, 'newer')],
    ['the log was gone', async () => undefined],
  ])('once it was decided is completed by who opens the database next: %s', async (_, leave) => {
    const { file, copy } = await aHouse()
    await leave(file)
    copyFileSync(copy, `${file}.restored`)
    const storage = await openSqlite(file)
    const { value } = await storage.db
      .selectFrom('meta')
      .select('value')
      .where('key', '=', 'says')
      .executeTakeFirstOrThrow()
    await storage.close()
    expect(value).toBe('old')
    expect(existsSync(`${file}.restored`)).toBe(false)
  })
})

/** Leave a log beside the database with something that the file does not say. */
async function leaveLog(file: string, says: string): Promise<void> {
  const aside = `${file}.aside`
  const storage = await openSqlite(file)
  await say(storage.db, says)
  copyFileSync(file, aside)
  copyFileSync(`${file}-wal`, `${aside}-wal`)
  await storage.close()
  copyFileSync(aside, file)
  copyFileSync(`${aside}-wal`, `${file}-wal`)
}

function overwrite(file: string, offset: number, value: number): void {
  const bytes = readFileSync(file)
  bytes.writeUInt32BE(value, offset)
  writeFileSync(file, bytes)
}

function scribble(file: string): void {
  const raw = new BetterSqlite3(file)
  raw.unsafeMode()
  raw.pragma('writable_schema = ON')
  raw.exec(`update sqlite_master set rootpage = 4096 where name = 'accounts'`)
  raw.close()
}
