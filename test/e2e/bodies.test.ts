import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { canLimitMemory, withMemory } from './memory-limit.ts'
import { type Server, serve, token } from './server.ts'

const kibibyte = 1024
const clients = 300

describe.skipIf(!canLimitMemory)('bodies that never end, and many that do,', () => {
  itAtNight('do not end a server with 128 MiB, and others are answered', async () => {
    const server = await serve({
      through: withMemory(128),
      env: { LINNET_TRUSTED_PROXIES: '1', MALLOC_ARENA_MAX: '1' },
    })
    const bulk = { path: '/api/v1/links/bulk', type: 'application/json', size: 1_000 * kibibyte }
    const form = { path: '/nobody', type: 'application/x-www-form-urlencoded', size: 16 * kibibyte }
    const sessions = { path: '/api/v1/session', type: 'application/json', size: 16 * kibibyte }
    for (const body of [bulk, form, sessions, bulk]) {
      const stalled = await Promise.all(
        Array.from({ length: clients }, (_, client) => stall(server, client, body)),
      )
      expect(await makeLink(server)).toBe(201)
      for (const socket of stalled) socket.destroy()
    }
    // In chunks of a byte, which are no more than their bytes either.
    const crumbs = await Promise.all(
      Array.from({ length: 100 }, () => crumble(server, '/api/v1/session', 10_000)),
    )
    // Each goes through the server in its turn, and so do the chunks.
    for (let link = 0; link < 20; link += 1) expect(await makeLink(server)).toBe(201)
    for (const socket of crumbs) socket.destroy()

    // Nor are bodies that are refused before they are read, and go on coming.
    const refused = { path: '/api/v1/nothing', type: 'application/json', size: 1_000 * kibibyte }
    const going = await Promise.all(
      Array.from({ length: clients }, (_, client) => stall(server, client, refused)),
    )
    expect(await makeLink(server)).toBe(201)
    for (const socket of going) socket.destroy()

    const large = JSON.stringify({ links: [{ original_url: 'a'.repeat(1_000 * kibibyte) }] })
    const statuses = await Promise.all(
      Array.from({ length: clients }, () => sendWhole(server, large)),
    )
    expect(statuses.filter(status => ![0, 200, 503].includes(status))).toEqual([])
    expect(await makeLink(server)).toBe(201)

    // What is usual is answered as ever: many small bodies at once, and the largest one of one client.
    const small = await Promise.all(Array.from({ length: 500 }, () => signIn(server)))
    expect(small.filter(status => status === 503)).toEqual([])
    const links = Array.from({ length: 100 }, () => ({
      original_url: `https://example.com/${'a'.repeat(2_000)}`,
    }))
    const { status } = await server.api('POST', '/links/bulk', { links })
    expect(status).toBe(200)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

interface Body {
  readonly path: string
  readonly type: string
  readonly size: number
}

/** Sends a body in chunks of a byte, without an end. */
async function crumble({ url }: Server, path: string, chunks: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const head = [
    `POST ${path} HTTP/1.1`,
    ...['Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
  ]
  const text = `${head.join('\r\n')}\r\n\r\n${'1\r\na\r\n'.repeat(chunks)}`
  const closed = new Promise(resolve => socket.once('close', resolve))
  await Promise.race([new Promise(resolve => socket.write(text, resolve)), closed])
  return socket
}

/** Sends a body but for its last bytes. Ends where it was taken, or refused. */
async function stall({ url }: Server, client: number, { path, type, size }: Body): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    `X-Forwarded-For: 10.0.${client >> 8}.${client & 255}`,
    `Content-Type: ${type}`,
    `Content-Length: ${size}`,
  ]
  const answered = once(socket, 'data').catch(() => undefined)
  const closed = new Promise(resolve => socket.once('close', resolve))
  const written = new Promise(resolve =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${'a'.repeat(size - 20)}`, resolve),
  )
  await Promise.race([answered, closed, written])
  return socket
}

/** The status of the answer; 0 if the connection was closed before it. */
async function sendWhole({ url }: Server, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/links/bulk`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  // The server may close the connection meanwhile.
  await answer?.body?.cancel().catch(() => undefined)
  return answer?.status ?? 0
}

async function makeLink(server: Server): Promise<number> {
  const wish = { original_url: 'https://example.com/' }
  const from = { 'x-forwarded-for': '192.0.2.1' }
  return (await server.api('POST', '/links', wish, from)).status
}

/** Without a right password; 401 or 429 say that the body was read. */
async function signIn(server: Server): Promise<number> {
  const body = { email: 'nobody@example.org', password: 'p'.repeat(500) }
  return (await server.api('POST', '/session', body, { authorization: '' })).status
}
