import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../../core/http/server/log.ts'
import { createSecurityLog } from '../../../core/limits/security-log.ts'
import { createThrottle } from '../../../core/limits/throttle.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

function aLog(showsClients = false) {
  const lines: string[] = []
  const log = createLog('info', { write: line => lines.push(line) })
  return { lines, note: createSecurityLog({ log, throttle: createThrottle(), showsClients }) }
}

const guess = { client: '203.0.113.7', secret: 'sign-in', of: 'acc_1' }

describe('a line of the security log', () => {
  test('says what was guessed at, and not from where', async () => {
    const { lines, note } = aLog()
    await note('wrong_guess', guess)
    expect(lines.join('')).not.toContain('203.0.113.7')
    expect(JSON.parse(lines.join(''))).toEqual({
      level: 'warn',
      time: '2026-11-20T12:00:00.000Z',
      event: 'wrong_guess',
      secret: 'sign-in',
      of: 'acc_1',
      message: 'A wrong guess',
    })
  })

  test('says from which address if the operator wants that', async () => {
    const { lines, note } = aLog(true)
    await note('refused_token', { client: '2001:db8:1:2::/64' })
    await note('wrong_guess', { client: undefined, secret: 'current password', of: 'acc_1' })
    expect(lines.map(line => JSON.parse(line).client)).toEqual(['2001:db8:1:2::/64', undefined])
  })
})

describe('a flood of wrong guesses', () => {
  test('of one client fills no disk, hides no other, and what was left out is said', async () => {
    const { lines, note } = aLog()
    for (let n = 0; n < 1_000; n += 1) await note('refused_token', { client: '203.0.113.7' })
    expect(lines).toHaveLength(30)
    await note('refused_token', { client: '192.0.2.1' })
    expect(JSON.parse(lines.at(-1) ?? '').leftOut).toBe(970)
    await vi.advanceTimersByTimeAsync(60_000)
    await note('refused_token', { client: '203.0.113.7' })
    expect(lines).toHaveLength(32)
    expect(JSON.parse(lines.at(-1) ?? '').leftOut).toBeUndefined()
  })

  test('from ever new addresses takes neither disk nor memory', async () => {
    const { lines, note } = aLog()
    for (let n = 0; n < 2_000; n += 1) await note('refused_token', { client: `client ${n}` })
    expect(lines).toHaveLength(600)
    expect(vi.getTimerCount()).toBeLessThan(610)
  })
})
