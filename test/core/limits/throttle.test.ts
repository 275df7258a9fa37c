import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clientKey, networkOf } from '../../../core/lib/net/client-key.ts'
import { createThrottle, tooManyRequests } from '../../../core/limits/throttle.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

async function use(throttle: ReturnType<typeof createThrottle>, times: number) {
  const verdicts = []
  for (let n = 0; n < times; n += 1) verdicts.push((await throttle('key', 3, 60)).allowed)
  return verdicts
}

const spent = { allowed: false, limit: 3, remaining: 0, windowSeconds: 60 }

describe('a throttle', () => {
  test('allows so many uses of a key in a window, and not one more', async () => {
    expect(await use(createThrottle(), 5)).toEqual([true, true, true, false, false])
  })

  test('says how long to wait, in whole seconds', async () => {
    const throttle = createThrottle()
    await use(throttle, 3)
    vi.advanceTimersByTime(10_500)
    expect(await throttle('key', 3, 60)).toEqual({ ...spent, retryAfterSeconds: 50 })
    vi.advanceTimersByTime(49_400)
    expect(await throttle('key', 3, 60)).toEqual({ ...spent, retryAfterSeconds: 1 })
  })

  test('begins again when the window is over, also after being asked in between', async () => {
    const throttle = createThrottle()
    await use(throttle, 9)
    vi.advanceTimersByTime(59_999)
    expect(await use(throttle, 1)).toEqual([false])
    vi.advanceTimersByTime(1)
    expect(await use(throttle, 4)).toEqual([true, true, true, false])
  })

  test('counts keys, limits and throttles apart', async () => {
    const throttle = createThrottle()
    await use(throttle, 4)
    expect(await throttle('other', 3, 60)).toMatchObject({ allowed: true })
    expect(await throttle('key', 4, 60)).toMatchObject({ allowed: true })
    expect(await throttle('key', 3, 61)).toMatchObject({ allowed: true })
    expect(await use(createThrottle(), 1)).toEqual([true])
  })

  test('says what one more use would be told, without counting it', async () => {
    const throttle = createThrottle()
    const peek = async () => (await throttle.peek('key', 3, 60)).remaining
    expect([await peek(), await peek()]).toEqual([3, 3])
    await use(throttle, 2)
    vi.advanceTimersByTime(10_000)
    const untilThen = { limit: 3, windowSeconds: 60, retryAfterSeconds: 50 }
    const last = { allowed: true, remaining: 1 }
    expect(await throttle.peek('key', 3, 60)).toEqual({ ...untilThen, ...last })
    expect(await use(throttle, 1)).toEqual([true])
    expect(await throttle.peek('key', 3, 60)).toEqual({ ...spent, ...untilThen })
  })

  test('keeps to its window when the clock is set back', async () => {
    const throttle = createThrottle()
    await use(throttle, 4)
    vi.setSystemTime(new Date('2026-11-18T12:00:00.000Z'))
    expect(await throttle('key', 3, 60)).toEqual({ ...spent, retryAfterSeconds: 60 })
    vi.advanceTimersByTime(60_000)
    expect(await use(throttle, 1)).toEqual([true])
  })

  test('keeps nothing of a window that is over', async () => {
    const throttle = createThrottle()
    for (let n = 0; n < 100; n += 1) await throttle(`key ${n}`, 3, 60)
    expect(vi.getTimerCount()).toBe(100)
    vi.advanceTimersByTime(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a client that must wait is told for how long', () => {
  expect(tooManyRequests({ ...spent, retryAfterSeconds: 12 })).toMatchObject({
    kind: 'refuse',
    code: 'too_many_requests',
    detail: 'Too many attempts. Wait 12 seconds.',
    status: 429,
    details: { retryAfterSeconds: 12, limit: 3, windowSeconds: 60 },
  })
  expect(tooManyRequests({ ...spent, retryAfterSeconds: 1 }).detail).toContain('1 second.')
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unix', 'unix'],
])('the client at %s counts as %s', (ip, key) => {
  expect(clientKey(ip)).toBe(key)
})

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['192.0.2.1', undefined],
  ['', undefined],
])('the network around %s is %s', (key, network) => {
  expect(networkOf(key)).toBe(network)
})
