import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../../../core/http/server/log.ts'
import { createServer } from '../../../../core/http/server/server.ts'
import { as, pageSender, serve } from '../serve.ts'
import { things } from '../things.ts'

const close = 'Host: a\r\nConnection: close\r\n\r\n'

describe('the server', () => {
  test('gives the API its paths and follows every other', async () => {
    const { call } = await serve(things)
    expect((await call('/api/v1/nothing')).status).toBe(404)
    expect(await (await call('/apis')).text()).toBe('followed')
    expect(await (await call('/')).text()).toBe('followed')
  })

  test('refuses a port that is taken', async () => {
    const { port } = await serve(things)
    const other = createServer({
      follow: () => undefined,
      mounts: {},
      pageSender,
      log: createLog('silent'),
      fastLane: true,
    })
    await expect(other.listen(port, '127.0.0.1')).rejects.toThrow('EADDRINUSE')
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('secret')
      },
    ],
  ])('answers 500 when following %s, and shows nothing from inside', async (_, follow) => {
    const { call, logged } = await serve([], { follow })
    const answer = await call('/code')
    expect(answer.status).toBe(500)
    const requestId = answer.headers.get('x-request-id')
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await answer.text()).not.toContain('secret')
    expect(logged).toMatchObject([{ message: 'A request failed', requestId }])
  })

  test.each(['SQLITE_IOERR_READ', 'SQLITE_CORRUPT'])(
    'answers 503 when following or the API cannot read the database: %s',
    async code => {
      const cannotRead = () => {
        throw Object.assign(new Error('the disk fails'), { code })
      }
      const handle = async () => cannotRead()
      const unread = things.map(it => ({ ...it, handle }))
      const { call } = await serve(unread, { follow: cannotRead })
      for (const path of ['/code', '/api/v1/things/thg_1']) {
        const answer = await call(path, as('all', { headers: { Accept: 'application/json' } }))
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('5')
        expect(await answer.json()).toMatchObject({ code: 'unavailable' })
      }
    },
  )

  test('cuts a connection when following fails in the middle of an answer', async () => {
    const { call } = await serve([], {
      follow: async (_, res) => {
        res.write('half')
        throw new Error('x')
      },
    })
    await expect(call('/code').then(answer => answer.text())).rejects.toThrow()
  })
})

describe('a request that breaks', () => {
  test.each([
    ['is no HTTP', 'HELLO\r\n\r\n', 400, 'malformed_request'],
    [
      'smuggles',
      `POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${close}0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['names two hosts', `GET / HTTP/1.1\r\nHost: b\r\n${close}`, 400, 'malformed_request'],
    ['has a NUL in a header', `GET / HTTP/1.1\r\nX: \0\r\n${close}`, 400, 'malformed_request'],
    [
      'has headers too large',
      `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n${close}`,
      431,
      'headers_too_large',
    ],
    [
      'has an address too large',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${close}`,
      431,
      'headers_too_large',
    ],
    [
      'has more than 100 headers, and holds its body back',
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n${'X:\r\n'.repeat(99)}\r\n`,
      431,
      'headers_too_large',
    ],
  ])('because it %s gets a problem, and the server lives', async (_, text, status, code) => {
    const { raw, call } = await serve(things)
    const answer = await raw(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, code })
    expect((await call('/')).status).toBe(200)
  })

  test('is not one that has 100 headers', async () => {
    const { raw } = await serve(things)
    const answer = await raw(`GET / HTTP/1.1\r\n${'X:\r\n'.repeat(98)}${close}`)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  test('because its headers never end is given up', async () => {
    const { raw } = await serve(things, { limits: { headersMs: 50, checkEveryMs: 20 } })
    expect(await raw('GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(/^HTTP\/1.1 408 .*request_timeout/s)
  })

  test('because its body never ends is given up', async () => {
    const { raw } = await serve(things, {
      limits: { requestMs: 50, headersMs: 50, checkEveryMs: 20 },
    })
    const head = 'POST /api/v1/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    expect(await raw(`${head}Content-Length: 9\r\n\r\n{`)).toMatch(/^HTTP\/1.1 408 /)
  })

  test('because nothing ever comes is given up', async () => {
    const { raw } = await serve(things, { limits: { headersMs: 50, checkEveryMs: 20 } })
    expect(await raw('')).toMatch(/^HTTP\/1.1 408 /)
  })
})

describe('a stop', () => {
  test('lets a request under way finish, takes no other, and is clean', async () => {
    const requests = new EventEmitter()
    const { call, server } = await serve([], {
      follow: (_, res) => void requests.emit('begun', res),
    })
    const begun = once(requests, 'begun')
    const waiting = call('/code')
    const [res] = await begun
    const stopping = server.stop(60_000)
    await expect(call('/other')).rejects.toThrow()
    res.end('late but whole')
    expect(await (await waiting).text()).toBe('late but whole')
    expect(await stopping).toBe(true)
  })

  test('does not wait for connections that are idle or have said nothing', async () => {
    const { port, server } = await serve([])
    const idle = connect(port, '127.0.0.1', () => idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
    await once(idle, 'data')
    const silent = connect(port, '127.0.0.1')
    await once(silent, 'connect')
    const ends = Promise.all([once(idle, 'close'), once(silent, 'close')])
    expect(await server.stop(60_000)).toBe(true)
    await ends
  })

  test('cuts what is not done at the deadline, and says so', async () => {
    const requests = new EventEmitter()
    const { call, server } = await serve([], { follow: () => void requests.emit('begun') })
    const begun = once(requests, 'begun')
    const waiting = expect(call('/code')).rejects.toThrow()
    await begun
    expect(await server.stop(20)).toBe(false)
    await waiting
  })
})

describe('the target of a request', () => {
  const followed = {
    follow: (req: IncomingMessage, res: ServerResponse) =>
      void res.end(`${req.url} on ${req.headers.host} ${req.rawHeaders.join(' ')}`),
  }
  const end = '\r\nConnection: close\r\n\r\n'

  test.each([
    ['http://b.example/code?x=1', '/code?x=1 on b.example Host b.example Connection close'],
    ['HTTPS://b.example:8080/', '/ on b.example:8080'],
    ['http://b.example', '/ on b.example'],
    ['http://b.example?x', '/?x on b.example'],
  ])('may have the host in it, which goes before Host: %s', async (target, expected) => {
    const { raw } = await serve([], followed)
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: a.example${end}`)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
    expect(answer).toContain(expected)
    expect(answer).not.toContain('a.example')
  })

  test('reaches the API by a whole address, too', async () => {
    const { raw } = await serve(things)
    const head = `Host: a\r\nAuthorization: Bearer all${end}`
    const answer = await raw(`GET http://a.example/api/v1/things/thg_1 HTTP/1.1\r\n${head}`)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  test.each(['ftp://b.example/x', 'http://user@b.example/x', 'http:///x', 'b.example', '*'])(
    'is refused as a problem when it is %s',
    async target => {
      const { raw } = await serve([], followed)
      const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: a${end}`)
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
      expect(answer).not.toContain('followed')
    },
  )

  test('may be the server as a whole', async () => {
    const { raw } = await serve([], followed)
    const answer = await raw(`OPTIONS * HTTP/1.1\r\nHost: a${end}`)
    expect(answer).toMatch(/^HTTP\/1.1 204 /)
    expect(answer).toContain('Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
  })

  test.each([
    ['without Host', 400, 'malformed_request', 'GET /code HTTP/1.1\r\n'],
    [
      'with an expectation that nobody has',
      417,
      'expectation_failed',
      'GET /code HTTP/1.1\r\nHost: a\r\nExpect: foo\r\n',
    ],
  ])('%s is answered with a problem, %i', async (_, status, code, head) => {
    const { raw } = await serve([], followed)
    const answer = await raw(`${head}Connection: close\r\n\r\n`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toContain('application/problem+json')
    expect(answer).toContain(`"code":"${code}"`)
  })

  test.each(['', 'a b', '[::1', ':80', 'a@b', 'a..', '\u001b[31m', 'a'.repeat(300)])(
    'is refused for the host %j, also on a connection that had answers, and with a host in the target',
    async host => {
      const answered: string[] = []
      const follow = (req: IncomingMessage, res: ServerResponse) =>
        void res.end(answered.push(`${req.url}`) && 'followed')
      const { raw, logged } = await serve([], { follow })
      const odd = `GET /odd HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      expect(await raw(odd)).toMatch(/^HTTP\/1.1 400 .*malformed_request/s)
      const second = await raw(`GET /first HTTP/1.1\r\nHost: a\r\n\r\n${odd}`)
      expect(second).toMatch(/^HTTP\/1.1 200 .*HTTP\/1.1 400 .*malformed_request/s)
      const target = await raw(`GET http://${host}/odd HTTP/1.1\r\nHost: a${end}`)
      expect(target).toMatch(/^HTTP\/1.1 400 /)
      expect(answered).toEqual(['/first'])
      expect(logged).toEqual([])
    },
  )

  test('needs no Host in HTTP/1.0, which has none', async () => {
    const { raw } = await serve([], followed)
    expect(await raw('GET /code HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
  })
})
