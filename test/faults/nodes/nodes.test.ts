import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { movedClock, noClock } from '../clock.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
import { type DatabasePair, noServer, startPair } from './database.ts'
import { countedOf, type Load, lostOf, sendLoad } from './load.ts'
import { noNetwork, openNetwork } from './network.ts'

const missing = noNetwork ?? noServer

/**
 * Visits wait for a quarter of a second before they are stored, and as long again is plenty to write them. On a busy
 * machine everything takes longer; the answer times of visitors show by how much.
 */
const mostLostMs = 500
const slownessCounts = 3

/** How long a node that is cut off uses what it knows. */
const staleMs = 300_000

describe.skipIf(missing)('three nodes on one database', () => {
  it('go on when one of them is killed, and lose no link and no visit but those of its last moment', async () => {
    const { cluster, load } = await openLoaded()
    await delay(3_000)
    const [killed] = cluster.nodes
    const lostFrom = mayBeLostFrom(load)
    await killed?.kill('SIGKILL')
    await delay(6_000)
    await load.stop()
    await expectAllBut(lateOn(killed, load, lostFrom), cluster, load)
  })

  it('go on when one of them and the primary are killed at once, and lose no more than without it', async () => {
    const { cluster, load, database } = await openLoaded()
    await delay(3_000)
    const [killed] = cluster.nodes
    const lostFrom = mayBeLostFrom(load)
    await Promise.all([killed?.kill('SIGKILL'), database.primary.end('SIGKILL')])
    await delay(3_000)
    await database.primary.resume()
    await delay(10_000)
    await load.stop()
    await expectAllBut(lateOn(killed, load, lostFrom), cluster, load)
  })

  it('follow what they know while the database is away, and count all of it later', async () => {
    const { cluster, load, database } = await openLoaded()
    await delay(3_000)
    await database.primary.end('SIGINT')
    await delay(60_000)
    await database.primary.resume()
    await delay(6_000)
    await load.stop()
    const report = await reportOf(cluster, load)
    expect(report.lost).toEqual([])
    expect(load.unfollowed).toEqual([])
    expect(await untilCounted(cluster, load, load.redirects.length)).toBe(load.redirects.length)
  })

  it('go on with the standby when the primary is killed, and lose no link and no visit', async () => {
    const { cluster, load, database } = await openLoaded()
    await delay(3_000)
    await database.primary.end('SIGKILL')
    database.primary.host.give(database.address)
    const failedAt = performance.now()
    await delay(3_000)
    await database.promote()
    await delay(10_000)
    await load.stop()
    const report = await reportOf(cluster, load, { failedAt })
    expect(report.lost).toEqual([])
    expect(load.unfollowed).toEqual([])
    expect(await untilCounted(cluster, load, load.redirects.length)).toBe(load.redirects.length)
  })

  it('go on with the standby when the machine of the primary is gone without a word', async () => {
    const { cluster, load, database } = await openLoaded()
    await delay(3_000)
    for (const other of [...cluster.nodes, database.standby]) {
      database.primary.host.cutFrom(other.host.address)
    }
    database.primary.host.give(database.address)
    await delay(3_000)
    await database.promote()
    const promotedAt = performance.now()
    await delay(30_000)
    await load.stop()
    const [madeAgainAt = Number.NaN] = load.madeAt.filter(at => at > promotedAt)
    const madeAgainAfterMs = Math.round(madeAgainAt - promotedAt)
    const report = await reportOf(cluster, load, { madeAgainAfterMs })
    expect(report.lost).toEqual([])
    expect(madeAgainAfterMs).toBeLessThan(20_000)
    expect(load.unfollowed).toEqual([])
    expect(await untilCounted(cluster, load, load.redirects.length)).toBe(load.redirects.length)
  })

  it('follow no link on a node that is cut off but for five minutes what it knows, and others as they are', async () => {
    const { cluster, load, database } = await openLoaded()
    const [one, cutOff] = cluster.nodes
    const { id, shortCode } = await createLink(cluster)
    const guarded = await createLink(cluster, { password: 'open sesame' })
    const onCutOff = async (code: string) =>
      (await cutOff?.get(`/${code}`))?.headers.get('location')
    expect(await onCutOff(shortCode)).toBe('https://example.com/')
    expect((await cutOff?.get(`/${guarded.shortCode}`))?.status).toBe(403)
    for (const address of [database.address, database.primary.host.address]) {
      cutOff?.host.cutFrom(address)
    }
    const cutAt = performance.now()
    const secondsAfter = () => Math.round((performance.now() - cutAt) / 1_000)
    const original_url = 'https://example.com/changed'
    expect((await one?.api('PATCH', `/links/${id}`, { original_url }))?.status).toBe(200)

    await expect
      .poll(async () => (await cutOff?.get(`/${guarded.shortCode}`))?.status, { interval: 200 })
      .toBe(503)
    const shutAfter = secondsAfter()
    await expect
      .poll(() => onCutOff(shortCode), { interval: 500, timeout: staleMs + 60_000 })
      .toBe(null)
    const forgottenAfter = secondsAfter()
    cutOff?.host.heal()
    await expect.poll(() => onCutOff(shortCode), { interval: 200 }).toBe(original_url)
    await delay(2_000)
    await load.stop()
    const report = await reportOf(cluster, load, { shutAfter, forgottenAfter })
    expect(shutAfter).toBeLessThanOrEqual(11)
    expect(forgottenAfter).toBeLessThanOrEqual(staleMs / 1_000 + 15)
    expect(report.lost).toEqual([])
    expect(load.unfollowed).toEqual([])
    expect(await untilCounted(cluster, load, load.redirects.length)).toBe(load.redirects.length)
  }, 900_000)

  it.skipIf(noClock)(
    'count every visit once, though the clocks of two differ by three minutes',
    async () => {
      const clocks = [-90, 90].map(seconds => movedClock(new Date(Date.now() + seconds * 1_000)))
      const { cluster, load } = await openLoaded({ env: node => clocks[node - 1]?.env ?? {} })
      await delay(8_000)
      await load.stop()
      const report = await reportOf(cluster, load)
      expect(report.lost).toEqual([])
      expect(load.unfollowed).toEqual([])
      expect(load.unmade).toEqual(new Map())
      expect(await untilCounted(cluster, load, load.redirects.length)).toBe(load.redirects.length)
    },
  )

  it('lose links where commits do not wait for the standby: the control', async () => {
    const { cluster, load, database } = await openLoaded({ isSynchronous: false })
    await delay(1_000)
    database.standby.host.cutFrom(database.primary.host.address)
    await delay(3_000)
    await database.primary.end('SIGKILL')
    database.primary.host.give(database.address)
    await database.promote()
    await delay(6_000)
    await load.stop()
    expect(await lostOf(cluster, load)).not.toEqual([])
  })
})

if (missing) it.skip(`faults of several nodes are left out: ${missing}`, () => undefined)

interface LoadedOptions extends ClusterOptions {
  readonly isSynchronous?: boolean
}

async function openLoaded(options: LoadedOptions = {}) {
  const network = openNetwork()
  const database: DatabasePair = await startPair(network, options)
  const cluster = await startCluster(network, database, options)
  return { database, cluster, load: await sendLoad(cluster) }
}

/** If a node is killed now, it may lose its visits from this moment on, by `performance.now()`. */
function mayBeLostFrom({ waitsMs }: Load): number {
  return performance.now() - mostLostMs - slownessCounts * Math.max(...waitsMs)
}

function lateOn(killed: Cluster['nodes'][number] | undefined, load: Load, from: number): number {
  return load.redirects.filter(({ node, at }) => node === killed?.name && at > from).length
}

async function expectAllBut(late: number, cluster: Cluster, load: Load): Promise<void> {
  const report = await reportOf(cluster, load, { late })
  expect(report.lost).toEqual([])
  expect(load.unfollowed).toEqual([])
  const counted = await untilCounted(cluster, load, load.redirects.length - late)
  expect(counted).toBeGreaterThanOrEqual(load.redirects.length - late)
  expect(counted).toBeLessThanOrEqual(load.redirects.length)
}

async function reportOf(cluster: Cluster, load: Load, more: object = {}) {
  const lost = await lostOf(cluster, load)
  const waits = load.waitsMs.toSorted((a, b) => a - b)
  console.log({
    ...more,
    redirects: load.redirects.length,
    unfollowed: load.unfollowed,
    p99Ms: Math.round(waits[Math.floor(waits.length * 0.99)] ?? 0),
    slowestMs: Math.round(waits.at(-1) ?? 0),
    made: load.made.size,
    unmade: load.unmade,
    lost: lost.length,
  })
  return { lost }
}

async function untilCounted(cluster: Cluster, load: Load, visits: number): Promise<number> {
  let counted = 0
  await expect
    .poll(
      async () => {
        counted = await countedOf(cluster, load)
        return counted
      },
      { interval: 500 },
    )
    .toBeGreaterThanOrEqual(visits)
  return counted
}
