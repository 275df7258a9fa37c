import { describe, expect, test } from 'vitest'
import { as, json, serve } from '../../serve.ts'
import { things } from '../../things.ts'

const app = 'https://app.example.org'
const from = (origin: string, headers = {}) => ({ headers: { origin, ...headers } })
const asked = { 'access-control-request-method': 'POST' }

const corsIn = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')))

describe('a page of an origin that may call', () => {
  const allowed = { corsOrigins: [app, 'https://other.example'] }

  test('is told before what it may do and send', async () => {
    const { call } = await serve(things, allowed)
    const answer = await call('/api/v1/things', { method: 'OPTIONS', ...from(app, asked) })
    expect(answer.status).toBe(204)
    expect(corsIn(answer)).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
      'access-control-expose-headers': expect.stringContaining('ETag, Link, Location, Retry-After'),
      'access-control-max-age': '7200',
    })
    expect(answer.headers.get('vary')).toBe('Origin')
  })

  test('reads answers and refusals, and their headers', async () => {
    const { call } = await serve(things, allowed)
    const read = await call('/api/v1/things/thg_1', as('all', from(app)))
    const refused = await call('/api/v1/things/thg_1', from(app))
    const missing = await call('/api/v1/nothing', from(app))
    expect([read.status, refused.status, missing.status]).toEqual([200, 401, 404])
    for (const answer of [read, refused, missing]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(app)
      expect(answer.headers.get('access-control-expose-headers')).toContain('RateLimit')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('cannot act with the cookie of a session', async () => {
    const { call } = await serve(things, { corsOrigins: '*' })
    const { body = '', headers } = json('POST', { original_url: 'https://a.example' })
    const { authorization: _, ...type } = headers as Record<string, string>
    const cookie = { ...type, cookie: 'session=open', origin: app, 'sec-fetch-site': 'cross-site' }
    const answer = await call('/api/v1/things', { method: 'POST', body, headers: cookie })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('a page of any other origin', () => {
  test.each(['https://evil.example', `${app}.evil.example`, 'http://app.example.org', 'null'])(
    'is told nothing: %s',
    async origin => {
      const { call } = await serve(things, { corsOrigins: [app] })
      const before = await call('/api/v1/things', { method: 'OPTIONS', ...from(origin, asked) })
      const read = await call('/api/v1/things/thg_1', as('all', from(origin)))
      expect([corsIn(before), corsIn(read)]).toEqual([{}, {}])
      expect(read.headers.get('vary')).toBe('Origin')
    },
  )
})

test('every page may call when all origins may', async () => {
  const { call } = await serve(things, { corsOrigins: '*' })
  const answer = await call('/api/v1/things/thg_1', as('all', from('https://any.example')))
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('vary')).toBeNull()
})

test('what is asked by no page has none of this', async () => {
  const { call } = await serve(things, { corsOrigins: '*' })
  expect(corsIn(await call('/api/v1/things/thg_1', as('all')))).toEqual({})
})
