import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { isOutOfReach } from '../../../../core/storage/files/out-of-reach.ts'
import { createWriteGate } from '../../../../core/storage/open/write-gate.ts'

const full = new BetterSqlite3.SqliteError('database or disk is full', 'SQLITE_FULL')
const taken = new BetterSqlite3.SqliteError('UNIQUE constraint failed', 'SQLITE_CONSTRAINT_UNIQUE')

describe('trouble with writing', () => {
  it('is known from a write that failed, until one succeeds', () => {
    const gate = createWriteGate(() => false)
    expect(gate.trouble()).toBeUndefined()
    gate.failed(full)
    expect(gate.trouble()).toBe('database or disk is full')
    gate.succeeded()
    expect(gate.trouble()).toBeUndefined()
  })

  it('is not made of a statement that was wrong', () => {
    const gate = createWriteGate(() => false)
    gate.failed(taken)
    expect(gate.trouble()).toBeUndefined()
  })

  it('is not told of for more than a minute after the last write', () => {
    let now = 0
    const gate = createWriteGate(
      () => false,
      () => now,
    )
    gate.failed(full)
    now = 61_000
    expect(gate.trouble()).toBeUndefined()
  })

  it('lasts as long as the gate is shut, and a write then fails as on a full disk', () => {
    let isShut = true
    const gate = createWriteGate(() => isShut)
    expect(gate.trouble()).toBe('the disk is full')
    let error: unknown
    try {
      gate.check()
    } catch (thrown) {
      error = thrown
    }
    expect(isOutOfReach(error)).toBe(true)
    isShut = false
    gate.check()
    expect(gate.trouble()).toBeUndefined()
  })

  it('is noticed by writes within a hundredth of a second', () => {
    let isShut = false
    let now = 0
    const gate = createWriteGate(
      () => isShut,
      () => now,
    )
    gate.check()
    isShut = true
    now = 9
    gate.check()
    now = 10
    expect(() => gate.check()).toThrow('the disk is full')
    isShut = false
    gate.check()
  })
})
