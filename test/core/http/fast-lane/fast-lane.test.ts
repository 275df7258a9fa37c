import { once } from 'node:events'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readInto } from '../../../../core/http/fast-lane/fast-lane.ts'
import { client, get, type Seeing, see } from './seen.ts'

/** A connection on which the lane is open. */
async function opened(server: Seeing) {
  const opened = await client(server)
  server.asked.length = 0
  await opened.send(get('/code'))
  expect(server.asked.splice(0)).toEqual(['/code'])
  return opened
}

const lane = { fastLane: true }
const answersIn = (text: string) => text.split('HTTP/1.1 302 Found\r\n').length - 1

describe('the fast lane', () => {
  it('answers past node:http from the second request of a connection on', async () => {
    const server = await see(lane)
    const { send, end } = await opened(server)
    await send(get('/code?x=1', 'Host: a\r\nDNT: 1\r\n'))
    await send(get('/Other-code_1').repeat(50))
    expect(answersIn(await end())).toBe(52)
    expect(server.asked).toEqual([])
    expect(server.visits[1]).toBe('["/code?x=1",["Host","a","DNT","1"],"127.0.0.1"]')
    expect(server.visits).toHaveLength(52)
  })

  it('can be left out', async () => {
    const server = await see()
    const { send, end } = await opened(server)
    await send(get('/code'))
    expect(answersIn(await end())).toBe(2)
    expect(server.asked).toEqual(['/code'])
  })

  it('goes on after what node:http had to answer', async () => {
    const server = await see(lane)
    const { send, said } = await opened(server)
    for (const url of ['/none', '/code', '/', '/code']) await send(get(url))
    await send(get('/code') + get('/none?x'))
    await send(get('/code'))
    expect(server.asked).toEqual(['/none', '/', '/none?x'])
    expect(server.visits).toHaveLength(5)
    expect(said()).toMatch(
      /\["GET","\/none\?x",\["Host","a"\],""\]HTTP\/1.1 302 Found\r\n(.+\r\n)+\r\n$/,
    )
  })

  it.each([
    ['a body', 'POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', ''],
    ['half a request', get('/code').slice(0, -2), '\r\n'],
    ['another method', 'HEAD /code HTTP/1.1\r\nHost: a\r\n\r\n', ''],
    ['several that are not ready', get('/none') + get('/none'), ''],
  ])('is closed on a connection that had %s', async (_, text, rest) => {
    const server = await see(lane)
    const { send } = await opened(server)
    await send(text)
    await send(rest)
    server.asked.splice(0)
    await send(get('/code'))
    expect(server.asked).toEqual(['/code'])
  })

  it('says the same as node:http wherever requests are cut', async () => {
    const [fast, plain] = [await see(lane), await see()]
    const text = get('/code?a=b', 'Host: a\r\nX: y\r\n') + get('/Other-code_1')
    for (let at = 0; at <= text.length; at += 1) {
      const talk = async (server: Seeing) => {
        const { send, end } = await opened(server)
        await send(text.slice(0, at))
        await send(text.slice(at))
        return end()
      }
      expect(await talk(fast), `cut at ${at}`).toBe(await talk(plain))
    }
    expect(fast.visits).toEqual(plain.visits)
  })

  it('answers nothing on a connection that node:http has ended', async () => {
    const server = await see(lane)
    const { send, end } = await opened(server)
    await send(get('/last'))
    await send(get('/code'))
    expect(answersIn(await end())).toBe(1)
    expect(server.visits).toHaveLength(1)
  })

  it('leaves it to node:http to answer when an answer fails', async () => {
    const server = await see(lane)
    const { send, said } = await opened(server)
    await send(get('/fails'))
    await send(get('/code'))
    expect(said()).toMatch(/HTTP\/1.1 500 /)
    expect(server.logged).toMatchObject([{ message: 'A request failed' }])
    expect(server.visits).toHaveLength(2)
  })

  it('answers many requests of one read to a client that reads', async () => {
    const server = await see(lane)
    const { send, end } = await opened(server)
    await send(get('/code').repeat(500))
    expect(answersIn(await end())).toBe(501)
    expect(server.asked).toEqual([])
  })

  it('outlives clients that break off', async () => {
    const server = await see(lane)
    const { send, socket } = await opened(server)
    await send(get('/code'))
    socket.write(get('/code').repeat(1_000))
    socket.resetAndDestroy()
    const other = await opened(server)
    await other.send(get('/code'))
    expect(answersIn(await other.end())).toBe(2)
  })
})

describe('on a connection with a fast lane', () => {
  const limits = { headersMs: 50, requestMs: 50, checkEveryMs: 20, keepAliveMs: 1 }

  it.each([
    ['says nothing', ''],
    ['never ends its first head', 'GET /code HTTP/1.1\r\n'],
  ])('who %s is given up', async (_, text) => {
    const { send, socket, said } = await client(await see({ ...lane, limits }))
    await send(text)
    await once(socket, 'close')
    expect(said()).toMatch(/^HTTP\/1.1 408 /)
  })

  it('who never ends a later head is given up', async () => {
    const server = await see({ ...lane, limits })
    const { send, socket, said } = await opened(server)
    await send(get('/code'))
    await send(get('/code').slice(0, -2))
    await once(socket, 'close')
    expect(said()).toMatch(/HTTP\/1.1 408 /)
    expect(answersIn(said())).toBe(2)
  })

  it('who is not heard of any more is forgotten', async () => {
    const server = await see({ ...lane, limits })
    const { send, socket, said } = await opened(server)
    await send(get('/code'))
    await once(socket, 'close')
    expect(answersIn(said())).toBe(2)
    expect(said()).not.toContain('408')
  })

  it('a stop does not wait for who is idle', async () => {
    const server = await see(lane)
    const idle = await opened(server)
    await idle.send(get('/code'))
    const silent = await client(server)
    const ends = Promise.all([once(idle.socket, 'close'), once(silent.socket, 'close')])
    expect(await server.server.stop(60_000)).toBe(true)
    await ends
    expect(answersIn(idle.said())).toBe(2)
  })
})

it('a connection that cannot be taken over stays as it is', () => {
  const server = createServer()
  const elsewhere = new Socket()
  expect(readInto(elsewhere, server, Buffer.alloc(1), () => undefined)).toBe(elsewhere)
})
