import { describe, expect, it, onTestFinished } from 'vitest'
import { shareThrottle } from '../../core/limits/share-throttle.ts'
import type { Tally } from '../../core/limits/tally.ts'
import { createThrottle, type Throttle } from '../../core/limits/throttle.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
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

describe('a limit over HTTP', () => {
  /** Sends this many requests to each of two servers in turn; counts the answers by status. */
  async function askBoth(
    nodes: readonly Node[],
    times: number,
    ask: (node: Node) => Promise<number>,
  ) {
    const statuses: Record<number, number> = {}
    for (let time = 0; time < times; time += 1) {
      for (const node of nodes) {
        const status = await ask(node)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    return statuses
  }

  it('of wrong passwords is that of two servers together, but for one guess on each', async () => {
    const nodes = await serveTwo()
    const signIn = (password: string) => async (node: Node) =>
      (await node.api('POST', '/session', { email: admin.email, password })).status
    const statuses = await askBoth(nodes, 10, signIn('wrong horse'))
    expect(statuses[401]).toBeGreaterThanOrEqual(10)
    expect(statuses[401]).toBeLessThanOrEqual(12)
    expect(statuses).toEqual({ 401: statuses[401], 429: 20 - (statuses[401] ?? 0) })
    expect(await askBoth(nodes, 1, signIn(admin.password))).toEqual({ 429: 2 })
  })

  it('of requests is that of two servers together, but for a tenth on each', async () => {
    const nodes = await serveTwo()
    const statuses = await askBoth(
      nodes,
      600,
      async node => (await node.get('/public-numbers/none')).status,
    )
    expect(statuses[404]).toBeGreaterThanOrEqual(600)
    expect(statuses[404]).toBeLessThanOrEqual(600 + 2 * 60)
    expect(statuses).toEqual({ 404: statuses[404], 429: 1_200 - (statuses[404] ?? 0) })
  })
})

async function serveTwo(): Promise<readonly Node[]> {
  const nodes: Node[] = []
  for (const isFirst of [true, false]) {
    const node = await serve({ env: { DATABASE_URL: url }, admin: isFirst })
    onTestFinished(async () => void (await node.kill('SIGKILL')))
    nodes.push(node)
  }
  return nodes
}
