import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../e2e/program.ts'
import { type Server, serve } from '../e2e/server.ts'
import {
  changeLinksUntilKilled,
  type Done,
  type Message,
  nameOf,
  outOfOrder,
} from '../e2e/webhook-receiver.ts'

const changes = Number(process.env.WEBHOOK_CHANGES ?? 20_000)

/** How a receiver answers for a while. */
const moods = {
  well: () => 204,
  slowly: async () => {
    await delay(400)
    return 204
  },
  often: () => (Math.random() < 0.3 ? 500 : 204),
  busily: () => 429,
  never: () => new Promise<number>(() => undefined),
} satisfies Record<string, () => number | Promise<number>>

type Mood = keyof typeof moods

/** Another program that takes messages, in good times and bad. */
class Receiver {
  readonly taken: Message[] = []
  readonly answered = new Map<number, number>()
  mood: Mood | 'gone' = 'well'
  secret = ''
  forged = 0
  #server: HttpServer | undefined
  #port = 0

  async open(): Promise<void> {
    const server = createServer(async (req, res) => {
      const body = await text(req)
      try {
        new Webhook(this.secret).verify(body, req.headers as Record<string, string>)
      } catch {
        this.forged += 1
      }
      const status = this.mood === 'gone' ? 410 : await moods[this.mood]()
      this.answered.set(status, (this.answered.get(status) ?? 0) + 1)
      const id = String(req.headers['webhook-id'])
      // What was taken may be answered too late, or never.
      if (status < 300) this.taken.push({ id, ...JSON.parse(body) })
      res.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end()
    })
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`
  }
}

const env = { LINNET_FETCH_ALLOW: '127.0.0.1/32' }

it('of thousands of changes none is missing, none comes under two ids, and those of a link come in order, whatever is killed', async () => {
  const receiver = new Receiver()
  await receiver.open()
  onTestFinished(() => receiver.close())
  const done: Done = []
  const dataDir = temporaryFolder()
  let server = await serve({ dataDir, env })
  const made = await server.api('POST', '/webhooks', { url: receiver.url, events: ['link.*'] })
  expect(made.status).toBe(201)
  const { id, secret } = made.body.data
  receiver.secret = secret
  const bad: readonly Mood[] = ['slowly', 'often', 'busily', 'never', 'well']
  const beganAt = performance.now()
  let kills = 0
  while (done.length < changes) {
    receiver.mood = bad[kills % bad.length] ?? 'well'
    const isDown = kills % 4 === 3
    if (isDown) receiver.close()
    await changeLinksUntilKilled(server, 1_500 + Math.random() * 3_000, done)
    kills += 1
    if (isDown) await receiver.open()
    server = await serve({ dataDir, env })
    // It was away for longer than its pauses are short.
    await tryNow(server, id)
  }
  const changedMs = performance.now() - beganAt

  // It ends the webhook in the middle of it, and wants the rest after all.
  receiver.mood = 'gone'
  await tryNow(server, id)
  await expect.poll(() => show(server, id), { timeout: 60_000 }).toMatchObject({ state: 'off' })
  const away = Array.from({ length: 50 }, (_, number) => `away ${number}`)
  for (const title of away) {
    const { body } = await server.api('POST', '/links', {
      ...{ original_url: 'https://example.com/', title },
    })
    done.push(`link.created ${body.data.id} ${title}`)
  }
  // What it missed comes after what is sent before it asks for that.
  await expect
    .poll(() => count(server, id), { timeout: 600_000, interval: 1_000 })
    .toBeGreaterThanOrEqual(done.length)
  receiver.mood = 'well'
  await tryNow(server, id)
  const span = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  const replayed = await server.api('POST', `/webhooks/${id}/replay`, span)
  expect(replayed.status).toBe(200)
  const drainedFrom = performance.now()
  const before = receiver.taken.length
  await expect
    .poll(() => count(server, id, '&state=waiting'), { timeout: 600_000, interval: 1_000 })
    .toBe(0)
  const drainedMs = performance.now() - drainedFrom

  const { taken } = receiver
  const ids = new Map<string, Set<string>>()
  for (const it of taken) ids.set(nameOf(it), (ids.get(nameOf(it)) ?? new Set()).add(it.id))
  const numbers = {
    changes: done.length,
    kills,
    changedInS: Math.round(changedMs / 1_000),
    replayed: replayed.body.data.messages,
    sentInS: Math.round(drainedMs / 1_000),
    sentEachS: Math.round((taken.length - before) / (drainedMs / 1_000)),
    requests: [...receiver.answered.values()].reduce((sum, it) => sum + it, 0),
    ...{ taken: taken.length, different: new Set(taken.map(it => it.id)).size },
    missing: done.filter(it => !ids.has(it)).length,
    underTwoIds: [...ids.values()].filter(it => it.size > 1).length,
    outOfOrder: outOfOrder(taken).length,
    forged: receiver.forged,
  }
  console.table(numbers)
  console.table(Object.fromEntries(receiver.answered))
  expect(numbers).toMatchObject({ missing: 0, underTwoIds: 0, outOfOrder: 0, forged: 0 })
  await server.kill('SIGTERM')
}, 3_600_000)

/** Says that it works again. */
async function tryNow(server: Server, id: string): Promise<void> {
  const { status } = await server.api('PATCH', `/webhooks/${id}`, { active: true })
  expect(status).toBe(200)
}

const show = async (server: Server, id: string) =>
  (await server.api('GET', `/webhooks/${id}`)).body.data

/** How many messages there are, or are in a state. */
async function count(server: Server, id: string, state = ''): Promise<number> {
  const path = `/webhooks/${id}/deliveries?per_page=1${state}`
  return (await server.api('GET', path)).body.meta.total
}
