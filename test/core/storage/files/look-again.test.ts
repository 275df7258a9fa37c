import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createDamage } from '../../../../core/storage/files/damage.ts'
import { expectWhole } from '../../../../core/storage/files/integrity.ts'
import { lookAgain } from '../../../../core/storage/files/look-again.ts'
import { aDatabasePath } from '../folder.ts'

const malformed = new BetterSqlite3.SqliteError(
  'database disk image is malformed',
  'SQLITE_CORRUPT',
)

/** A database, and what reads it again while somebody finds damage. */
function aDatabase() {
  const file = aDatabasePath()
  const raw = new BetterSqlite3(file)
  raw.exec('create table notes (text)')
  raw.exec('insert into notes values (zeroblob(20000))')
  raw.close()
  const well = readFileSync(file)

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const damage = createDamage()
  const stopping = new AbortController()
  const lookedAt: number[] = []
  const told: string[] = []
  const check = () => {
    lookedAt.push(performance.now() / 1_000)
    return expectWhole(file)
  }
  const log = { info: (message: string) => void told.push(message), warn: vi.fn(), error: vi.fn() }
  lookAgain(damage, check, log, stopping.signal)
  return {
    damage,
    lookedAt,
    told,
    stop: () => stopping.abort(),
    spoil: () => write(file, Buffer.alloc(4_096), 4_096),
    heal: () => write(file, well, 0),
  }
}

function write(file: string, bytes: Buffer, at: number): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

it('a database that was found damaged is well again by itself once all of it can be read, and no earlier', async () => {
  const { damage, told, spoil, heal } = aDatabase()
  spoil()
  damage.report(malformed)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(damage.found()).toBe(malformed.message)
  heal()
  await vi.advanceTimersByTimeAsync(64_000)
  expect(damage.found()).toBeUndefined()
  expect(told).toEqual(['All of the database was read again: it is not damaged.'])

  damage.report(malformed)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(damage.found()).toBeUndefined()
})

it('a damaged database is read again after pauses that double up to ten minutes, and no more after a stop', async () => {
  const { damage, lookedAt, spoil, stop } = aDatabase()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(lookedAt).toEqual([])
  const beganAt = performance.now() / 1_000
  spoil()
  damage.report(malformed)
  await vi.advanceTimersByTimeAsync(3_000_000)
  const pauses = lookedAt.map((at, index) => at - (lookedAt[index - 1] ?? beganAt))
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
  stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(lookedAt).toHaveLength(pauses.length)
})
