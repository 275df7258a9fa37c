import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import {
  ConnectionError,
  Linnet,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedAnswerError,
} from '../../client/linnet.ts'
import { isNight, itAtNight } from '../at-night.ts'
import { serve, token } from './server.ts'
import { troubledProxy, unreliableProxy } from './unreliable-proxy.ts'

const count = isNight ? 10_000 : 21
/** How many are under way at once: most of them wait until they may be sent again. */
const atOnce = isNight ? 40 : 10

it('makes each link once, whatever happens to requests and answers on the way', async () => {
  const server = await serve()
  const url = await troubledProxy(server)
  const heard = new Set<string>()
  const linnet = new Linnet({
    url,
    token,
    timeoutMs: isNight ? 3_000 : 1_000,
    // One of ten thousand meets trouble again and again.
    retries: isNight ? 20 : 8,
    onRetry: ({ error }) => heard.add(error.name),
  })
  await makeLinks(linnet, count)
  for (const error of [
    'ConnectionError',
    'RateLimitError',
    'TimeoutError',
    'UnexpectedAnswerError',
  ]) {
    expect(heard).toContain(error)
  }
  const direct = new Linnet({ url: server.url, token })
  expect(await urlsOf(direct)).toEqual(urls(count))
  // Pages are read through all of this as well.
  expect(await urlsOf(linnet)).toEqual(urls(count))
})

itAtNight('makes each link once, also if the server is killed and started again', async () => {
  let server = await serve()
  const url = await unreliableProxy(
    () => server.url,
    () => 'none',
  )
  const linnet = new Linnet({ url, token, retries: 10 })
  const done = makeLinks(linnet, 3_000)
  for (let kills = 0; kills < 3; kills += 1) {
    await new Promise(resolve => setTimeout(resolve, 700))
    await server.kill('SIGKILL')
    server = await serve({ dataDir: server.dataDir })
  }
  await done
  expect(await urlsOf(linnet)).toEqual(urls(3_000))
})

it('gives up when there is no hope, and says why', async () => {
  let asked = 0
  const server = await answering((_, answer) => {
    asked += 1
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '120' }
    answer.writeHead(429, headers).end(problem(429, 'rate_limited'))
  })
  // A server that asks for more patience than there is.
  await expect(new Linnet({ url: server, token }).profile.get()).rejects.toThrow(RateLimitError)
  expect(asked).toBe(1)

  asked = 0
  const broken = await answering((_, answer) => {
    asked += 1
    const headers = { 'content-type': 'application/problem+json' }
    answer.writeHead(asked === 1 ? 503 : 500, headers).end(problem(asked === 1 ? 503 : 500, 'x'))
  })
  await expect(new Linnet({ url: broken, token }).profile.get()).rejects.toThrow(ServerError)
  expect(asked).toBe(2)

  const page = await answering((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
  })
  const elsewhere = new Linnet({ url: page, token })
  await expect(elsewhere.profile.get()).rejects.toThrow(UnexpectedAnswerError)
  const other = await answering((_, answer) => {
    answer.removeHeader('X-Request-Id')
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":1}')
  })
  const { links } = new Linnet({ url: other, token })
  for (const ask of [links.delete('lnk_1'), links.get('lnk_1'), links.list()]) {
    await expect(ask).rejects.toThrow(UnexpectedAnswerError)
  }
  const moved = await answering((_, answer) => {
    answer.writeHead(301, { location: 'https://go.example.org/api/v1/profile' }).end()
  })
  await expect(new Linnet({ url: moved, token }).profile.get()).rejects.toThrow(
    `${moved} leads on to https://go.example.org/api/v1/profile: use that address.`,
  )
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const nobody = new Linnet({ url: `http://127.0.0.1:${port}`, token, retries: 1 })
  await expect(nobody.profile.get()).rejects.toThrow(
    `http://127.0.0.1:${port} does not answer: connect ECONNREFUSED 127.0.0.1:${port}`,
  )
})

it('ends when time is up or nobody waits any more, also between attempts', async () => {
  const silent = await answering(() => undefined)
  const linnet = new Linnet({ url: silent, token, timeoutMs: 50, retries: 0 })
  await expect(linnet.profile.get()).rejects.toThrow(TimeoutError)
  const stopped = new Error('stopped')
  const patient = new Linnet({ url: silent, token })
  const abortion = new AbortController()
  setTimeout(() => abortion.abort(stopped), 50)
  await expect(patient.profile.get({ signal: abortion.signal })).rejects.toBe(stopped)

  const busy = await answering((_, answer) => {
    answer.writeHead(503, { 'retry-after': '30' }).end()
  })
  const waiting = new AbortController()
  const between = new Linnet({ url: busy, token, onRetry: () => waiting.abort(stopped) })
  await expect(between.profile.get({ signal: waiting.signal })).rejects.toBe(stopped)
})

it('repeats nothing that could happen twice', async () => {
  let asked = 0
  const url = await answering(incoming => {
    asked += 1
    incoming.socket.destroy()
  })
  // Keys belong to accounts, so without a token nothing tells that it is the same request.
  const stranger = new Linnet({ url, retries: 2 })
  const body = { email: 'ada@example.org', password: 'correct horse' }
  await expect(stranger.session.create(body)).rejects.toThrow(ConnectionError)
  expect(asked).toBe(1)
  await expect(stranger.session.get()).rejects.toThrow(ConnectionError)
  expect(asked).toBe(4)
})

const urls = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index}`).sort()

async function makeLinks(linnet: Linnet, count: number): Promise<void> {
  const waiting = urls(count).values()
  const work = async () => {
    for (const original_url of waiting) await linnet.links.create({ original_url })
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function urlsOf(linnet: Linnet): Promise<readonly string[]> {
  const all = []
  for await (const { originalUrl } of linnet.links.list()) all.push(originalUrl)
  return all.sort()
}

/** The address of a server that answers like this. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer((req, res) => {
    res.setHeader('X-Request-Id', 'req_1')
    void listener(req, res)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function problem(status: number, code: string): string {
  const body = { type: `urn:linnet:problem:${code}`, title: code, status, detail: code, code }
  return JSON.stringify({ ...body, requestId: 'req', errors: [] })
}
