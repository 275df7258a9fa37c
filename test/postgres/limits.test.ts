import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { shareThrottle, type Tally } from '../../core/limits/share-throttle.ts'
import { createThrottle, type Throttle } from '../../core/limits/throttle.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { itAtNight } from '../at-night.ts'
import { admin, type Server as Node, serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'

const secret = Buffer.alloc(32, 1)

/** The throttles of three servers on one database, and the number of statements that they sent. */
async function threeThrottles() {
  const asked = { statements: 0 }
  const throttles: Throttle[] = []
  for (let at = 0; at < 3; at += 1) {
    const { tally, close } = await openDatabase({ url }, {})
    onTestFinished(close)
    if (!tally) throw new Error('Servers on PostgreSQL count together.')
    const counting: Tally = uses => {
      asked.statements += 1
      return tally(uses)
    }
    throttles.push(shareThrottle(createThrottle(), { tally: counting, secret }))
  }
  return { throttles, asked }
}

/** Counts how many of these uses each throttle allows. */
async function allowed(throttles: readonly Throttle[], uses: number, max: number) {
  const verdicts = []
  for (let use = 0; use < uses; use += 1) {
    verdicts.push(...(await Promise.all(throttles.map(it => it('key', max, 60)))))
  }
  return verdicts.filter(it => it.allowed).length
}

describe('a limit on three servers', () => {
  /** A throttle that waits too long for the database goes on alone, and a busy machine would decide when. */
  function stopTheClock(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
  }

  it('holds for all together, but for a tenth of it on each', async () => {
    const { throttles } = await threeThrottles()
    stopTheClock()
    const alone = throttles.map(() => createThrottle())
    expect(await allowed(alone, 60, 50)).toBe(150)
    const shared = await allowed(throttles, 60, 50)
    expect(shared).toBeGreaterThanOrEqual(50)
    expect(shared).toBeLessThanOrEqual(50 + 3 * 5)
    for (const throttle of throttles) {
      expect((await throttle.peek('key', 50, 60)).allowed).toBe(false)
      expect((await throttle.peek('another key', 50, 60)).allowed).toBe(true)
    }
  })

  it('begins anew after a clock of the database that was ahead is right again', async () => {
    const { tally, db, close } = await openDatabase({ url }, {})
    onTestFinished(close)
    if (!tally) throw new Error('Servers on PostgreSQL count together.')
    const use = async () => (await tally([{ key: 'ahead', seconds: 60, uses: 1 }]))[0]
    expect([await use(), await use()]).toMatchObject([{ uses: 1 }, { uses: 2 }])
    await sql`update limit_uses set ends_at = ends_at + interval '1 year' where key = 'ahead'`.execute(
      db,
    )
    const after = await use()
    expect(after?.uses).toBe(1)
    expect(after?.msLeft).toBeLessThanOrEqual(60_000)
  })

  it('asks the database once a second, and not once a use', async () => {
    const { throttles, asked } = await threeThrottles()
    stopTheClock()
    for (let client = 0; client < 1_000; client += 1) {
      await Promise.all(throttles.map(it => it(`client ${client}`, 600, 60)))
    }
    expect(asked.statements).toBe(0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked.statements).toBe(3)
  })

  it('is that of each server while the database is away, and nobody waits long', async () => {
    const { throttles } = await threeThrottles()
    await server.pause()
    stopTheClock()
    let longestMs = 0
    const timed = throttles.map(throttle => {
      const use = async (...how: Parameters<Throttle>) => {
        const askedAt = performance.now()
        const verdict = await throttle(...how)
        longestMs = Math.max(longestMs, performance.now() - askedAt)
        return verdict
      }
      return Object.assign(use, { peek: throttle.peek })
    })
    let isOver = false
    const allowing = allowed(timed, 60, 50).finally(() => {
      isOver = true
    })
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(10)
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(await allowing).toBe(150)
    expect(longestMs).toBeLessThanOrEqual(500)
    vi.useRealTimers()
    await server.resume()
  })
})

describe('a limit over HTTP', () => {
  /** Uses up the limit of the first server, and asks the second now and then, which hears of it. */
  async function useUp(max: number, atOnce: number, ask: (node: Node) => Promise<number>) {
    const [one, other] = await serveTwo()
    const statuses = new Set<number>()
    // Well within its minute, also on a busy machine.
    for (let asked = 0; asked < max; asked += atOnce) {
      const answers = Array.from({ length: atOnce }, () => ask(one))
      for (const status of await Promise.all(answers)) statuses.add(status)
    }
    expect(statuses.size).toBe(1)
    expect(await ask(one)).toBe(429)
    let asked = 0
    const askNext = () => {
      asked += 1
      return ask(other)
    }
    await expect.poll(askNext, { interval: 1_000 }).toBe(429)
    expect(asked).toBeLessThan(max)
    return [one, other]
  }

  it('of wrong passwords is that of two servers together', async () => {
    const signIn = (password: string) => async (node: Node) =>
      (await node.api('POST', '/session', { email: admin.email, password })).status
    const nodes = await useUp(10, 1, signIn('wrong horse'))
    expect(await Promise.all(nodes.map(signIn(admin.password)))).toEqual([429, 429])
  })

  itAtNight('of requests is that of two servers together', async () => {
    await useUp(600, 100, async node => (await node.get('/public-numbers/none')).status)
  })
})

async function serveTwo(): Promise<readonly [Node, Node]> {
  const env = { DATABASE_URL: url }
  return [await serve({ env }), await serve({ env, admin: false })]
}
