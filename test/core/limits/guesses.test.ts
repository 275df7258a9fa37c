import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBoundedQueue, Overloaded } from '../../../core/lib/async/bounded-queue.ts'
import { createGuesses, kindOfPlugin, kinds } from '../../../core/limits/guesses.ts'
import { createThrottle } from '../../../core/limits/throttle.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const link = kindOfPlugin('link.passwordProtection')
const right = async () => true
const wrong = async () => false

function aDoor() {
  const noted: object[] = []
  const queue = createBoundedQueue({ atOnce: 2, maxWaiting: 16, maxWaitMs: 1_000 })
  const check = createGuesses({
    throttle: createThrottle(),
    queue,
    note: async (event, details) => {
      noted.push({ event, ...details })
    },
  })
  /** A guess that lasts until it is told to end. */
  function slow(kind: typeof link | typeof kinds.signIn, of: string, by: string) {
    let end: (isRight: boolean) => void = () => undefined
    const isRight = new Promise<boolean>(resolve => {
      end = resolve
    })
    const guess = { hasBegun: false, end: () => end(true), done: Promise.resolve<unknown>(0) }
    guess.done = check(kind, { of, by }, () => {
      guess.hasBegun = true
      return isRight
    }).catch(error => error)
    return guess
  }
  return { check, noted, slow }
}

/** All that can go on without time passing has gone on. */
const settled = () => vi.advanceTimersByTimeAsync(0)

const refused = { kind: 'refuse', code: 'too_many_requests', status: 429 }
const client = (n: number) => `203.0.113.${n}`

test('a check that never ends keeps its turn from others for fifteen seconds, and no longer', async () => {
  const { check, slow } = aDoor()
  const hung = [slow(link, 'lnk_1', client(1)), slow(link, 'lnk_2', client(2))]
  await settled()
  const early = slow(kinds.signIn, 'ada', client(3))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await early.done).toBeInstanceOf(Overloaded)
  await vi.advanceTimersByTimeAsync(14_000)
  for (const { done } of hung) expect(await done).toBeInstanceOf(Overloaded)
  expect(await check(kinds.signIn, { of: 'ada', by: client(3) }, right)).toBe(true)
})

describe('whoever guessed wrong before', () => {
  test('waits behind everybody else, of accounts and of links, and is the first to be sent away', async () => {
    const { check, slow } = aDoor()
    for (let n = 0; n < 20; n += 1) {
      await check(kinds.signIn, { of: `nobody${n}`, by: client(n) }, wrong)
      await check(link, { of: 'lnk_1', by: client(n) }, wrong)
    }
    const guessers = Array.from({ length: 20 }, (_, n) => [
      slow(kinds.signIn, `nobody${n}`, client(n)),
      slow(link, 'lnk_1', client(n)),
    ]).flat()
    await settled()
    const running = guessers.filter(({ hasBegun }) => hasBegun)
    expect(running).toHaveLength(2)

    const others = [slow(kinds.signIn, 'ada', '192.0.2.1'), slow(link, 'lnk_1', '192.0.2.1')]
    await settled()
    for (const { end } of running) end()
    await settled()
    expect(others.map(({ hasBegun }) => hasBegun)).toEqual([true, true])

    for (const { end } of [...others, ...guessers]) end()
    expect(await Promise.all(others.map(({ done }) => done))).toEqual([true, true])
    const outcomes = await Promise.all(guessers.map(({ done }) => done))
    expect(outcomes.filter(it => it instanceof Overloaded).length).toBeGreaterThanOrEqual(6)
  })

  test('waits behind who was right before, also where many were never seen', async () => {
    const { check, slow } = aDoor()
    await check(kinds.signIn, { of: 'ada', by: '192.0.2.1' }, right)
    vi.advanceTimersByTime(10_000)
    const strangers = Array.from({ length: 30 }, (_, n) =>
      slow(kinds.signIn, `nobody${n}`, client(n)),
    )
    await settled()
    const ada = slow(kinds.signIn, 'ada', '192.0.2.1')
    await settled()
    strangers[0]?.end()
    await settled()
    expect(ada.hasBegun).toBe(true)
    for (const { end } of [ada, ...strangers]) end()
    expect(await ada.done).toBe(true)
    await Promise.all(strangers.map(({ done }) => done))
  })
})

describe('in a flood from addresses that were never seen', () => {
  const flood = ({ slow }: ReturnType<typeof aDoor>, first: number, guesses: number) =>
    Array.from({ length: guesses }, (_, n) => slow(link, 'lnk_1', client(first + n)))
  /** From now on, the lots that are drawn: the higher the better. */
  const draw = (lot: number) => vi.spyOn(Math, 'random').mockReturnValue(lot)
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('who comes again goes first, whatever lot is drawn', async () => {
    const door = aDoor()
    draw(0.999)
    const guessers = flood(door, 0, 18)
    await settled()
    draw(0)
    expect(await door.slow(link, 'lnk_1', '192.0.2.1').done).toBeInstanceOf(Overloaded)
    const again = door.slow(link, 'lnk_1', '192.0.2.1')
    draw(0.999)
    guessers.push(...flood(door, 18, 100))
    await settled()
    guessers[0]?.end()
    await settled()
    expect(again.hasBegun).toBe(true)
    for (const { end } of [again, ...guessers]) end()
    expect(await again.done).toBe(true)
    await Promise.all(guessers.map(({ done }) => done))
  })

  test('who comes again goes first too after ten seconds with 2,000 new addresses in each', async () => {
    const door = aDoor()
    draw(0.999)
    const full = flood(door, 0, 18)
    await settled()
    const turnAway = async (by: string) => {
      draw(0)
      expect(await door.slow(link, 'lnk_1', by).done).toBeInstanceOf(Overloaded)
    }
    await turnAway('192.0.2.1')
    for (let n = 0; n < 20_000; n += 1) await turnAway(`once ${n}`)
    const again = door.slow(link, 'lnk_1', '192.0.2.1')
    await settled()
    full[0]?.end()
    await settled()
    expect(again.hasBegun).toBe(true)
    for (const { end } of [again, ...full]) end()
    expect(await again.done).toBe(true)
    await Promise.all(full.map(({ done }) => done))
  })

  test('a lot decides between those who come for the first time, not the moment', async () => {
    const door = aDoor()
    draw(0.5)
    const guessers = flood(door, 0, 18)
    await settled()
    draw(0.9)
    const lucky = door.slow(link, 'lnk_1', '192.0.2.1')
    await settled()
    draw(0.5)
    guessers.push(...flood(door, 18, 100))
    await settled()
    guessers[0]?.end()
    await settled()
    expect(lucky.hasBegun).toBe(true)
    for (const { end } of [lucky, ...guessers]) end()
    expect(await lucky.done).toBe(true)
    await Promise.all(guessers.map(({ done }) => done))
  })
})

test('a client that knows one password keeps nobody from another', async () => {
  const { check, slow } = aDoor()
  const knows = client(1)
  await check(link, { of: 'lnk_1', by: knows }, right)
  const many = Array.from({ length: 30 }, () => slow(link, 'lnk_1', knows))
  await settled()
  const other = slow(link, 'lnk_2', '192.0.2.1')
  await settled()
  many[0]?.end()
  await settled()
  expect(other.hasBegun).toBe(true)
  for (const { end } of [other, ...many]) end()
  expect(await other.done).toBe(true)
  await Promise.all(many.map(({ done }) => done))
})

test('an account that was guessed at stays open to its owner, also where others were right at theirs from anywhere', async () => {
  const { check } = aDoor()
  await check(kinds.signIn, { of: 'acc_ada', by: '192.0.2.1' }, right)
  for (let n = 0; n < 21_000; n += 1) {
    await check(kinds.signIn, { of: 'acc_eve', by: `network ${n}` }, right)
  }
  for (let n = 0; n < 110; n += 1) {
    await check(kinds.signIn, { of: 'acc_ada', by: `network ${n}` }, wrong)
  }
  const ada = (by: string) => check(kinds.signIn, { of: 'acc_ada', by }, right)
  expect(await ada('192.0.2.2')).toMatchObject(refused)
  expect(await ada('192.0.2.1')).toBe(true)
})

describe('limits', () => {
  test('are kept at the turn too: guesses at the same moment pass them by one at most', async () => {
    const { check } = aDoor()
    let checked = 0
    const guess = () =>
      check(link, { of: 'lnk_1', by: client(1) }, async () => {
        checked += 1
        return false
      })
    await Promise.all(Array.from({ length: 16 }, guess))
    expect(checked).toBeGreaterThanOrEqual(link.perMinute)
    expect(checked).toBeLessThanOrEqual(link.perMinute + 1)
  })

  test('of a link that is guessed at a lot grow from a minute to an hour, and it shuts to nobody', async () => {
    const { check } = aDoor()
    const guess = (by: string, isRight = wrong) => check(link, { of: 'lnk_1', by }, isRight)
    for (let n = 0; n < 20; n += 1) {
      for (let times = 0; times < 5; times += 1) expect(await guess(client(n))).toBe(false)
    }
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await guess(client(0), right)).toMatchObject(refused)
    expect(await guess('192.0.2.1')).toBe(false)
    expect(await guess('192.0.2.1', right)).toBe(true)
    expect(await guess('192.0.2.2', right)).toBe(true)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(await guess(client(0), right)).toBe(true)
  })

  test('of one client hold for all secrets together', async () => {
    const { check } = aDoor()
    const guess = (n: number, by = client(1)) => check(link, { of: `lnk_${n}`, by }, wrong)
    for (let n = 0; n < 60; n += 1) expect(await guess(n)).toBe(false)
    expect(await guess(60)).toMatchObject({ ...refused, details: { retryAfterSeconds: 60 } })
    expect(await guess(60, client(2))).toBe(false)
  })
})

test('what is wrong, and who is refused, is noted', async () => {
  const { check, noted } = aDoor()
  const guess = { of: 'lnk_1', by: client(1) }
  await check(link, guess, right)
  expect(noted).toEqual([])
  for (let n = 0; n < 6; n += 1) await check(link, guess, wrong)
  const details = { client: client(1), secret: 'link.passwordProtection', of: 'lnk_1' }
  expect(noted).toHaveLength(6)
  expect(noted.at(0)).toEqual({ event: 'wrong_guess', ...details })
  expect(noted.at(5)).toEqual({ event: 'too_many_guesses', ...details })
})
