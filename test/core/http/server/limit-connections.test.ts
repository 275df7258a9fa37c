import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TrustedProxies } from '../../../../core/http/request/client-address.ts'
import type { Handler } from '../../../../core/http/request/split-paths.ts'
import { makeRoom } from '../../../../core/http/server/make-room.ts'
import { type Client, client, get } from '../fast-lane/seen.ts'

import { serve } from '../serve.ts'

const mebibyte = 1024 * 1024
/** More than the system keeps for a connection that is not read. */
const large = Buffer.alloc(32 * mebibyte, 'a')

describe('connections', () => {
  it('beyond the limit are turned away, counted and logged', async () => {
    const late: ServerResponse[] = []
    const follow: Handler = (_, res) => void late.push(res)
    const limits = { maxConnections: 2 }
    const { port, server, logged } = await serve([], { follow, fastLane: false, limits })
    const busy = await Promise.all([client({ port }), client({ port })])
    for (const { socket } of busy) socket.write(get('/late'))
    await expect.poll(() => late.length).toBe(2)
    const { socket } = await client({ port })
    if (!socket.closed) await once(socket, 'close')
    expect(server.connections()).toEqual({ open: 2, most: 2, turnedAway: 1, cutOff: 0 })
    expect(logged).toMatchObject([{ level: 'warn', message: /turned away/, most: 2 }])
    for (const res of late) res.end('followed')
    for (const { said } of busy) await expect.poll(said).toMatch(/followed$/)
  })

  it('that wait for their clients make room for new ones', async () => {
    const waits: ((at: Client) => Promise<unknown>)[] = [
      // idle
      (at: Client) => at.send(get('/code')),
      // silent
      () => Promise.resolve(),
      // in the middle of a head
      (at: Client) => at.send('G'),
      // in the middle of their second head
      (at: Client) => at.send(`${get('/code')}G`),
      // in the middle of a body
      (at: Client) => at.send('POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na'),
      // in the middle of the head of a POST
      (at: Client) => at.send('POST /api HTTP/1.1\r\nA: b'),
    ]
    for (const begin of waits) {
      const { port, call, server } = await serve([], { limits: { maxConnections: 10 } })
      const waiting = await Promise.all(Array.from({ length: 10 }, () => client({ port })))
      for (const it of waiting) await begin(it)
      await expect.poll(() => server.connections().open).toBe(9)
      expect((await call('/code')).status).toBe(200)
      expect(server.connections().turnedAway).toBe(0)
    }
  })

  it.each([
    { bytes: 1, left: 9 },
    { bytes: 1_000, left: 10 },
  ])('whose bodies come by $bytes bytes a piece, never silent, leave $left of 10', async of => {
    const follow: Handler = (req, res) => void req.resume().once('end', () => res.end('read'))
    const { port, server } = await serve([], { follow, limits: { maxConnections: 10 } })
    const sending = await Promise.all(Array.from({ length: 10 }, () => client({ port })))
    const head = 'POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n'
    for (const { send } of sending) await send(head)
    for (let piece = 0; piece < 12; piece += 1) {
      for (const { send } of sending) await send('a'.repeat(of.bytes))
      await delay(50)
    }
    expect(server.connections()).toMatchObject({ open: of.left, turnedAway: 0 })
  })

  it.each([true, false])(
    'whose clients do not read their answers make room for new ones, with the fast lane %s',
    async fastLane => {
      const follow = (_: unknown, res: { end(body: Buffer): unknown }) => void res.end(large)
      const limits = { maxConnections: 10, maxUnsentBytes: Infinity }
      const { port, server } = await serve([], { follow, fastLane, limits })
      for (let at = 0; at < 10; at += 1) {
        const { socket, send } = await client({ port })
        socket.pause()
        await send(get('/code'))
      }
      await expect.poll(() => server.connections().open).toBe(9)
      expect(server.connections()).toMatchObject({ turnedAway: 0, cutOff: 0 })
    },
  )

  // Other systems have one address of their own.
  const onLinux = process.platform === 'linux' ? it : it.skip

  /** Has 40 connections of one address ask for what comes late, and tells how many of five from elsewhere are answered. */
  async function askBeside40(trustedProxies: TrustedProxies, taken: number) {
    const late: ServerResponse[] = []
    const follow = (req: IncomingMessage, res: ServerResponse) => {
      if (req.url === '/late') late.push(res)
      else res.end('followed')
    }
    const limits = { maxConnections: 40, trustedProxies }
    const { port, server } = await serve([], { follow, fastLane: false, limits })
    const many = await Promise.all(Array.from({ length: 40 }, () => client({ port })))
    for (const { socket } of many) socket.write(get('/late'))
    await expect.poll(() => late.length).toBe(taken)
    // Longer than any may be idle.
    await delay(400)
    const from = '127.0.0.2'
    const others = await Promise.all(Array.from({ length: 5 }, () => client({ port, from })))
    for (const { send } of others) await send(get('/code'))
    const answered = (clients: readonly Client[]) =>
      clients.filter(({ said }) => said().endsWith('followed')).length
    const { turnedAway } = server.connections()
    const before = answered(others)
    for (const res of late) res.end('followed')
    await expect.poll(() => answered(many)).toBe(taken)
    return { others: before, turnedAway }
  }

  onLinux('of one client, never idle, leave a quarter to others', async () => {
    expect(await askBeside40({ kind: 'none' }, 30)).toEqual({ others: 5, turnedAway: 10 })
  })

  onLinux('of a trusted proxy may be all that there are', async () => {
    const proxy = { kind: 'hops', count: 1 } as const
    expect(await askBeside40(proxy, 40)).toEqual({ others: 0, turnedAway: 5 })
  })

  it('of the clients of a network, however many, leave an eighth to others', async () => {
    // A machine has one address of IPv6 of its own, so these are told instead of those of the sockets.
    const http = createServer((req, res) => void (req.url === '/late' || res.end('followed')))
    const addresses = Array.from({ length: 40 }, (_, at) => `2001:db8:1:${at}::1`)
    const told = [...addresses, ...Array(5).fill('2001:db8:2::1')]
    http.on('connection', socket => {
      Object.defineProperty(socket, 'remoteAddress', { value: told.shift() })
    })
    let turnedAway = 0
    const limits = { maxConnections: 40, trustedProxies: { kind: 'none' } } as const
    makeRoom(http, limits, socket => {
      turnedAway += 1
      socket.destroy()
    })
    await once(http.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      http.close()
      http.closeAllConnections()
    })
    const { port } = http.address() as AddressInfo
    for (let at = 0; at < 40; at += 1) await (await client({ port })).send(get('/late'))
    expect(turnedAway).toBe(5)
    await delay(400)
    const others = [await client({ port }), await client({ port })]
    for (const { send } of others) await send(get('/code'))
    for (const { said } of others) await expect.poll(said).toMatch(/followed/)
    expect(turnedAway).toBe(5)
  })

  it('of one client with too many make room for its own once they are idle', async () => {
    const limits = { maxConnections: 40, trustedProxies: { kind: 'none' } } as const
    const { port, call, server } = await serve([], { limits })
    await Promise.all(Array.from({ length: 30 }, () => client({ port })))
    await delay(350)
    expect((await call('/code')).status).toBe(200)
    await expect.poll(() => server.connections()).toMatchObject({ open: 30, turnedAway: 0 })
  })

  it('whose clients read slowly, or wait for an answer, make no room', async () => {
    let answer: ((body: string) => unknown) | undefined
    const follow = (req: IncomingMessage, res: ServerResponse) => {
      if (req.url === '/late') answer = body => res.end(body)
      else res.end(large)
    }
    const limits = { maxConnections: 4 }
    const { port, call, server } = await serve([], { follow, fastLane: false, limits })
    const late = call('/late')
    const body = (await call('/code')).body ?? []
    const silent = await Promise.all([client({ port }), client({ port })])
    let bytes = 0
    for await (const piece of body) {
      const before = bytes
      bytes += piece.length
      // Some 16 pauses, each shorter than what is too long.
      if (Math.floor(before / mebibyte / 2) < Math.floor(bytes / mebibyte / 2)) await delay(100)
    }
    expect(bytes).toBe(large.length)
    answer?.('at last')
    expect(await (await late).text()).toBe('at last')
    expect(silent.some(({ socket }) => socket.closed)).toBe(true)
    expect(server.connections().turnedAway).toBe(0)
  })

  it.each([true, false])(
    'that get answers make no room, however old they are, with the fast lane %s',
    async fastLane => {
      const { port, server } = await serve([], { fastLane, limits: { maxConnections: 10 } })
      const old = await client({ port })
      await old.send(get('/code'))
      const silent = await Promise.all(Array.from({ length: 9 }, () => client({ port })))
      for (let asked = 0; asked < 12; asked += 1) {
        await old.send(get('/code'))
        await delay(50)
      }
      expect(old.said().match(/followed/g)).toHaveLength(13)
      expect(silent.filter(({ socket }) => socket.closed)).toHaveLength(1)
      expect(server.connections()).toMatchObject({ open: 9, turnedAway: 0 })
    },
  )

  it.each([true, false])(
    'whose client does not read its answer are cut off, also with the fast lane %s',
    async fastLane => {
      const follow = (_: unknown, res: { end(body: Buffer): unknown }) => void res.end(large)
      const { port, server } = await serve([], { follow, fastLane, limits: { readMs: 300 } })
      const { socket, send } = await client({ port })
      socket.pause()
      await send(get('/code'))
      await expect.poll(() => server.connections()).toMatchObject({ open: 0, cutOff: 1 })
    },
  )

  it('whose client reads slowly are not', async () => {
    const follow = (_: unknown, res: { end(body: Buffer): unknown }) => void res.end(large)
    const { call, server } = await serve([], { follow, limits: { readMs: 2_000 } })
    let bytes = 0
    // Three seconds in all, but never two without a piece.
    for await (const piece of (await call('/code')).body ?? []) {
      const before = bytes
      bytes += piece.length
      if (Math.floor(bytes / mebibyte) > Math.floor(before / mebibyte)) await delay(100)
    }
    expect(bytes).toBe(large.length)
    expect(server.connections().cutOff).toBe(0)
  })

  it('whose answer takes us long are not', async () => {
    const begun = Promise.withResolvers<{ end(body: string): unknown }>()
    const { port, server } = await serve([], {
      follow: (_, res) => begun.resolve(res),
      limits: { readMs: 500 },
    })
    const { send, said } = await client({ port })
    const asked = performance.now()
    await send(get('/code'))
    const res = await begun.promise
    await expect.poll(() => performance.now() - asked).toBeGreaterThan(1_500)
    res.end('late')
    await expect.poll(said).toMatch(/late$/)
    expect(server.connections()).toMatchObject({ open: 1, cutOff: 0 })
  })

  it.each([true, false])(
    'whose body was refused get the answer, are read no further, and end, with the fast lane %s',
    async fastLane => {
      let read = 0
      const follow = (req: IncomingMessage, res: ServerResponse) => {
        req.socket.once('close', () => {
          read = req.socket.bytesRead
        })
        Object.assign(res, { statusCode: 401 }).end('turned away')
      }
      const { port, server } = await serve([], { follow, fastLane })
      const { socket, send, said } = await client({ port })
      const closed = new Promise(resolve => socket.once('close', resolve))
      await send(`POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: ${large.length}\r\n\r\n`)
      socket.write(large)
      await expect.poll(said).toContain('turned away')
      expect(said()).toContain('Connection: close')
      await closed
      expect(read).toBeLessThan(mebibyte)
      await expect.poll(() => server.connections()).toMatchObject({ open: 0, cutOff: 0 })
    },
  )

  it('whose short body was refused stay open', async () => {
    const follow = (_: unknown, res: ServerResponse) =>
      void Object.assign(res, { statusCode: 401 }).end('turned away')
    const { port, server } = await serve([], { follow })
    const { send, said } = await client({ port })
    await send('POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n')
    await expect.poll(said).toMatch(/turned away$/)
    await send(`abc${get('/code')}`)
    await expect.poll(() => said().match(/turned away/g)).toHaveLength(2)
    expect(server.connections().open).toBe(1)
  })

  it('that ask for it end after their body in chunks was read', async () => {
    const follow = (req: IncomingMessage, res: ServerResponse) =>
      void req.resume().once('end', () => res.end('read'))
    const { port, server } = await serve([], { follow })
    const { send, said } = await client({ port })
    const head = 'POST /code HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n'
    await send(`${head}Connection: close\r\n\r\n1\r\na\r\n0\r\n\r\n`)
    await expect.poll(said).toContain('read')
    expect(said()).toContain('Connection: close')
    await expect.poll(() => server.connections().open).toBe(0)
  })

  it.each(['websocket', 'h2c'])(
    'that ask for %s end with their answer, whatever came behind it',
    async protocol => {
      const answered: (string | undefined)[] = []
      const follow = (req: IncomingMessage, res: ServerResponse) => {
        answered.push(req.url)
        res.end(req.url)
      }
      const { port, server } = await serve([], { follow })
      const { send, said } = await client({ port })
      const head = `Host: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`
      await send(`GET /first HTTP/1.1\r\n${head}${get('/second')}`)
      await expect.poll(() => server.connections().open).toBe(0)
      expect(said()).toMatch(/^HTTP\/1.1 200 .*Connection: close.*\/first/s)
      expect(answered).toEqual(['/first'])
    },
  )

  it('that leave the most unread go first when all together leave too much', async () => {
    const follow = (req: { url?: string | undefined }, res: { end(body: Buffer): unknown }) =>
      void res.end(req.url === '/small' ? large.subarray(0, 8 * mebibyte) : large)
    const { port, server, logged } = await serve([], {
      follow,
      limits: { maxUnsentBytes: 12 * mebibyte },
    })
    const [small, big] = [await client({ port }), await client({ port })]
    for (const { socket } of [small, big]) socket.pause()
    await small.send(get('/small'))
    const closed = expect.poll(() => server.connections().cutOff).toBe(1)
    await big.send(get('/big'))
    await closed
    // A connection closes after it was cut off.
    await expect.poll(() => server.connections().open).toBe(1)
    expect(logged).toMatchObject([{ level: 'warn', message: /left to read/ }])
    small.socket.resume()
    await expect.poll(() => small.said().length).toBeGreaterThan(8 * mebibyte)
  })
})
