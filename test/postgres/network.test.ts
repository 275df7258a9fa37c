import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import type { OpenOptions } from '../../core/storage/open/postgres.ts'
import { createRecorder } from '../../core/visits/collect/recorder.ts'
import {
  addAccount,
  addLink,
  dimensions,
  listeningLog,
  totalsIn,
  visitOf,
} from '../core/visits/fixtures.ts'
import { createLink, serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'
import { startRelay } from './relay.ts'

const patiently = { interval: 100 }

async function openThroughRelay(options: OpenOptions = {}) {
  const relay = await startRelay(server.folder, url)
  const storage = await openDatabase({ url: relay.url }, options)
  onTestFinished(() => storage.close())
  return { relay, storage }
}

it('a link is found although all connections that look it up are dead, and nobody has noticed', async () => {
  const { relay, storage } = await openThroughRelay()
  await Promise.all([storage.canFollow(), storage.findLink('', 'nobody')])
  relay.breakWhenUsed()
  expect(await storage.findLink('', 'nobody')).toBeUndefined()
  expect(relay.lost()).toBeGreaterThan(0)
})

it('a write whose answer never comes fails once messages of other servers come no more', async () => {
  const { relay, storage } = await openThroughRelay({ serves: true })
  const stopped = relay.stopAt(['insert into "meta"'])
  const adding = storage.db.insertInto('meta').values({ key: 'gone', value: '' }).execute()
  const failure = adding.catch((error: Error) => error.message)
  await stopped
  relay.breakWhenUsed()
  // Else it waits until its time is over.
  expect(await failure).toMatch(/terminated|ECONNRESET/)
})

describe('a connection that is lost at a commit', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('%s the server hears of it fails for who writes: the control', async (when, rows) => {
    const { relay, storage } = await openThroughRelay()
    const { db } = storage
    relay.loseCommit(when)
    const adding = db.insertInto('meta').values({ key: 'it', value: '' }).execute()
    await expect(adding).rejects.toThrow()
    expect(relay.lost()).toBe(1)
    const found = () => db.selectFrom('meta').select('key').where('key', '=', 'it').execute()
    expect(await found()).toHaveLength(rows)
  })

  it('counts each visit once, while visits are stored and while they are folded', async () => {
    const { relay, storage } = await openThroughRelay()
    const link = await addLink(storage.db, await addAccount(storage.db))
    const log = listeningLog()
    const recorder = createRecorder({ storage, features: [], dimensions, log, intervalMs: 1 })
    onTestFinished(async () => void (await recorder.close()))
    let visits = 0
    // A batch and its fold are two commits: the first lost commit is the batch's, the second the fold's.
    for (const lost of [
      ['before'],
      ['after'],
      [undefined, 'before'],
      [undefined, 'after'],
      ['after', 'after'],
    ] as const) {
      for (let visit = 0; visit < 50; visit += 1) recorder.record(visitOf(link))
      visits += 50
      const before = relay.lost()
      for (const when of lost) {
        if (when === undefined) await untilStored()
        else {
          relay.loseCommit(when)
          const has = relay.lost()
          await expect
            .poll(async () => {
              await recorder.catchUp().catch(() => undefined)
              return relay.lost()
            }, patiently)
            .toBe(has + 1)
        }
      }
      await expect
        .poll(async () => {
          await recorder.catchUp().catch(() => undefined)
          return totalsIn(storage.db).catch(() => undefined)
        }, patiently)
        .toEqual({ [link.id]: visits })
      expect(relay.lost()).toBe(before + lost.filter(when => when !== undefined).length)
    }

    async function untilStored(): Promise<void> {
      const waiting = () => storage.db.selectFrom('visit_batches').select('id').execute()
      await expect.poll(waiting, patiently).not.toEqual([])
    }
  })
})

describe('a network that is slow and stands still', () => {
  it('delays no redirect of a known link, loses no link that was made, and counts each visit once', async () => {
    const relay = await startRelay(server.folder, url)
    const node = await serve({ env: { DATABASE_URL: relay.url } })
    onTestFinished(async () => void (await node.kill('SIGKILL')))
    const followed: Awaited<ReturnType<typeof createLink>>[] = []
    for (let link = 0; link < 5; link += 1) followed.push(await createLink(node))
    for (const { shortCode } of followed) await node.get(`/${shortCode}`)
    relay.slowDown(50)

    const redirectMs: number[] = []
    const createMs: number[] = []
    const statuses = new Map<number, number>()
    const made = new Map<string, string>()
    let isOver = false
    const visitors = Array.from({ length: 4 }, async (_, visitor) => {
      for (let visit = visitor; !isOver; visit += 1) {
        const askedAt = performance.now()
        const { status } = await node.get(`/${followed[visit % followed.length]?.shortCode}`)
        expect(status).toBe(302)
        redirectMs.push(performance.now() - askedAt)
        await delay(20)
      }
    })
    const makers = Array.from({ length: 4 }, async (_, maker) => {
      for (let link = 0; !isOver; link += 1) {
        const original_url = `https://example.com/${maker}/${link}`
        const askedAt = performance.now()
        const { status, body } = await node.api('POST', '/links', { original_url })
        createMs.push(performance.now() - askedAt)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 201) made.set(body.data.shortCode, original_url)
        else expect(body).toMatchObject({ status: 503, code: expect.any(String) })
      }
    })
    for (let stall = 0; stall < 2; stall += 1) {
      await delay(1_000)
      const goOn = relay.stall()
      const before = redirectMs.length
      await delay(2_000)
      // All of these but what was on its way are answered while the database cannot be.
      await expect.poll(() => redirectMs.length).toBeGreaterThan(before + 50)
      goOn()
    }
    isOver = true
    await Promise.all([...visitors, ...makers])
    relay.slowDown(0)

    const [redirects, creations] = [redirectMs, createMs].map(all => all.toSorted((a, b) => a - b))
    console.log({
      redirects: redirects?.length,
      medianMs: Math.round(redirects?.[redirects.length >> 1] ?? 0),
      slowestMs: Math.round(redirects?.at(-1) ?? 0),
      created: Object.fromEntries(statuses),
      medianCreateMs: Math.round(creations?.[creations.length >> 1] ?? 0),
      slowestCreateMs: Math.round(creations?.at(-1) ?? 0),
    })
    // The network did slow them down: a statement takes a tenth of a second there and back.
    expect(creations?.[0]).toBeGreaterThan(100)
    expect(creations?.at(-1)).toBeGreaterThan(1_000)
    expect(made.size).toBeGreaterThan(0)
    for (const [code, original] of made) {
      expect((await node.get(`/${code}`)).headers.get('location')).toBe(original)
    }
    const total = redirectMs.length + followed.length
    const counted = async () => {
      let sum = 0
      for (const { id } of followed) {
        sum += (await node.api('GET', `/links/${id}`)).body.data.visits.total
      }
      return sum
    }
    await expect.poll(counted, patiently).toBe(total)
  })
})
