import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepLogShort, lookMs } from '../../../../core/storage/files/keep-log-short.ts'

let folder: string
let writer: BetterSqlite3.Database
let keeper: BetterSqlite3.Database
let looker: BetterSqlite3.Database
let stop: () => void

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-log-'))
  writer = connect()
  writer.pragma('journal_mode = WAL')
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('create table notes (text)')
  looker = connect()
  keeper = connect()
  vi.useFakeTimers()
  stop = keepLogShort(keeper)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  keeper.close()
  looker.close()
  writer.close()
  rmSync(folder, { recursive: true, force: true })
})

const connect = () => new BetterSqlite3(join(folder, 'linnet.db'), { timeout: 0 })

function write(pages: number): void {
  const insert = writer.prepare('insert into notes values (zeroblob(4096))')
  for (let page = 0; page < pages; page += 1) insert.run()
}

function pagesInLog(): number {
  const [{ log }] = looker.pragma('wal_checkpoint(NOOP)') as [{ readonly log: number }]
  return log
}

it('a long log is copied into the file, and begun anew', () => {
  write(2_000)
  expect(pagesInLog()).toBeGreaterThan(2_000)
  vi.advanceTimersByTime(lookMs)
  expect(pagesInLog()).toBe(1)
  expect(keeper.prepare('select count(*) as notes from notes').get()).toEqual({ notes: 2_000 })
})

it('copying the log waits for a transaction of its own, and for one of somebody else', () => {
  for (const connection of [keeper, writer]) {
    write(2_000)
    connection.exec('begin immediate')
    vi.advanceTimersByTime(3 * lookMs)
    expect(pagesInLog()).toBeGreaterThan(2_000)
    connection.exec('rollback')
    vi.advanceTimersByTime(lookMs)
    expect(pagesInLog()).toBe(1)
  }
})

it('a log that cannot be looked at is looked at again', () => {
  write(2_000)
  const look = vi.spyOn(keeper, 'pragma').mockImplementationOnce(() => {
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
  })
  vi.advanceTimersByTime(lookMs)
  expect(look).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(lookMs)
  expect(pagesInLog()).toBe(1)
})
