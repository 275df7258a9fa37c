import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeLinks } from '../e2e/everything-at-once.ts'
import { canLimitMemory, withMemory } from '../e2e/memory-limit.ts'
import { linnet } from '../e2e/program.ts'
import { type Answer, browser, createLink, type Server, serve } from '../e2e/server.ts'
import { create } from '../inside.ts'
import { startRelay } from '../postgres/relay.ts'
import { findPrograms, startServer } from '../postgres/server.mjs'

const seconds = Number(process.env.LEAVING_SECONDS ?? 60)
const leavers = 200
/** Between leaving and coming again. Without a pause, they would take the whole processor only to connect. */
const pauseMs = 200
const programs = findPrograms()

/** What is asked for, each of which takes some turns of the database. */
const asked = [
  () => '/health/ready',
  () => '/api/v1/links?per_page=100',
  (turn: number) => `/api/v1/analytics?interval=30d&limit=${1 + (turn % 97)}`,
  (turn: number) => `/nobody-${turn}`,
]

describe.skipIf(!canLimitMemory || !programs)(
  'clients that leave before their answers and come again, with a database 5 ms away',
  () => {
    it.each([512, 256])(
      'do not end a server with %i MiB, and visitors are redirected',
      async mebibytes => {
        const { server, token, slowDown } = await serveFarFromDatabase(mebibytes)
        await makeLinks(server, 2_000)
        const link = await createLink(server)
        slowDown()
        const until = performance.now() + seconds * 1_000
        const left = { times: 0 }
        const [honest] = await Promise.all([
          stayAndCount(server, link.shortCode, until),
          ...Array.from({ length: leavers }, (_, client) =>
            leave(server, { client, token, until, left }),
          ),
        ])
        console.log({ mebibytes, left: left.times, honest })
        expect(left.times).toBeGreaterThan(10 * leavers)
        const { visit = {}, ...others } = honest
        expect(visit).toEqual({ right: expect.any(Number) })
        // Others may have to come again, and get no other answer than that.
        for (const answers of Object.values(others)) {
          expect(['right', '503']).toEqual(expect.arrayContaining(Object.keys(answers)))
        }
        for (const [expected, ask] of Object.values(asksOf(server, link.shortCode))) {
          await expect.poll(async () => (await ask()).status).toBe(expected)
        }
        expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
      },
      (seconds + 900) * 1_000,
    )
  },
)

/** A server, the token of a second account, and a function that moves the database away. */
async function serveFarFromDatabase(mebibytes: number) {
  const database = await startServer(programs ?? '')
  onTestFinished(() => database.stop())
  const relay = await startRelay(database.folder, await create(database.url()))
  const DATABASE_URL = relay.url
  const server = await serve({
    through: withMemory(mebibytes),
    env: { DATABASE_URL, LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
  })
  const email = 'eve@example.org'
  const made = await server.api('POST', '/admin/accounts', { email, password: 'correct horse' })
  expect([made.status, made.text]).toEqual([201, made.text])
  const { stdout } = await linnet(['token', 'create', '--account', email], {
    env: { DATABASE_URL, LINNET_DATA_DIR: server.dataDir },
  })
  return { server, token: stdout.trim(), slowDown: () => relay.slowDown(5) }
}

interface Leaver {
  readonly client: number
  readonly token: string
  readonly until: number
  readonly left: { times: number }
}

/** Asks, leaves within some milliseconds, and comes again. */
async function leave({ url }: Server, { client, token, until, left }: Leaver): Promise<void> {
  const port = Number(new URL(url).port)
  for (let turn = client; performance.now() < until; turn += leavers) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    const path = asked[turn % asked.length]?.(turn)
    const headers = `Host: a\r\nAuthorization: Bearer ${token}\r\nX-Forwarded-For: 10.0.${client}.1`
    socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
    await wait(turn % 20)
    socket.destroy()
    left.times += 1
    await wait(pauseMs)
  }
}

type Asks = Readonly<Record<string, readonly [status: number, ask: () => Promise<Answer>]>>

/** What somebody asks for who waits for each answer, and the right one. */
function asksOf({ get, api }: Server, code: string): Asks {
  const from = { 'x-forwarded-for': '192.0.2.1' }
  const made = { original_url: 'https://example.com/' }
  return {
    visit: [302, () => get(`/${code}`, { ...from, 'user-agent': browser })],
    list: [200, () => api('GET', '/links', undefined, from)],
    create: [201, () => api('POST', '/links', made, from)],
    health: [200, () => get('/health/ready', from)],
  }
}

type Answers = Record<string, number>

async function stayAndCount(
  server: Server,
  code: string,
  until: number,
): Promise<Readonly<Record<string, Answers>>> {
  const counts = await Promise.all(
    Object.entries(asksOf(server, code)).map(async ([name, [expected, ask]]) => {
      const answers: Answers = {}
      while (performance.now() < until) {
        const { status } = await ask()
        const key = status === expected ? 'right' : String(status)
        answers[key] = (answers[key] ?? 0) + 1
      }
      return [name, answers] as const
    }),
  )
  return Object.fromEntries(counts)
}
