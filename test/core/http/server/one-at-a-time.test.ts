import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, on, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Limits } from '../../../../core/http/server/server.ts'
import { client, get } from '../fast-lane/seen.ts'
import { serve } from '../serve.ts'

/** A server whose answers the test gives, and what each request was for. */
async function served(limits: Partial<Limits> = {}) {
  const asked = new EventEmitter()
  const urls: (string | undefined)[] = []
  const { port, server, logged } = await serve([], {
    limits,
    follow(req, res) {
      urls.push(req.url)
      asked.emit('request', res)
    },
  })
  const requests = on(asked, 'request')
  const next = async (): Promise<ServerResponse> => (await requests.next()).value[0]
  return { port, server, logged, urls, next }
}

describe('requests that a client sends without waiting', () => {
  it('are begun one after another, and answered in their order', async () => {
    const { port, urls, next } = await served()
    const { send, end } = await client({ port })
    const first = next()
    await send(get('/1') + get('/2') + get('/3'))
    expect(urls).toEqual(['/1'])
    const second = next()
    ;(await first).end('one')
    const third = next()
    ;(await second).end('two')
    ;(await third).end('three')
    expect(await end()).toMatch(/one.+two.+three$/s)
    expect(urls).toEqual(['/1', '/2', '/3'])
  })

  it('wait with their bodies, too', async () => {
    const { port, urls, next } = await served()
    const { send, end } = await client({ port })
    const first = next()
    await send(
      `${get('/1')}POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc${get('/3')}`,
    )
    const second = next()
    ;(await first).end()
    const third = next()
    const res = await second
    const [body] = await once(res.req, 'data')
    res.end(`got ${body}`)
    ;(await third).end('three')
    expect(urls).toEqual(['/1', '/2', '/3'])
    expect(await end()).toMatch(/got abc.+three$/s)
  })

  it('count by the length of their heads too', async () => {
    const { port, server, urls, next } = await served({ mostWaiting: { each: 12, all: 99 } })
    const large = (url: string) =>
      `GET ${url} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(5_000)}\r\n\r\n`
    const patient = await client({ port })
    const first = next()
    await patient.send(get('/1') + large('/2') + large('/3'))
    const second = next()
    ;(await first).end()
    const third = next()
    ;(await second).end()
    ;(await third).end('three')
    await expect.poll(patient.said).toMatch(/three$/)
    const { socket, send } = await client({ port })
    const closed = new Promise(resolve => socket.once('close', resolve))
    await send(get('/4') + large('/5') + large('/6') + large('/7'))
    await closed
    expect(urls).toEqual(['/1', '/2', '/3', '/4'])
    expect(server.connections().cutOff).toBe(1)
  })

  it('are not begun for a client that has left', async () => {
    const { port, urls, next } = await served()
    const { send, socket } = await client({ port })
    const first = next()
    await send(get('/1') + get('/2'))
    const res = await first
    const closed = once(res, 'close')
    socket.resetAndDestroy()
    await closed
    res.end()
    for (let turns = 0; turns < 5; turns += 1) await turn()
    expect(urls).toEqual(['/1'])
  })

  it.each([true, false])(
    'are hardly read once there are too many of them, with the lane: %s',
    async fastLane => {
      const { port } = await serve([], { fastLane, limits: { mostWaiting: { each: 3, all: 9 } } })
      let read = 0
      const count = () => {
        read += 1
      }
      subscribe('http.server.request.start', count)
      const { socket, send } = await client({ port })
      const closed = new Promise(resolve => socket.once('close', resolve))
      await send(get('/1').repeat(1_000))
      await closed
      unsubscribe('http.server.request.start', count)
      expect(read).toBeGreaterThan(3)
      expect(read).toBeLessThan(40)
    },
  )

  it('end the connection when there are too many of them, and no other', async () => {
    const { port, server, logged, urls, next } = await served({ mostWaiting: { each: 3, all: 9 } })
    const other = await client({ port })
    const its = next()
    await other.send(get('/other'))
    const { socket, send } = await client({ port })
    const closed = new Promise(resolve => socket.once('close', resolve))
    await send(get('/1').repeat(1_000))
    await closed
    ;(await its).end('fine')
    expect(await other.end()).toMatch(/fine$/)
    expect(urls).toEqual(['/other', '/1'])
    expect(server.connections().cutOff).toBe(1)
    expect(logged).toMatchObject([{ level: 'warn', message: /too many requests/ }])
  })

  it('end the connection when too many of all clients wait, until some are answered', async () => {
    const { port, server, next } = await served({ mostWaiting: { each: 3, all: 4 } })
    const clients = await Promise.all([1, 2, 3].map(() => client({ port })))
    const [first, second, third] = clients
    const begun = next()
    await first?.send(get('/1').repeat(4))
    await second?.send(get('/2').repeat(2))
    const closed = new Promise(resolve => third?.socket.once('close', resolve))
    await third?.send(get('/3').repeat(2))
    await closed
    expect(server.connections().cutOff).toBe(1)
    expect((await begun).destroyed).toBe(false)
    // What waited on a connection that is gone waits no longer.
    first?.socket.destroy()
    await expect.poll(() => server.connections().open).toBe(1)
    const fourth = await client({ port })
    await fourth.send(get('/4').repeat(4))
    expect(server.connections()).toMatchObject({ open: 2, cutOff: 1 })
  })
})
