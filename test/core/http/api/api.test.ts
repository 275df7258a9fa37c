import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '../../../../core/http/api/route/route.ts'
import { refuse } from '../../../../core/plugin/outcomes.ts'
import { as, handledBy, json, serve } from '../serve.ts'
import { things } from '../things.ts'

const boom = () => {
  throw new Error('boom')
}

describe('an address', () => {
  test('that nobody serves is a 404 problem', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/nothing')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toEqual({
      type: 'urn:linnet:problem:not_found',
      title: 'Not found',
      status: 404,
      detail:
        'There is nothing at this address. The server may be older than the program that asks, or a plugin may be switched off.',
      code: 'not_found',
      requestId: answer.headers.get('x-request-id'),
      errors: [],
    })
  })

  test.each([
    '/api',
    '/api/',
    '/api/V1/things/thg_1',
    '/api/v1/THINGS/thg_1',
    '/api/v1//things',
    '/api/v1/things%2Fthg_1',
    '/api/v1/../things',
    '/api/v1/things/%',
    '/api/v1/things/%E0%A4%A',
    '/api/v1/things/..%2f..%2fetc%2fpasswd',
    '/api/v1/things/thg_1%00',
    '/api/v1/%74hings/thg_1',
  ])('%s is 404 and shadows nothing', async path => {
    const { raw } = await serve(things)
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer all\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 404 /)
  })

  test.each(['/api/v1/%74hings/thg_1', '/api//v1/things/thg_1', '//api/v1/things/thg_1'])(
    'is only served as it is documented: %s says so',
    async path => {
      const { raw } = await serve(things)
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toContain('Content-Type: application/problem+json')
      expect(answer).toContain('with no percent signs or double slashes')
    },
  )

  test('with fixed words goes before one with a parameter, however they are listed', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things/lookup?short_code=a', as('reader'))
    expect(await answer.json()).toEqual({ data: { shortCode: 'a', perPage: 20 } })
  })

  test('has its own parameters, whatever other address the path belongs to', async () => {
    const at = (address: 'GET /:id/numbers' | 'GET /by-name/:id') =>
      route(address, {
        ...{ name: address, group: 'Things', summary: 'A thing.', scope: 'anyone' },
        answer: z.object({ data: z.object({ id: z.string() }) }),
        handle: ({ params }) => ({ body: { data: params } }),
      })
    const { call } = await serve([at('GET /:id/numbers'), at('GET /by-name/:id')])
    for (const [path, id] of [
      ['by-name/numbers', 'numbers'],
      ['by-name/a%2Fb', 'a/b'],
      ['by-name/%zz', '%zz'],
      ['a/numbers', 'a'],
    ]) {
      expect(await (await call(`/api/v1/${path}`)).json()).toEqual({ data: { id } })
    }
  })

  test('says what is allowed when the method is not', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things/thg_1', json('PUT', {}))
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, DELETE, HEAD, OPTIONS')
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  test('answers OPTIONS with what is allowed, and lets no other origin in', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things/thg_1', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('allow')).toContain('GET')
    expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  })
})

describe('an answer', () => {
  test('is JSON with its own status and headers', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things', json('POST', { original_url: 'https://a.example' }))
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('location')).toBe('/api/v1/things/thg_1')
  })

  test('is never kept, never guessed at, and can be found in the log', async () => {
    const { call } = await serve(things)
    for (const path of ['/api/v1/things/lookup', '/api/v1/nothing', '/api/v1/things/thg_2']) {
      const { headers } = await call(path, as('all'))
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('to HEAD is that to GET without the body', async () => {
    const { call } = await serve(things)
    const get = await call('/api/v1/things/thg_1', as('all'))
    const head = await call('/api/v1/things/thg_1', as('all', { method: 'HEAD' }))
    expect(head.status).toBe(200)
    expect(head.headers.get('etag')).toBe('"1"')
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length))
    expect(await head.text()).toBe('')
  })

  test('204 has no body', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things/thg_1', as('all', { method: 'DELETE' }))
    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
  })

  test('can be text of any other type', async () => {
    const csv = handledBy(() => ({ body: 'a,b\n', headers: { 'Content-Type': 'text/csv' } }))
    const { call } = await serve([csv])
    const answer = await call('/api/v1/it')
    expect(answer.headers.get('content-type')).toBe('text/csv')
    expect(await answer.text()).toBe('a,b\n')
  })
})

describe('a refusal', () => {
  test('shows its details and how long to wait', async () => {
    const slowDown = handledBy(() =>
      refuse('too_many_requests', 'Wait.', 429, undefined, { retryAfterSeconds: 30, limit: 5 }),
    )
    const { call } = await serve([slowDown])
    const answer = await call('/api/v1/it')
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(answer.headers.get('ratelimit')).toBe('"default";r=0;t=30')
    expect(await answer.json()).toMatchObject({ limit: 5, retryAfterSeconds: 30 })
  })

  test.each([
    [409, 'request_in_progress'],
    [503, 'unavailable'],
  ])('with a wait that no rate limit brought about, %i %s, tells of none', async (status, code) => {
    const busy = handledBy(() => refuse(code, 'Wait.', status, undefined, { retryAfterSeconds: 2 }))
    const { call } = await serve([busy])
    const { headers } = await call('/api/v1/it')
    expect(headers.get('retry-after')).toBe('2')
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null])
  })

  test.each([
    [{ original_url: 'https://a.example', short_code: 'taken' }, 'short_code'],
    [{ originalUrl: 'https://a.example', shortCode: 'taken' }, 'shortCode'],
  ])('of a field names it as it was sent', async (body, field) => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things', json('POST', body))
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      errors: [{ field, code: 'short_code_taken', message: 'This short code is taken.' }],
    })
  })
})

describe('a failure', () => {
  const secret = 'connect to postgres://linnet:hunter2@db failed'
  test.each([
    [
      'thrown',
      () => {
        throw new Error(secret)
      },
    ],
    [
      'rejected',
      async () => {
        throw new Error(secret)
      },
    ],
    [
      'thrown as text',
      () => {
        throw secret
      },
    ],
    [
      'given a status of its own',
      () => {
        throw Object.assign(new Error(secret), { status: 404 })
      },
    ],
    ['in a header', () => ({ headers: { Location: `${secret}\r\nSet-Cookie: a=b` } })],
    ['in what cannot be JSON', () => ({ body: 1n })],
  ])('%s shows nothing from inside and is logged with the request id', async (_, handle) => {
    const { call, logged } = await serve([handledBy(handle)], { checkAnswers: false })
    const answer = await call('/api/v1/it')
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).not.toMatch(/hunter2|postgres|at .*\.ts/)
    const requestId = answer.headers.get('x-request-id')
    expect(JSON.parse(text)).toMatchObject({ code: 'internal', requestId, errors: [] })
    expect(logged).toMatchObject([{ level: 'error', message: 'it failed', requestId }])
  })

  test.each([
    [{ tone: z.string().refine(boom) }, 'the field tone failed: boom'],
    [
      { tone: z.string().refine(async () => true) },
      'the field tone failed: Encountered Promise during synchronous parse.',
    ],
  ])(
    'of the check of a field, as a plugin may make one, is logged with the field',
    async (shape, why) => {
      const made = route('POST /made', {
        name: 'made.create',
        group: 'Made',
        summary: 'Make something.',
        scope: 'things:write',
        body: z.strictObject({ mood: z.string(), ...shape }),
        answer: z.strictObject({}),
        handle: () => ({ body: {} }),
      })
      const { call, logged } = await serve([made])
      const answer = await call('/api/v1/made', json('POST', { mood: 'calm', tone: 'low' }))
      expect(answer.status).toBe(500)
      expect(await answer.text()).not.toContain('tone')
      expect(logged).toMatchObject([
        {
          message: 'made.create failed',
          error: { message: expect.stringContaining(`The check of ${why}`) },
        },
      ])
    },
  )

  test('of the credential check is one like any other', async () => {
    const { call } = await serve(things, {
      credentials: {
        cookie: 'session',
        origins: [],
        act: (_, work) => work(),
        bySession: async () => undefined,
        byToken: async () => {
          throw new Error(secret)
        },
      },
    })
    const answer = await call('/api/v1/things/thg_1', as('all'))
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('hunter2')
  })

  test('to answer in time is 503, and what comes later is dropped', async () => {
    const { call, logged } = await serve([handledBy(() => new Promise(() => undefined))], {
      answerMs: 20,
    })
    const answer = await call('/api/v1/it')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
    expect(logged).toMatchObject([{ level: 'warn', message: 'it took too long' }])
  })

  test('is waited for as long as it says, where that is longer', async () => {
    const slow = handledBy(() => new Promise(resolve => setTimeout(resolve, 100, {})))
    const { call } = await serve([{ ...slow, answerMs: 60_000 }], { answerMs: 20 })
    expect((await call('/api/v1/it')).status).toBe(200)
  })
})

describe('in tests, an answer', () => {
  const named = z.object({ data: z.object({ name: z.string() }) })
  test.each([
    ['with a field too many', { data: { name: 'a', passwordHash: 'x' } }],
    ['with a field too few', { data: {} }],
    ['that is not there', undefined],
  ])('%s is a failure', async (_, body) => {
    const { call } = await serve([handledBy(() => ({ body }), named)])
    expect((await call('/api/v1/it')).status).toBe(500)
  })

  test('that fits is none', async () => {
    const { call } = await serve([handledBy(() => ({ body: { data: { name: 'a' } } }), named)])
    expect((await call('/api/v1/it')).status).toBe(200)
  })
})
