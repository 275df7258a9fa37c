import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin, refuse } from '../../core/plugin.ts'
import { oneOf } from '../at-night.ts'
import { boot, type Harness, type Headers, type ShownLink } from '../harness.ts'
import { bodyOf, operationsOf, type Placed, readDocument, type Schema } from './document.ts'
import { plugins } from './whole-instance.ts'

const over = definePlugin({
  feature: 'link.over',
  about: 'Ends every link of a test.',
  guard: (_, __, link) =>
    link.originalUrl.includes('over') ? () => refuse('over', 'It is over.', 410) : undefined,
})

let linnet: Harness
let port: number
let link: ShownLink
let writing: readonly Placed[]

beforeAll(async () => {
  linnet = await boot([...plugins, over])
  port = await linnet.app.server.listen(0, '127.0.0.1')
  link = await linnet.create({ short_code: 'here' })
  const operations = operationsOf(await readDocument(linnet))
  writing = operations.filter(({ operation }) => bodyOf(operation))
})
afterAll(() => linnet.stop())

/** Uses a real connection: a request built in memory has its path normalized. */
async function send(method: string, path: string) {
  const sent = request({ port, path, method, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = answer
  return { status, headers, text: await text(answer) }
}

const fieldsOf = (body: { errors: readonly { field: string }[] }) =>
  body.errors.map(({ field }) => field)

describe('a value of the wrong type', () => {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    string: [5, true, [], {}, ['x']],
    integer: ['five', true, [], {}, 1.5],
    number: ['five', true, [], {}],
    boolean: ['true', 0, 1, [], {}],
    array: ['x', 5, {}, true],
    object: ['x', 5, [], true],
  }
  const typeOf = ({ type, enum: words, anyOf = [] }: Schema): string | undefined =>
    words ? 'string' : (type ?? anyOf.map(typeOf).find(it => it !== 'null'))

  it('is 422 and named, in each field of each request', async () => {
    let tried = 0
    for (const { method, path, operation } of writing) {
      for (const [name, schema] of Object.entries(bodyOf(operation)?.properties ?? {})) {
        const values = wrong[typeOf(schema) ?? ''] ?? []
        for (const value of oneOf(values, tried)) {
          tried += 1
          const address = path
            .slice('/api/v1'.length)
            .replace(/\{slug\}/, 'pro')
            .replace(/\{\w+\}/, link.id)
          const { status, body } = await linnet.api(method, address, { [name]: value })
          const shown = `${method} ${path} ${name}: ${JSON.stringify(value)}`
          expect(status, shown).toBe(422)
          expect(
            fieldsOf(body).map(field => field.split(/[.[]/)[0]),
            shown,
          ).toContain(name)
        }
      }
    }
    expect(tried).toBeGreaterThan(150)
  })

  it('is told for all fields at once', async () => {
    const { status, body } = await linnet.api('POST', '/links', {
      original_url: 'nowhere',
      title: 5,
      archived: 'no',
      colour: 'red',
    })
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(fieldsOf(body).sort()).toEqual(['archived', 'colour', 'original_url', 'title'])
  })
})

describe('names that mean more in JavaScript', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

  it.each(names)('are unknown fields, as %s', async name => {
    for (const { method, path } of writing) {
      const address = path.replace(/\{slug\}/, 'pro').replace(/\{\w+\}/, link.id)
      const body = `{"${name}": {"isAdmin": true, "polluted": 1}}`
      const {
        status,
        headers,
        body: problem,
      } = await linnet.api(method, address.slice('/api/v1'.length), body, {
        'content-type': 'application/json',
      })
      expect(status, `${method} ${path}`).toBe(422)
      expect(headers['content-type']).toBe('application/problem+json')
      expect(fieldsOf(problem), `${method} ${path}`).toContain(name)
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it.each(names)('are nothing that is there, as %s', async name => {
    for (const path of ['/links', '/api-tokens', '/admin/accounts', '/admin/plans']) {
      const method = path === '/admin/plans' ? 'PATCH' : 'GET'
      const { status } = await linnet.api(
        method,
        `${path}/${name}`,
        method === 'PATCH' ? {} : undefined,
      )
      expect(status, path).toBe(404)
    }
  })
})

describe('a field that is sent twice', () => {
  it('in both cases is 422, whichever comes first', async () => {
    const url = 'https://example.com/'
    for (const body of [
      { original_url: url, originalUrl: url },
      { originalUrl: url, original_url: 'https://evil.example/' },
    ]) {
      const { status, body: problem } = await linnet.api('POST', '/links', body)
      expect([status, problem.errors[0].code]).toEqual([422, 'sent_twice'])
    }
    expect((await linnet.api('GET', '/links?per_page=5&perPage=5')).status).toBe(422)
  })

  it('is told beside all else that is wrong', async () => {
    const { body } = await linnet.api('POST', '/links', {
      original_url: 'https://example.com/',
      originalUrl: 'https://example.com/',
      colour: 'red',
    })
    expect(fieldsOf(body)).toEqual(['originalUrl', 'colour'])
  })
})

describe('an address', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com/',
    'blob:https://example.com/x',
    '//evil.example',
    '/admin',
    '\\\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'http://',
    'https://example.com/\r\nSet-Cookie: a=b',
    'https://example.com/\u0000',
    'https://example.com/\u001b',
    'https://example.com/\u007f',
    'https://example.com/\ud800',
    'https://user:password@example.com/',
    'https://example.com:99999/',
    'https://go.example.org/here',
    'https://GO.example.org:443/here',
    `https://example.com/${'x'.repeat(8_200)}`,
    `https://example.com/${'ä'.repeat(2_000)}`,
    '',
  ])('%j is refused when a link is made and when it is changed', async original_url => {
    for (const { status, body } of [
      await linnet.api('POST', '/links', { original_url }),
      await linnet.api('PATCH', `/links/${link.id}`, { original_url }),
    ]) {
      expect(status).toBe(422)
      expect(fieldsOf(body)).toEqual(['original_url'])
    }
    expect((await linnet.visit(link)).location).toBe('https://example.com/')
  })

  it.each([
    'https://example.com/%0d%0aSet-Cookie:%20a=b',
    "https://example.com/';drop%20table%20links;--",
    'https://example.com/"><script>alert(1)</script>',
    'http://127.0.0.1/',
    'http://[::1]:8080/',
    'https://example.com/#:~:text=x',
  ])('%s leads on in one header', async original_url => {
    const made = await linnet.create({ originalUrl: original_url })
    const { status, headers, location } = await linnet.visit(made)
    expect([status, location]).toEqual([302, made.originalUrl])
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('that was put into the database behind our back is not followed', async () => {
    const made = await linnet.create()
    const { shortCode: short_code } = made
    for (const original_url of [
      'javascript:alert(1)',
      'https://a.example/\r\nSet-Cookie: a=b',
      '//x',
    ]) {
      await linnet.db
        .updateTable('links')
        .set({ original_url })
        .where('short_code', '=', short_code)
        .execute()
      linnet.app.cache.forgetAll()
      expect(await linnet.visit(made)).toMatchObject({ status: 503, location: undefined })
    }
  })
})

describe('a path', () => {
  it.each([
    '/API/v1/profile',
    '/api%2Fv1/profile',
    '/./api/v1/profile',
    '/apis',
    '/..',
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/here//',
    '/here/more',
    '/%2568ere',
    '/here%2f',
    '/%2fhere',
    '/here%00',
    '/here%0d%0aSet-Cookie:a=b',
    '/\\here',
    '/__proto__',
    '/constructor',
    `/${'x'.repeat(65)}`,
    `/${'x'.repeat(8_000)}`,
  ])('%s is neither a link nor a way into the API', async path => {
    const { status, headers } = await send('GET', path)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it.each(['/%61pi/v1/profile', '//api/v1/profile'])(
    '%s is no way into the API, which says how its addresses are written',
    async path => {
      const { status, headers } = await send('GET', path)
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json'])
    },
  )

  it.each(['/here', '/here/', '/%68ere'])('%s is a link', async path => {
    expect((await send('GET', path)).status).toBe(302)
  })

  it.each(['/', '/?from=mail'])('%s leads to the dashboard and nowhere else', async path => {
    const { status, headers } = await send('GET', path)
    // From unbuilt source, there is no dashboard to redirect to.
    expect([
      [302, '/dashboard/'],
      [404, undefined],
    ]).toContainEqual([status, headers.location])
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it.each([
    '/api',
    '/api/',
    '/api/v3/profile',
    '/api/v1',
    '/api/v1/../../here',
    '/api/v1/PROFILE',
    '/api/v1/links/%2e%2e',
  ])('%s is the API’s, and not there or not for all', async path => {
    const { status, headers, text } = await send('GET', path)
    expect([401, 404]).toContain(status)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(text).status).toBe(status)
  })

  it.each(['api', 'API', 'Api', 'health', 'dashboard', 'setup', 'robots'])(
    '%s is not given out',
    async code => {
      const { status, body } = await linnet.api('POST', '/links', {
        original_url: 'https://example.com/',
        short_code: code,
      })
      expect([status, body.code]).toEqual([409, 'short_code_taken'])
    },
  )
})

describe('every refusal', () => {
  /** The members that every problem has, with their values. */
  const problem = (status: number, code: string, more: object = {}) => ({
    type: `urn:linnet:problem:${code}`,
    title: expect.any(String),
    status,
    detail: expect.stringMatching(/\.$/),
    code,
    requestId: expect.stringMatching(/^[\w-]{20,}$/),
    errors: [],
    ...more,
  })

  it('of a method says what can be done instead', async () => {
    const wrong = await linnet.api('DELETE', '/links')
    expect(wrong.body).toEqual(problem(405, 'method_not_allowed'))
    expect(wrong.headers.allow).toBe('POST, GET, HEAD, OPTIONS')
    expect((await linnet.api('PUT', `/links/${link.id}`, {})).headers.allow).toBe(
      'GET, PATCH, DELETE, HEAD, OPTIONS',
    )
    for (const method of ['DELETE', 'PUT', 'PATCH', 'POST', 'TRACE', 'OPTIONS']) {
      const { status, headers } = await send(method, '/here')
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD'])
    }
  })

  it('of a code that is taken names the field', async () => {
    const wish = { original_url: 'https://example.com/', short_code: 'here' }
    const { body } = await linnet.api('POST', '/links', wish)
    const errors = [{ field: 'short_code', code: 'short_code_taken', message: body.detail }]
    expect(body).toEqual(problem(409, 'short_code_taken', { errors }))
  })

  it('of a link that is over is a page, or a problem for who asks for JSON', async () => {
    const ended = await linnet.create({ originalUrl: 'https://example.com/over' })
    const page = await linnet.visit(ended)
    expect([page.status, page.headers['content-type']]).toEqual([410, 'text/html; charset=utf-8'])
    expect(page.text).not.toContain('example.com/over')
    const asked = await linnet.visit(ended, { headers: { accept: 'application/json' } })
    expect(asked.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(asked.text)).toEqual(problem(410, 'over'))
  })

  it('of a body that is not JSON says why', async () => {
    const json = { 'content-type': 'application/json' }
    const post = (body: string, headers: Headers) => linnet.api('POST', '/links', body, headers)
    expect((await post('{"original_url": ', json)).body).toEqual(problem(400, 'malformed_json'))
    expect((await post('['.repeat(40) + ']'.repeat(40), json)).body.status).toBe(400)
    expect((await post('original_url=x', { 'content-type': 'text/plain' })).body).toEqual(
      problem(415, 'unsupported_media_type'),
    )
    expect((await post(`"${'x'.repeat(1024 * 1024)}"`, json)).body).toEqual(
      problem(413, 'payload_too_large'),
    )
  })

  it('of somebody unknown says how to be known', async () => {
    const { status, headers, text } = await send('GET', '/api/v1/links')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="Linnet"'])
    expect(JSON.parse(text)).toEqual(problem(401, 'unauthenticated'))
  })

  it('is 403 for a change that another site makes with our cookie', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { body } = await linnet.api(
        'PATCH',
        '/profile',
        { fullName: 'Eve' },
        { 'sec-fetch-site': site },
      )
      expect(body).toEqual(problem(403, 'cross_site_request'))
    }
  })
})
