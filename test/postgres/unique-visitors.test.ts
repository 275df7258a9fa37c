import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newRecipient, sealFor } from '../../core/lib/seal.ts'
import type { Storage } from '../../core/storage/database.ts'
import type { Listener, News } from '../../core/storage/news.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { agreeAhead, agreeOnSalts } from '../../core/visits/collect/shared-salts.ts'
import { newSalt } from '../../core/visits/count/marker.ts'
import { itAtNight } from '../at-night.ts'
import { createLink, type Server as Node, serve } from '../e2e/server.ts'
import { server, url } from './own-server.ts'
import { stranger } from './stranger.ts'

const day = 20_777

async function open(): Promise<Storage> {
  const storage = await openDatabase({ url }, { serves: true })
  onTestFinished(() => storage.close())
  return storage
}

describe('the salt of a day', () => {
  it('is one for all servers that need it, at the same moment too', async () => {
    const [one, other, third] = [await open(), await open(), await open()].map(agreeOnSalts)
    const [ofOne, ofOther] = await Promise.all([one?.([day, day + 1]), other?.([day, day + 1])])
    expect(ofOne).toHaveLength(2)
    expect(ofOther).toHaveLength(2)
    for (const it of [one, other, third]) {
      await expect.poll(() => it?.([day, day + 1])).toEqual(await one?.([day, day + 1]))
    }
    expect(ofOne?.[0]?.salt).not.toBe(ofOne?.[1]?.salt)
  })

  it('is neither in what servers tell each other nor in any file of the database', async () => {
    const { told } = await stranger()
    const database = await open()
    const [one, other] = [database, await open()].map(agreeOnSalts)
    const [agreed] = (await one?.([day])) ?? []
    await expect.poll(() => other?.([day])).toEqual([agreed])
    await expect.poll(() => told.filter(it => it.startsWith('salt answer'))).toHaveLength(1)
    const salt = agreed?.salt ?? ''
    expect(told.join()).not.toContain(salt)
    const control = newSalt()
    await database.db.insertInto('meta').values({ key: 'control', value: control }).execute()
    await server.pause()
    const bytes = filesIn(server.folder).map(file => readFileSync(file))
    const isThere = (trace: string | Buffer) => bytes.some(file => file.includes(trace))
    expect(isThere(salt)).toBe(false)
    expect(isThere(Buffer.from(salt, 'hex'))).toBe(false)
    expect(isThere(control)).toBe(true)
    await server.resume()
  })

  it('is told to nobody who is not connected as Linnet, and not taken from them', async () => {
    const { told, tell } = await stranger()
    const [one, other] = [await open(), await open()].map(agreeOnSalts)
    const agreed = await one?.([day])
    const questions = told.filter(it => it.startsWith('salt ask')).length
    await tell(`salt ask ${day} ${newRecipient().publicKey} `)
    await tell(`salt ask ${day} ${newRecipient().publicKey} 000000000`)
    const asking = other?.([day + 1])
    await expect
      .poll(() => told.filter(it => it.startsWith('salt ask')).length)
      .toBeGreaterThan(questions + 2)
    const key = told.at(-1)?.split(' ')[3] ?? ''
    const forged = { day: day + 1, id: '000000000', salt: newSalt() }
    await tell(`salt answer ${key} ${sealFor(key, JSON.stringify(forged))}`)
    expect((await asking)?.[0]?.salt).not.toBe(forged.salt)
    // The forged answer is the only one.
    expect(told.filter(it => it.startsWith('salt answer'))).toHaveLength(1)
    await expect.poll(() => other?.([day])).toEqual(agreed)
  })

  it('is agreed on before visits come, a minute before each day begins too', async () => {
    const [one, other] = [await open(), await open()].map(agreeOnSalts)
    const hourMs = 3_600_000
    vi.useFakeTimers({ toFake: ['Date'], now: (day + 1) * 24 * hourMs - 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { told } = await stranger()
    const days = [day, day + 1]
    await Promise.all([one, other].map(it => it && agreeAhead(it)))
    const agreed = () => Promise.all([one, other].map(it => it?.(days)))
    await expect
      .poll(async () => new Set((await agreed()).map(it => JSON.stringify(it))).size)
      .toBe(1)
    const asked = told.length
    await agreed()
    expect(told).toHaveLength(asked)
  })

  it('is the older one where servers that did not hear each other had two', async () => {
    const [one, other] = [await open(), await open()]
    const first = await agreeOnSalts(one)([day])
    const { news, listeners, hear } = deaf(other.news)
    const ofOther = agreeOnSalts({ db: other.db, news })
    const second = await ofOther([day])
    expect(second).not.toEqual(first)
    hear()
    for (const listener of listeners) listener()
    await expect.poll(() => ofOther([day])).toEqual(first)
  })
})

/** Hears nothing until `hear` is called. */
function deaf(news: News) {
  const listeners: Listener[] = []
  let hears = false
  return {
    listeners,
    hear() {
      hears = true
    },
    news: {
      ...news,
      on: (topic, listener) => {
        listeners.push(listener)
        news.on(topic, (...said) => hears && listener(...said))
      },
    } satisfies News,
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

const visitors = 40

/** Allows three standard errors, and visitors that fall on one register by chance. */
const nearly = { least: visitors - 4, most: visitors + 3 }

/** On an overloaded machine an answer may come too late for a server. */
const patient = { retry: 2 }

describe('unique visitors', patient, () => {
  itAtNight(
    'are counted once by all servers, also while one after the other is replaced',
    async () => {
      const env = { DATABASE_URL: url, LINNET_TRUSTED_PROXIES: '1' }
      const start = async (admin = false): Promise<Node> => {
        const node = await serve({ env, admin })
        onTestFinished(async () => void (await node.kill('SIGKILL')))
        return node
      }
      const one = await start(true)
      const other = await start()
      const { id, shortCode } = await createLink(one)
      let visits = 0
      const visitBy = async (...nodes: readonly Node[]) => {
        for (let visitor = 0; visitor < visitors; visitor += 1) {
          const node = nodes[visits % nodes.length]
          const ip = `192.0.2.${visitor}`
          expect((await node?.get(`/${shortCode}`, { 'x-forwarded-for': ip }))?.status).toBe(302)
          visits += 1
        }
      }
      const uniqueOn = async (node: Node) => {
        const { body } = await node.api('GET', `/links/${id}/analytics`)
        return body.data.totals
      }
      const areCountedOnce = async (node: Node) => {
        await expect.poll(async () => (await uniqueOn(node)).visits, { interval: 100 }).toBe(visits)
        const { uniqueVisitors } = await uniqueOn(node)
        expect(uniqueVisitors).toBeGreaterThanOrEqual(nearly.least)
        expect(uniqueVisitors).toBeLessThanOrEqual(nearly.most)
      }
      await visitBy(one)
      await areCountedOnce(one)
      await visitBy(one, other)
      await visitBy(other, one)
      await areCountedOnce(one)

      await one.kill('SIGTERM')
      const third = await start()
      await visitBy(third)
      await areCountedOnce(other)
      await other.kill('SIGTERM')
      const fourth = await start()
      await visitBy(fourth, third)
      await areCountedOnce(fourth)

      // No server keeps the salt after all have stopped, so whoever comes then is counted anew.
      await Promise.all([third, fourth].map(node => node.kill('SIGTERM')))
      const last = await start()
      await visitBy(last)
      await expect
        .poll(async () => (await uniqueOn(last)).uniqueVisitors, { interval: 100 })
        .toBeGreaterThanOrEqual(2 * nearly.least)
    },
  )
})
