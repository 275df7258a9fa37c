import { once } from 'node:events'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { connection } from './connection.ts'
import { expectVisits } from './counted.ts'
import { createLink, serve, token } from './server.ts'
import { sendVisitors } from './visitors.ts'

it('a server redirects while other clients send too much, too slowly, or nothing at all', async () => {
  const server = await serve()
  const { id, shortCode } = await createLink(server)
  const { port } = new URL(server.url)
  const visitors = sendVisitors(`${server.url}/${shortCode}`, { visitors: 5 })

  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  const slowBody = `POST /api/v1/links HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n{`
  const slowHead = `GET /${shortCode} HTTP/1.1\r\nHost: x\r\nX-Slow: `
  const held = [slowHead, slowBody, ''].flatMap(text =>
    Array.from({ length: 100 }, () => connection(port, text)),
  )
  await Promise.all(held)

  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(await statusOf(port, { body: 'x'.repeat(3 * 1024 * 1024) })).toBe(413)
  expect(await statusOf(port, { body: `{"original_url":${nested}}` })).toBe(400)
  expect(await statusOf(port, { headers: { 'x-large': 'x'.repeat(20_000) } })).toBe(431)

  const before = visitors.answeredAt.length
  await expect.poll(() => visitors.answeredAt.length).toBeGreaterThan(before + 100)
  await visitors.stop()
  expect(visitors.otherwise).toEqual([])
  await expectVisits(server, id, visitors.answeredAt.length)
})

/** The status for a request with a body, read by a client that does not wait until it has sent everything. */
async function statusOf(
  port: string,
  { body = '{}', headers = {} }: { body?: string; headers?: Record<string, string> },
): Promise<number | undefined> {
  const call = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/links',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  })
  call.end(body)
  const [answer] = await once(call, 'response')
  answer.resume()
  return answer.statusCode
}
