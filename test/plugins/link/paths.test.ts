import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import codeRules from '../../../plugins/link/code-rules.ts'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import editShortCode from '../../../plugins/link/edit-short-code.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import paths from '../../../plugins/link/paths.ts'
import queryForwarding from '../../../plugins/link/query-forwarding.ts'
import redirectStatus from '../../../plugins/link/redirect-status.ts'
import customDomains from '../../../plugins/organization/custom-domains.ts'
import { boot, type Harness, type VisitOptions } from '../../harness.ts'
import { makeInternet } from '../organization/custom-domains/internet.ts'

const all = [
  ...[customShortCode, editShortCode, codeRules, linkExpiration, passwordProtection],
  ...[dynamicRouting, paths, queryForwarding, redirectStatus, linkPreview, customDomains],
  visitsTracking,
]

let linnet: Harness
const internet = makeInternet()

beforeEach(async () => {
  linnet = await boot(all, internet)
})
afterEach(() => linnet.stop())

const make = (shortCode: string, fields: object = {}) =>
  linnet.create({ shortCode, originalUrl: 'https://example.com/docs?v=1', ...fields })
const change = (id: string, fields: object) => linnet.api('PATCH', `/links/${id}`, fields)
const led = async (path: string, visit?: VisitOptions) => {
  const { status, location } = await linnet.visit(path, visit)
  return location ?? status
}
const visitsOf = async ({ id }: { readonly id: string }) => {
  await linnet.app.recorder.catchUp()
  return (await linnet.api('GET', `/links/${id}`)).body.data.visits.total
}

describe('what stands behind a code', () => {
  it('leads nowhere, unless the link takes it', async () => {
    const plain = await make('plain')
    expect(plain.paths).toBeNull()
    expect(await led('plain/a')).toBe(404)
    const link = await make('wiki', { paths: 'append' })
    expect(link.paths).toBe('append')
    expect(await led('wiki/a/b%20c')).toBe('https://example.com/docs/a/b%20c?v=1')
    expect(await led('wiki')).toBe('https://example.com/docs?v=1')
    expect(await led('wiki/')).toBe('https://example.com/docs?v=1')
    expect(await led('plain/a')).toBe(404)
    expect(await led('other/a')).toBe(404)
    await change(link.id, { paths: null })
    expect(await led('wiki/a')).toBe(404)
    expect(await led('wiki')).toBe('https://example.com/docs?v=1')
  })

  it('is put into a template, with the query', async () => {
    await make('issue', { paths: '/issues/{1|new}/{*}?q={query.q}' })
    expect(await led('issue/12/edit', { query: '?q=a%26b' })).toBe(
      'https://example.com/issues/12/edit?q=a%26b',
    )
    expect(await led('issue', { query: '?q=a' })).toBe('https://example.com/issues/new/?q=a')
    expect(await led('issue', { query: '?p=a' })).toBe('https://example.com/docs?v=1')
  })

  it.each([
    'wiki//evil.example',
    'wiki/a//b',
    `wiki/${'x'.repeat(2_049)}`,
    '/wiki/a',
    'wiki+/a',
    'wiki%2Fa',
  ])('leads nowhere as %j', async path => {
    await make('wiki', { paths: 'append' })
    expect(await led(path)).toBe(404)
  })

  it('is no view: what looks like one is led to, too', async () => {
    await make('wiki', { paths: 'append' })
    expect((await linnet.visit('wiki+')).text).toContain('https://example.com/docs')
    expect(await led('wiki/c++')).toBe('https://example.com/docs/c++?v=1')
    expect(await led('wiki/a.qr')).toBe('https://example.com/docs/a.qr?v=1')
  })

  it('is kept by the page that asks for a password, and is counted once', async () => {
    const link = await make('wiki', { paths: 'append', password: 'open sesame', maxVisits: 2 })
    const page = await linnet.visit('wiki/a/b')
    expect(page.status).toBe(403)
    expect(page.text).not.toContain('action=')
    const answers = { ...page.hidden, password: 'open sesame' }
    expect(await led('wiki/a/b', { answers })).toBe('https://example.com/docs/a/b?v=1')
    expect(await led('wiki/c', { answers })).toBe('https://example.com/docs/c?v=1')
    expect((await linnet.visit('wiki/c', { answers })).status).toBe(410)
    expect(await visitsOf(link)).toBe(2)
  })

  it('is the answer to no other: nothing of it is kept', async () => {
    const link = await make('wiki', { paths: 'append' })
    for (const path of ['wiki/a', 'wiki/b', 'wiki', 'wiki/a']) {
      const rest = path.slice('wiki'.length)
      expect(await led(path)).toBe(`https://example.com/docs${rest}?v=1`)
      expect(linnet.app.cache.get('wiki')?.redirect).toBeUndefined()
      expect(linnet.app.cache.get(path)?.redirect).toBeUndefined()
    }
    expect(linnet.app.cache.size()).toBe(1)
    expect(await visitsOf(link)).toBe(4)
    expect((await linnet.visit('wiki/a', { method: 'HEAD' })).location).toContain('/docs/a')
    expect(await visitsOf(link)).toBe(4)
  })

  it('is not for search engines, and has the status of the link', async () => {
    await make('wiki', { paths: 'append', redirectStatus: 308, redirectCacheSeconds: 60 })
    const { status, headers } = await linnet.visit('wiki/a')
    expect([status, headers['cache-control']]).toEqual([308, 'private, max-age=60'])
    expect(headers['x-robots-tag']).toBe('noindex')
  })
})

it('over the wire, past what clients put right, it leads nowhere else either, on a connection of the fast lane', async () => {
  await make('wiki', { paths: 'append' })
  await make('plain')
  await linnet.visit('plain')
  const port = await linnet.app.server.listen(0, '127.0.0.1')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = async (path: string) => {
    const headers = { host: 'go.example.org' }
    const sent = request({ port, path: `/${path}`, agent, headers }).end()
    const [res] = (await once(sent, 'response')) as [IncomingMessage]
    res.resume()
    await once(res, 'end')
    return res.headers.location ?? res.statusCode
  }
  const originalUrl = 'https://example.com/docs?v=1'
  try {
    for (const [path, expected] of [
      ['plain', originalUrl],
      ['plain', originalUrl],
      ['wiki/a', 'https://example.com/docs/a?v=1'],
      ['wiki', originalUrl],
      ['plain/a', 404],
      ['wiki/b', 'https://example.com/docs/b?v=1'],
      ['plain', originalUrl],
      ['wiki/../a', 404],
      ['wiki/a/%2E%2e/b', 404],
      ['wiki/a/..', 404],
      ['wiki/.', 404],
      ['wiki/a\\..\\b', 404],
      ['wiki/\\evil.example', 'https://example.com/docs/%5Cevil.example?v=1'],
      ['wiki/"a|b"', 'https://example.com/docs/%22a%7Cb%22?v=1'],
      ['//evil.example/wiki/a', 404],
    ] as const) {
      expect([path, await get(path)]).toEqual([path, expected])
    }
  } finally {
    agent.destroy()
    await linnet.app.server.stop(0)
  }
})

describe('beside other features', () => {
  it('the query goes on as it would without', async () => {
    await make('wiki', { paths: 'append', forwardQuery: true })
    expect(await led('wiki/a', { query: '?v=2&x=1' })).toBe('https://example.com/docs/a?v=1&x=1')
    await make('find', { paths: '/find/{1}?q={query.q}', forwardQuery: true })
    expect(await led('find/a', { query: '?q=b&x=1' })).toBe('https://example.com/find/a?q=b&x=1')
  })

  it('a rule has its own address, to which things are appended, and which no template changes', async () => {
    const dynamicRouting = {
      rules: [
        {
          name: 'German',
          original_url: 'https://example.de/',
          conditions: [{ type: 'language', operator: 'is', value: 'de' }],
        },
      ],
    }
    const headers = { 'accept-language': 'de' }
    await make('wiki', { paths: 'append', dynamicRouting })
    expect(await led('wiki/a', { headers })).toBe('https://example.de/a')
    await make('issue', { paths: '/issues/{1}', dynamicRouting })
    expect(await led('issue/12', { headers })).toBe('https://example.de/')
    expect(await led('issue/12')).toBe('https://example.com/issues/12')
  })
})

describe('the longest code', () => {
  const widen = (rules: object) => linnet.api('POST', '/code-rules', { grammar: 'wide', ...rules })

  it('that takes what is behind it is followed', async () => {
    await widen({})
    await make('a', { paths: 'append' })
    await make('a/b', { paths: 'append', originalUrl: 'https://example.com/longer' })
    await make('a/b/c/d')
    expect(await led('a/b/c')).toBe('https://example.com/longer/c')
    expect(await led('a/c/b')).toBe('https://example.com/docs/c/b?v=1')
    expect(await led('a/b/c/d')).toBe('https://example.com/docs?v=1')
    expect(await led('a/b/c/d/e')).toBe('https://example.com/longer/c/d/e')
    const long = Array.from({ length: 30 }, (_, index) => index).join('/')
    expect(await led(`a/${long}`)).toBe(`https://example.com/docs/${long}?v=1`)
  })

  it('is found in any spelling that the host allows, and by its former name', async () => {
    await widen({ codes: 'any_case', hyphens: 'ignored' })
    const link = await make('Team/Été', { paths: 'append' })
    expect(await led('team/%C3%89T%C3%89/A/b')).toBe('https://example.com/docs/A/b?v=1')
    expect(await led('te-am/%c3%a9t%c3%a9/a')).toBe('https://example.com/docs/a?v=1')
    await change(link.id, { short_code: 'new' })
    expect(await led('team/%C3%A9t%C3%A9/a')).toBe('https://example.com/docs/a?v=1')
    expect(await led('NEW/a')).toBe('https://example.com/docs/a?v=1')
  })
})

describe('a host', () => {
  const host = 'links.example.com'
  const onHost = { headers: { host } }

  /** How often a visit reads the database. */
  async function reads(path: string): Promise<number> {
    const memory = new BetterSqlite3(':memory:')
    const statements = Object.getPrototypeOf(memory.prepare('select 1')) as BetterSqlite3.Statement
    memory.close()
    const spies = (['all', 'get', 'iterate'] as const).map(it => vi.spyOn(statements, it))
    await linnet.visit(path)
    const sum = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    for (const spy of spies) spy.mockRestore()
    return sum
  }

  it.skipIf(process.env.LINNET_TEST_DATABASE_URL)(
    'whose links have no paths is asked nothing more about unknown codes',
    async () => {
      await make('plain')
      await linnet.visit('plain')
      expect(await reads('nothing')).toBe(1)
      expect(await reads('plain/a')).toBe(0)
      expect(await reads('nothing/a/b')).toBe(0)
      await make('wiki', { paths: 'append' })
      expect(await reads('nothing')).toBe(1)
      expect(await reads('nothing/a/b')).toBe(1)
      await linnet.visit('wiki/a')
      expect(await reads('wiki/b')).toBe(0)
    },
  )

  it('of an account is another one, and a link may move to it', async () => {
    const { body } = await linnet.api('POST', '/domains', { host })
    const { dns, text } = body.data.verification
    internet.txt.set(dns.name, [text])
    await linnet.api('POST', `/domains/${body.data.id}/verify`)
    const link = await make('wiki', { paths: 'append' })
    expect(await led('wiki/a', onHost)).toBe(404)
    expect((await change(link.id, { domain: host })).status).toBe(200)
    expect(await led('wiki/a', onHost)).toBe('https://example.com/docs/a?v=1')
    await linnet.restart(all)
    expect(await led('wiki/b', onHost)).toBe('https://example.com/docs/b?v=1')
  })

  it('answers as before while the feature is off, and again once it is on', async () => {
    const link = await make('wiki', { paths: 'append' })
    const off = await linnet.restart(all.filter(it => it !== paths))
    expect((await off.visit('wiki/a')).status).toBe(404)
    expect((await off.visit('wiki')).location).toBe('https://example.com/docs?v=1')
    const on = await off.restart(all)
    expect((await on.visit('wiki/a')).location).toBe('https://example.com/docs/a?v=1')
    await on.api('DELETE', `/links/${link.id}`)
    expect((await on.visit('wiki/a')).status).toBe(404)
    await on.api('POST', `/links/${link.id}/restore`)
    expect((await on.visit('wiki/a')).location).toBe('https://example.com/docs/a?v=1')
  })
})

describe('the field', () => {
  it.each([
    [
      'off',
      'Enter append, or a template that begins with /: scheme and host are those of the original URL.',
    ],
    ['/issues', 'The template has no placeholder, such as {1} or {*}.'],
    [
      '/issues/{x}',
      'A placeholder is {1} to {9}, {*} or {query.name}, perhaps with a default, such as {1|start}.',
    ],
    [
      '/../{1}',
      'The template is no path. It has no spaces, backslashes, empty parts, . or .., and each % is followed by two hexadecimal digits.',
    ],
    [true, 'Must be a text.'],
  ])('cannot be %j', async (value, message) => {
    const wrong = { original_url: 'https://example.com/', paths: value }
    const { status, body } = await linnet.api('POST', '/links', wrong)
    expect([status, body.errors]).toMatchObject([422, [{ field: 'paths', message }]])
  })

  it('is tried before the link is saved', async () => {
    const preview = async (paths: string, more: object) => {
      const asked = { paths, original_url: 'https://example.com/docs', ...more }
      return (await linnet.api('POST', '/link-paths/preview', asked)).body
    }
    const led = (url: string) => ({ data: { url: `https://example.com${url}` } })
    expect(await preview('append', { rest: 'a/b' })).toMatchObject(led('/docs/a/b'))
    expect(await preview('append', { rest: '../b' })).toMatchObject(led('/docs'))
    expect(await preview('/{1}?{query.q}', { rest: 'a', query: 'q=b' })).toMatchObject(led('/a?b'))
    expect(await preview('/{x}', {})).toMatchObject({ errors: [{ field: 'paths' }] })
  })
})
