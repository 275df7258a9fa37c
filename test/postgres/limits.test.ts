import { describe, expect, it, onTestFinished } from 'vitest'
import { shareThrottle } from '../../core/limits/share-throttle.ts'
import type { Tally } from '../../core/limits/tally.ts'
import { createThrottle, type Throttle } from '../../core/limits/throttle.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { server, url } from './own-server.ts'

const secret = Buffer.alloc(32, 1)

/** Throttles of three servers on one database, and how many statements they asked. */
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

/** How many of so many uses on each are allowed. */
async function allowed(throttles: readonly Throttle[], uses: number, max: number) {
  const verdicts = []
  for (let use = 0; use < uses; use += 1) {
    verdicts.push(...(await Promise.all(throttles.map(it => it('key', max, 60)))))
  }
  return verdicts.filter(it => it.allowed).length
}

describe('a limit on three servers', () => {
  it('holds for all together, but for a tenth of it on each', async () => {
    const { throttles } = await threeThrottles()
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

  it('asks the database far less than once a use', async () => {
    const { throttles, asked } = await threeThrottles()
    for (let client = 0; client < 1_000; client += 1) {
      await Promise.all(throttles.map(it => it(`client ${client}`, 600, 60)))
    }
    expect(asked.statements).toBeLessThan(100)
  })

  it('is that of each server while the database is away, and nobody waits long', async () => {
    const { throttles } = await threeThrottles()
    await server.pause()
    const startedAt = performance.now()
    expect(await allowed(throttles, 60, 50)).toBe(150)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await server.resume()
  })
})
