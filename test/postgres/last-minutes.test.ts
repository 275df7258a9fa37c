import { deflateSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newRecipient, sealFor } from '../../core/lib/seal.ts'
import type { Storage } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import type { RecentVisits } from '../../core/visits/collect/recent-visits.ts'
import { shareMinutes } from '../../core/visits/collect/shared-minutes.ts'
import { createLink, type Server, serve } from '../e2e/server.ts'
import { url } from './own-server.ts'
import { stranger } from './stranger.ts'

const patiently = { interval: 100 }

const account = 7

async function open(): Promise<Storage> {
  const storage = await openDatabase({ url }, { serves: true })
  onTestFinished(() => storage.close())
  return storage
}

/** Visits each link once, all within one minute. */
function visited(links: readonly number[], rememberedMs = 60_000, firstMinute = 0): RecentVisits {
  const sums = Float64Array.from(links.flatMap(link => [29_000_000, link, 1]))
  return { rememberedMs, firstMinute, sums }
}

const inOne = visited([1, 2], 60_000, 28_999_990)

/** Connects two servers, of which the other has these visits, and asks the first. */
async function askBesides(other: RecentVisits) {
  const accounts: number[] = []
  const ask = shareMinutes(await open(), async () => inOne)
  shareMinutes(await open(), async accountId => {
    accounts.push(accountId)
    return other
  })
  return { ask, accounts }
}

describe('the last minutes', () => {
  it('are those of all servers, also where one has more than one NOTIFY carries', async () => {
    // Far apart, so that they take many bytes.
    const links = Array.from({ length: 20_000 }, (_, at) => 1 + ((at * 7_919) % 1_000_003))
    const { ask, accounts } = await askBesides(visited(links, 5_000, 28_999_980))
    const both = { rememberedMs: 5_000, firstMinute: 28_999_990 }
    await expect.poll(() => ask(account), patiently).toMatchObject(both)
    const { sums } = await ask(account)
    expect([...sums]).toEqual([...inOne.sums, ...visited(links).sums])
    expect(new Set(accounts)).toEqual(new Set([account]))
  })

  it('are those of the servers that answer, where one does not', async () => {
    const ask = shareMinutes(await open(), async () => inOne)
    const dead = await open()
    const busy = shareMinutes(await open(), () => Promise.reject(new Error('The disk is full.')))
    expect(await ask(account)).toEqual(inOne)
    await expect(busy(account)).rejects.toThrow('The disk is full.')
    await dead.close()
    expect(await ask(account)).toEqual(inOne)
  })

  it('are told to nobody who is not connected as Linnet, and not taken from them', async () => {
    const { told, tell, tellAsOwner } = await stranger()
    const answered = () => told.filter(it => it.startsWith('minutes answer')).map(keyIn)
    const { ask } = await askBesides(visited([3]))
    await expect.poll(async () => linksIn(await ask(account)), patiently).toEqual([1, 2, 3])

    // This server hears nothing, so every question waits for one more answer.
    await open()
    const forge = async (teller: typeof tell) => {
      const { publicKey } = newRecipient()
      await teller(`minutes ask ${publicKey} ${account}`)
      const before = told.length
      const asking = ask(account)
      const question = () => told.slice(before).find(it => it.startsWith('minutes ask'))
      await expect.poll(question, { ...patiently, interval: 1 }).toBeDefined()
      const key = keyIn(question())
      await teller(`minutes answer ${key} forged 0 1 ${sealFor(key, packed(visited([4])))}`)
      const isBelieved = linksIn(await asking).includes(4)
      return { isAnswered: answered().includes(publicKey), isBelieved }
    }
    expect(await forge(tell)).toEqual({ isAnswered: false, isBelieved: false })
    const control = { isAnswered: true, isBelieved: true }
    await expect.poll(() => forge(tellAsOwner), patiently).toEqual(control)
  })

  it('are shown by each server, and outlast none', async () => {
    const env = { DATABASE_URL: url }
    const one = await serve({ env })
    const other = await serve({ env, admin: false })
    onTestFinished(async () => void (await Promise.all([one, other].map(it => it.kill('SIGKILL')))))
    const { shortCode } = await createLink(one)
    const liveOn = async (server: Server) =>
      (await server.api('GET', '/analytics/live')).body.data.last5Minutes
    for (const server of [one, other, other]) await server.get(`/${shortCode}`)
    await expect.poll(() => liveOn(one), patiently).toBe(3)
    await expect.poll(() => liveOn(other), patiently).toBe(3)
    await other.kill('SIGKILL')
    await expect.poll(() => liveOn(one), patiently).toBe(1)
  })
})

/** The key in a question or an answer. */
function keyIn(message = ''): string {
  return message.split(' ')[2] ?? ''
}

function linksIn({ sums }: RecentVisits): readonly number[] {
  return [...sums].filter((_, at) => at % 3 === 1)
}

function packed({ rememberedMs, firstMinute, sums }: RecentVisits): string {
  return deflateSync(Float64Array.from([rememberedMs, firstMinute, ...sums])).toString('base64')
}
