import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import Kutt from 'kutt'
import { inject } from 'light-my-request'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Context, type MountAsked, refuse } from '../../../core/plugin.ts'
import kutt from '../../../plugins/developer/kutt.ts'
import { tries } from '../../at-night.ts'
import { boot, type Harness, type VisitOptions } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

const parts = [
  kutt,
  'developer.apiKeys',
  'link.customShortCode',
  'link.editOriginalUrl',
  'link.editShortCode',
  'link.linkExpiration',
  'link.passwordProtection',
  'analytics.visitsTracking',
  'analytics.visitsOverTime',
  'analytics.visitsByBrowser',
  'analytics.visitsByReferer',
  'organization.customDomains',
] as const

const far = 'https://example.org/far?a=1'
const everything = ['links:write', 'analytics:read', 'domains:write', 'profile:read']

let linnet: Harness
let key: string

beforeEach(async () => {
  linnet = await boot(parts)
  key = await tokenFor(...everything)
})
afterEach(() => linnet.stop())

async function tokenFor(...scopes: readonly string[]): Promise<string> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'Kutt', scopes })
  return body.data.token
}

/** The client has HTTP of its own, so it needs a port. */
async function aClient(): Promise<Kutt> {
  const server = createServer(linnet.app.server.handle).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return new Kutt().set('api', `http://127.0.0.1:${port}/api/v2`).set('key', key)
}

async function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  more: VisitOptions = {},
) {
  const { status, text, headers } = await linnet.visit(`api/v2/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...more,
    headers: {
      'x-api-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more.headers,
    },
  })
  const isJson = String(headers['content-type']).startsWith('application/json')
  return { status, body: isJson ? JSON.parse(text) : text }
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

describe('a client from npm', () => {
  it('makes links, lists, changes and deletes them', async () => {
    const client = await aClient()
    expect(await client.health().check()).toBe(true)
    const links = client.links()
    const made = await links.create({ target: far, customurl: 'spring', description: 'Spring' })
    expect(made).toMatchObject({
      id: expect.stringMatching(uuid),
      address: 'spring',
      target: far,
      description: 'Spring',
      link: 'https://go.example.org/spring',
      banned: false,
      password: false,
      visit_count: 0,
      created_at: new Date('2026-11-20T12:00:00Z'),
    })
    expect(await links.list()).toEqual({ total: 1, limit: 10, skip: 0, data: [made] })
    const change = { address: 'summer', target: 'https://example.net/' }
    expect(await links.update(made.id, change)).toMatchObject({ id: made.id, ...change })
    expect(await links.remove(made.id)).toBe('Link has been deleted successfully.')
    await expect(links.remove(made.id)).rejects.toThrow('Link was not found.')
  })

  it('is told who has the key, and adds and deletes domains', async () => {
    const client = await aClient()
    const added = await client.domains().create({ address: 'links.example.com' })
    expect(added).toMatchObject({
      id: expect.stringMatching(uuid),
      address: 'links.example.com',
      banned: false,
      homepage: null,
    })
    const user = await client.users().info()
    expect(user).toMatchObject({ apikey: key, domains: [added] })
    expect(user.email).toContain('@')
    expect(await client.domains().remove(added.id)).toBe('Domain deleted successfully')
    await expect(client.domains().remove(added.id)).rejects.toThrow('Could not delete the domain.')
  })
})

describe('a link', () => {
  it('is as Kutt shows it', async () => {
    const { status, body } = await ask('POST', 'links', {
      target: 'example.org/a',
      customurl: 'a',
      password: 'sesame',
      expire_in: '2 days',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(uuid),
      address: 'a',
      banned: false,
      created_at: '2026-11-20T12:00:00.000Z',
      updated_at: '2026-11-20T12:00:00.000Z',
      password: true,
      description: null,
      expire_in: '2026-11-22T12:00:00.000Z',
      target: 'http://example.org/a',
      visit_count: 0,
      domain: null,
      link: 'https://go.example.org/a',
    })
  })

  it.each<[string, string]>([
    ['1m', '2026-11-20T12:01:00.000Z'],
    ['90 seconds', '2026-11-20T12:01:30.000Z'],
    ['8h', '2026-11-21T00:00:00.000Z'.replace('21T00', '20T20')],
    ['1.5 hrs', '2026-11-20T13:30:00.000Z'],
    ['2 Weeks', '2026-12-04T12:00:00.000Z'],
    ['120000', '2026-11-20T12:02:00.000Z'],
  ])('that ends in %s ends at %s', async (expire_in, at) => {
    const { body } = await ask('POST', 'links', { target: far, expire_in })
    expect(body.expire_in).toBe(at)
  })

  it('that is there is found again, whatever else is wished', async () => {
    const first = await ask('POST', 'links', { target: far, reuse: true })
    expect(first.status).toBe(201)
    const again = await ask('POST', 'links', { target: far, reuse: true })
    expect(again).toEqual({ ...first, status: 200 })
    const named = await ask('POST', 'links', { target: far, reuse: true, customurl: 'other' })
    expect(named).toEqual(again)
    const new_ = await ask('POST', 'links', {
      target: 'https://example.net/',
      reuse: true,
      customurl: 'net',
    })
    expect([new_.status, new_.body.address]).toEqual([201, 'net'])
    expect((await ask('POST', 'links', { target: far })).body.id).not.toBe(first.body.id)
  })

  it('is changed where the body says so, and what is empty clears', async () => {
    const wish = { target: far, password: 'sesame', description: 'One', expire_in: '1d' }
    const { body } = await ask('POST', 'links', wish)
    const change = (it: object) => ask('PATCH', `links/${body.id}`, it)
    expect((await change({ description: 'Two' })).body).toMatchObject({
      description: 'Two',
      password: true,
    })
    const clear = { description: '', password: null, expire_in: null }
    expect((await change(clear)).body).toMatchObject({
      ...{ description: null, password: false, expire_in: null, target: far },
    })
    expect(await change({})).toEqual({
      status: 400,
      body: { error: 'Should at least update one field.' },
    })
  })

  it('tells of its visits', async () => {
    const { body } = await ask('POST', 'links', { target: far, customurl: 'seen' })
    for (let time = 0; time < 2; time += 1) {
      await linnet.visit('seen', { headers: { 'user-agent': browser } })
    }
    const { status, body: stats } = await ask('GET', `links/${body.id}/stats`)
    expect(status).toBe(200)
    expect(stats).toMatchObject({
      id: body.id,
      visit_count: 2,
      updatedAt: '2026-11-20T12:00:00.000Z',
    })
    for (const [period, count] of Object.entries({
      lastDay: 24,
      lastWeek: 7,
      lastMonth: 30,
      lastYear: 12,
    })) {
      expect(stats[period].views, period).toEqual([...Array(count - 1).fill(0), 2])
      expect(stats[period]).toMatchObject({
        total: 2,
        stats: {
          browser: [{ name: 'Firefox', value: 2 }],
          referrer: [{ name: 'Direct', value: 2 }],
          os: [],
          country: [],
        },
      })
    }
  })

  it('of another account is not there', async () => {
    const { body } = await ask('POST', 'links', { target: far })
    const other = await otherAccount(linnet)
    const token = await other('POST', '/api-tokens', {
      name: 'k',
      scopes: ['links:write', 'analytics:read'],
    })
    const headers = { 'x-api-key': token.body.data.token }
    for (const [method, path] of [
      ['PATCH', `links/${body.id}`],
      ['DELETE', `links/${body.id}`],
      ['GET', `links/${body.id}/stats`],
    ] as const) {
      const said = await ask(method, path, method === 'PATCH' ? { target: far } : undefined, {
        headers,
      })
      expect(said, `${method} ${path}`).toEqual({
        status: 404,
        body: { error: 'Link was not found.' },
      })
    }
    expect((await ask('GET', 'links', undefined, { headers })).body.total).toBe(0)
  })
})

describe('the list', () => {
  it('has pages and a search', async () => {
    for (const customurl of ['one', 'two', 'three']) {
      await ask('POST', 'links', { target: `https://example.org/${customurl}`, customurl })
    }
    const list = async (query: string) => {
      const { body } = await ask('GET', 'links', undefined, { query })
      return [
        body.limit,
        body.skip,
        body.total,
        body.data.map(({ address }: { address: string }) => address),
      ]
    }
    expect(await list('?limit=2')).toEqual([2, 0, 3, ['three', 'two']])
    expect(await list('?limit=2&skip=2')).toEqual([2, 2, 3, ['one']])
    expect(await list('?limit=999&all=true')).toEqual([50, 0, 3, ['three', 'two', 'one']])
    expect(await list('?search=two')).toEqual([10, 0, 1, ['two']])
    expect(await list('?limit=-1&skip=x')).toEqual([10, 0, 3, ['three', 'two', 'one']])
  })
})

describe('a request', () => {
  it.each<[string, object, RegExp]>([
    ['without a target', {}, /^Target is missing\.$/],
    ['with a target that is none', { target: 5 }, /^target: /],
    ['with a scheme that is not allowed', { target: 'javascript:alert(1)' }, /^target: /],
    ['back to us', { target: 'https://go.example.org/a' }, /^target: /],
    ['with an address of other characters', { target: far, customurl: 'a b' }, /^customurl: /],
    ['with a short password', { target: far, password: 'abc' }, /^password: /],
    ['for a host of somebody else', { target: far, domain: 'none.example' }, /^domain: /],
    ['that ends at no time', { target: far, expire_in: 'soon' }, /^Expire format is invalid/],
    ['that ends at once', { target: far, expire_in: '5s' }, /^Expire time should be more/],
    ['that ends too late', { target: far, expire_in: '9999999999 years' }, /too long/],
    ['that ends at a number', { target: far, expire_in: 5 }, /^Expire format is invalid/],
  ])('%s is refused', async (_, body, error) => {
    expect(await ask('POST', 'links', body)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(error) },
    })
  })

  it('for an address that is taken is refused', async () => {
    await ask('POST', 'links', { target: far, customurl: 'taken' })
    expect(await ask('POST', 'links', { target: far, customurl: 'taken' })).toEqual({
      status: 400,
      body: { error: 'Custom URL is already in use.' },
    })
  })

  it('needs a key, which says what it may', async () => {
    const with_ = (key: string) => ({ headers: { 'x-api-key': key } })
    expect((await linnet.visit('api/v2/links')).status).toBe(401)
    expect(await ask('GET', 'links', undefined, with_('none'))).toMatchObject({ status: 401 })
    const reading = with_(await tokenFor('links:read'))
    const { body } = await ask('POST', 'links', { target: far })
    expect((await ask('GET', 'links', undefined, reading)).status).toBe(200)
    for (const [method, path, sent] of [
      ['POST', 'links', { target: far }],
      ['PATCH', `links/${body.id}`, { target: far }],
      ['DELETE', `links/${body.id}`, undefined],
      ['GET', `links/${body.id}/stats`, undefined],
      ['GET', 'users', undefined],
      ['POST', 'domains', { address: 'a.example' }],
    ] as const) {
      const said = await ask(method, path, sent, reading)
      expect([said.status, typeof said.body.error], `${method} ${path}`).toEqual([403, 'string'])
    }
  })

  it('that comes too often is told so in its way', () => {
    const tooMany = refuse('too_many_requests', 'Wait a moment.', 429)
    const said = kutt.mounts?.['api/v2']?.problem?.(tooMany, {} as MountAsked, {} as Context)
    expect([said?.status, said?.content]).toEqual([429, '{"error":"Wait a moment."}'])
  })

  it('is what the extension for browsers sends', async () => {
    const body = { target: far, password: '', customurl: '', reuse: true, domain: null }
    const first = await ask('POST', 'links', body, {
      headers: { origin: 'chrome-extension://abc' },
    })
    expect([first.status, first.body.target, first.body.password]).toEqual([201, far, false])
    expect((await ask('POST', 'links', body)).body.link).toBe(first.body.link)
  })

  it('to no address is told so', async () => {
    for (const path of ['none', 'links/1/2', 'links/admin/x', 'constructor', 'users/admin']) {
      expect(await ask('GET', path)).toMatchObject({
        status: 404,
        body: { error: expect.any(String) },
      })
    }
    expect((await ask('DELETE', 'links/not-a-uuid')).status).toBe(404)
    expect((await ask('DELETE', 'links/00000000-0000-8000-8000-000000000000')).status).toBe(404)
  })

  it('leaves the API of Linnet as it is', async () => {
    expect((await linnet.api('GET', '/links')).status).toBe(200)
    const { paths } = (await linnet.api('GET', '/openapi.json')).body
    expect(Object.keys(paths).filter(path => !path.startsWith('/api/v1/'))).toEqual([])
  })

  it('may come from an extension of a browser', async () => {
    const preflight = await inject(linnet.app.server.handle, {
      method: 'OPTIONS',
      url: '/api/v2/links',
      headers: {
        ...{ host: 'go.example.org', origin: 'chrome-extension://abc' },
        ...{ 'access-control-request-method': 'POST' },
      },
    })
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(preflight.headers['access-control-allow-headers']).toContain('x-api-key')
  })

  it('works as far as the plugins are there that it needs', async () => {
    linnet = await linnet.restart([kutt, 'developer.apiKeys', 'link.customShortCode'])
    const { status, body } = await ask('POST', 'links', { target: far, customurl: 'plain' })
    expect([status, body.password, body.expire_in]).toEqual([201, false, null])
    expect((await ask('POST', 'links', { target: far, expire_in: '1d' })).status).toBe(400)
    expect((await ask('GET', 'users')).body.domains).toEqual([])
  })

  it('is answered in its form, whatever is in it', async () => {
    const { body: link } = await ask('POST', 'links', { target: far, customurl: 'a' })
    const paths = [
      ...['links', `links/${link.id}`, `links/${link.id}/stats`, 'users', 'domains', 'health'],
      ...['links/%zz', 'domains/x', '%00'],
    ]
    const word = fc.oneof(
      fc.constantFrom('-1', '1e9', far, '%', '2 days', '\u202e', 'a'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    const fields = ['target', 'customurl', 'address', 'password', 'reuse', 'domain', 'description']
    const value = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom('limit', 'skip', 'search'), word),
        fc.dictionary(fc.constantFrom(...fields, 'expire_in', 'homepage'), value, { maxKeys: 4 }),
        async (method, path, query, body) => {
          const said = await ask(method, path, method === 'GET' ? undefined : body, {
            query: `?${new URLSearchParams(query)}`,
          })
          expect(said.status).toBeLessThan(500)
          if (said.status >= 400) expect(said.body).toEqual({ error: expect.any(String) })
        },
      ),
      tries(100),
    )
  })
})
