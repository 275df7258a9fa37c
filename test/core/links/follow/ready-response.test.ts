import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readyResponse, sendRedirect } from '../../../../core/links/follow/ready-response.ts'
import { redirectTo } from '../../../../core/links/follow/redirect.ts'

const keepAliveTimeout = 75_000
const redirect = redirectTo('https://example.com/%C3%BC?q=1#part')
const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/** All that a server says to requests that are sent at once on one connection. */
async function said(requests: string, answer: RequestListener, options: object): Promise<string> {
  const server = createServer({ keepAliveTimeout, ...options }, answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(requests)
  return withoutDate(await text(socket))
}

const withoutDate = (answer: string) =>
  answer.replaceAll(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/g, 'Date: now\r\n')

const ours = (requests: string) =>
  said(requests, (_, res) => sendRedirect(res, redirect), {
    ServerResponse: readyResponse(keepAliveTimeout),
  })
const nodes = (requests: string) =>
  said(requests, (_, res) => res.writeHead(302, redirect.headers).end(), {})

describe('a redirect that is ready', () => {
  it.each([
    ['on a connection that stays', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n', 1],
    ['one after another', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20), 20],
    ['on a connection that ends', '', 0],
    ['to HTTP/1.0', 'GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 1],
    ['after a body', 'GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', 1],
    ['to HEAD', 'HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n', 1],
  ])('is, byte for byte, what node:http would say %s', async (_, requests, before) => {
    const answer = await ours(requests + last)
    expect(answer).toBe(await nodes(requests + last))
    expect(answer.split('Date: now\r\n')).toHaveLength(1 + before + 1)
  })

  it('is taken whole where the connection stays, and made by node:http where it ends', async () => {
    const taken: (boolean | undefined)[] = []
    const watch = (res: ServerResponse & { takeHead?(head: string): boolean }) => {
      taken.push(res.takeHead?.(redirect.head))
      res.end()
    }
    await said(`GET /a HTTP/1.1\r\nHost: a\r\n\r\n${last}`, (_, res) => watch(res), {
      ServerResponse: readyResponse(keepAliveTimeout),
    })
    expect(taken).toEqual([true, false])
  })

  it('says what it answered to who looks at the response', async () => {
    const seen: unknown[] = []
    const look: RequestListener = (_, res) => {
      sendRedirect(res, redirect)
      seen.push(res.statusCode, res.headersSent, res.writableEnded)
    }
    await said(`GET /a HTTP/1.1\r\nHost: a\r\n\r\n${last}`, look, {
      ServerResponse: readyResponse(keepAliveTimeout),
    })
    expect(seen).toEqual([302, true, true, 302, true, true])
  })

  it('is sent by any other response as well', async () => {
    const requests = `GET /a HTTP/1.1\r\nHost: a\r\n\r\n${last}`
    const answer = await said(requests, (_, res) => sendRedirect(res, redirect), {})
    expect(answer).toBe(await nodes(requests))
  })
})
