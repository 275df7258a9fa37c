import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk'
import { FetchHttpClient } from '@shlinkio/shlink-js-sdk/fetch'
import fc from 'fast-check'
import { inject } from 'light-my-request'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, type MountAsked, refuse } from '../../../core/plugin.ts'
import shlink from '../../../plugins/developer/shlink.ts'
import { tries } from '../../at-night.ts'
import { boot, type Harness, type VisitOptions } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'
import { visitAsFetch } from './visit-as-fetch.ts'

const parts = [
  shlink,
  'developer.apiKeys',
  'link.codeRules',
  'link.customShortCode',
  'link.dynamicRouting',
  'link.editOriginalUrl',
  'link.editShortCode',
  'link.linkExpiration',
  'link.queryForwarding',
  'analytics.visitsTracking',
  'organization.customDomains',
  'organization.frontPage',
  'organization.tags',
] as const

const far = 'https://example.org/far?a=1'
const everything = ['links:write', 'tags:write', 'domains:write', 'analytics:read']
const baseUrl = 'https://go.example.org'

let linnet: Harness
let apiKey: string
let client: ShlinkApiClient

beforeEach(async () => {
  linnet = await boot(parts)
  apiKey = await tokenFor(...everything)
  client = clientWith(apiKey)
})
afterEach(() => linnet.stop())

async function tokenFor(...scopes: readonly string[]): Promise<string> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'Shlink', scopes })
  return body.data.token
}

function clientWith(apiKey: string): ShlinkApiClient {
  const http = new FetchHttpClient(visitAsFetch(() => linnet))
  return new ShlinkApiClient(http, { baseUrl, apiKey })
}

const raw = (path: string, { headers, ...more }: VisitOptions = {}) =>
  linnet.visit(`rest/v3/${path}`, { headers: { 'x-api-key': apiKey, ...headers }, ...more })

const send = (method: 'POST' | 'PATCH' | 'PUT', path: string, body: unknown) =>
  raw(path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const codeOf = ({ shortCode }: { shortCode: string }) => shortCode

const error = (kind: string) => `https://shlink.io/api/error/${kind}`
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function visits(code: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    await linnet.visit(code, { headers: { 'user-agent': browser } })
  }
}

const inMay = { validSince: '2027-05-01T00:00:00+02:00', validUntil: '2027-06-01T00:00:00+02:00' }

describe('the official client', () => {
  it('asks how the server is, before it has a key', async () => {
    expect(await clientWith('').health()).toMatchObject({ status: 'pass', version: '5.1.0' })
    const { headers } = await linnet.visit('rest/v3/health')
    expect(headers['content-type']).toMatch(/^application\/health\+json/)
  })

  it('makes a short URL, shows it, changes it and deletes it', async () => {
    const made = await client.createShortUrl({
      longUrl: far,
      customSlug: 'spring',
      title: 'Spring',
      tags: ['Big Sale', 'news'],
      validSince: '2026-12-01T00:00:00+01:00',
      validUntil: '2027-01-01T00:00:00+01:00',
      maxVisits: 100,
      crawlable: true,
    })
    const expected = {
      shortCode: 'spring',
      shortUrl: 'https://go.example.org/spring',
      longUrl: far,
      dateCreated: '2026-11-20T12:00:00+00:00',
      visitsSummary: { total: 0, nonBots: 0, bots: 0 },
      visitsCount: 0,
      tags: ['big-sale', 'news'],
      meta: {
        validSince: '2026-11-30T23:00:00+00:00',
        validUntil: '2026-12-31T23:00:00+00:00',
        maxVisits: 100,
      },
      domain: null,
      title: 'Spring',
      crawlable: true,
      forwardQuery: true,
      hasRedirectRules: false,
    }
    expect(made).toEqual(expected)
    const id = { shortCode: 'spring' }
    expect(await client.getShortUrl(id)).toEqual(expected)
    const change = { longUrl: 'https://example.net/', title: null, tags: ['news'], maxVisits: null }
    const changed = await client.updateShortUrl(id, { ...change, forwardQuery: false })
    expect(changed).toEqual({
      ...expected,
      ...{ longUrl: 'https://example.net/', title: null, tags: ['news'], forwardQuery: false },
      meta: { ...expected.meta, maxVisits: null },
    })
    await client.deleteShortUrl(id)
    await expect(client.getShortUrl(id)).rejects.toMatchObject({
      type: error('short-url-not-found'),
      status: 404,
      shortCode: 'spring',
    })
  })

  it('finds the one that there is', async () => {
    const wish = { longUrl: far, findIfExists: true }
    const first = await client.createShortUrl(wish)
    expect(await client.createShortUrl(wish)).toEqual(first)
    expect((await client.createShortUrl({ longUrl: far })).shortCode).not.toBe(first.shortCode)
  })

  it('finds the one that there is by just its address, as it is stored, and none below it', async () => {
    const below = await client.createShortUrl({ longUrl: 'https://exact.example/a' })
    const wish = { longUrl: 'https://EXACT.example', findIfExists: true }
    const first = await client.createShortUrl(wish)
    expect(first.longUrl).toBe('https://exact.example/')
    expect(first.shortCode).not.toBe(below.shortCode)
    expect((await client.createShortUrl(wish)).shortCode).toBe(first.shortCode)
  })

  it.each<[what: string, first: object, again: object]>([
    ['a limit', { maxVisits: 7 }, { maxVisits: 7 }],
    ['a limit that is not given again', { maxVisits: 7 }, {}],
    ['a beginning and an end', inMay, inMay],
    ['a slug', { customSlug: 'same', ...inMay, maxVisits: 5 }, { customSlug: 'same' }],
    ['tags in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
    ['what does not matter', { crawlable: true, title: 'One' }, { title: 'Two' }],
  ])('finds the one that there is, with %s', async (_, first, again) => {
    const made = await client.createShortUrl({ longUrl: far, ...first })
    const wish = { longUrl: far, ...again, findIfExists: true }
    expect((await client.createShortUrl(wish)).shortCode).toBe(made.shortCode)
  })

  it.each<[what: string, first: object, other: object]>([
    ['another limit', { maxVisits: 7 }, { maxVisits: 8 }],
    ['a limit', {}, { maxVisits: 7 }],
    ['an end', { validSince: inMay.validSince }, inMay],
    ['one of two tags', { tags: ['a', 'b'] }, { tags: ['a'] }],
  ])('makes another one for %s', async (_, first, other) => {
    const made = await client.createShortUrl({ longUrl: far, ...first })
    const wish = { longUrl: far, ...other, findIfExists: true }
    expect((await client.createShortUrl(wish)).shortCode).not.toBe(made.shortCode)
  })

  it('lists by page, word, tag, date and order', async () => {
    for (const [index, customSlug] of ['one', 'two', 'three'].entries()) {
      linnet.at(`2026-11-2${index}T10:00:00Z`)
      const tags = index === 1 ? ['odd', 'even'] : ['odd']
      await client.createShortUrl({
        longUrl: `https://example.org/${customSlug}`,
        customSlug,
        tags,
      })
    }
    await visits('two', 2)
    await visits('one', 1)
    const codes = async (params: Parameters<typeof client.listShortUrls>[0]) =>
      (await client.listShortUrls(params)).data.map(codeOf)
    expect(await codes({})).toEqual(['three', 'two', 'one'])
    expect(await codes({ orderBy: { field: 'dateCreated', dir: 'ASC' } })).toEqual([
      'one',
      'two',
      'three',
    ])
    expect(await codes({ orderBy: { field: 'visits', dir: 'DESC' } })).toEqual([
      'two',
      'one',
      'three',
    ])
    expect(await codes({ orderBy: { field: 'shortCode', dir: 'ASC' } })).toEqual([
      'one',
      'three',
      'two',
    ])
    expect(await codes({ searchTerm: 'three' })).toEqual(['three'])
    expect(await codes({ tags: ['even', 'odd'], tagsMode: 'all' })).toEqual(['two'])
    expect(await codes({ tags: ['even', 'none'], tagsMode: 'any' })).toEqual(['two'])
    expect(await codes({ tags: ['even', 'none'], tagsMode: 'all' })).toEqual([])
    expect(await codes({ tags: ['none'] })).toEqual([])
    const dates = { startDate: '2026-11-21T00:00:00+00:00', endDate: '2026-11-22T00:00:00+00:00' }
    expect(await codes(dates)).toEqual(['two'])
    expect(await codes({ domain: 'DEFAULT' })).toHaveLength(3)
    const { data, pagination } = await client.listShortUrls({ page: '2', itemsPerPage: 2 })
    expect(data.map(codeOf)).toEqual(['one'])
    expect(pagination).toEqual({
      ...{ currentPage: 2, pagesCount: 2, itemsPerPage: 2, itemsInCurrentPage: 1, totalItems: 3 },
    })
    expect(await codes({ excludeTags: ['even'] })).not.toContain('two')
    expect(await codes({ excludeTags: ['even', 'odd'] })).toEqual([])
    expect(await codes({ excludeTags: ['even', 'none'], excludeTagsMode: 'all' })).toHaveLength(3)
    const rest = await client.listShortUrls({ excludeTags: ['even'], itemsPerPage: 1, page: '2' })
    expect(rest.pagination).toMatchObject({ currentPage: 2, pagesCount: 2, totalItems: 2 })
    expect(rest.data).toHaveLength(1)
    const byKey = await raw('short-urls', { query: '?apiKeyName=some' })
    expect(JSON.parse(byKey.text)).toMatchObject({ status: 400, invalidElements: ['apiKeyName'] })
  })

  it('leaves out what has ended, if it wants that', async () => {
    await client.createShortUrl({ longUrl: far, customSlug: 'over', validUntil: '2026-11-21' })
    await client.createShortUrl({ longUrl: far, customSlug: 'used', maxVisits: 1 })
    await client.createShortUrl({ longUrl: far, customSlug: 'open', maxVisits: 2 })
    await visits('used', 1)
    linnet.at('2026-11-22T12:00:00Z')
    const codes = async (params: Parameters<typeof client.listShortUrls>[0]) =>
      (await client.listShortUrls(params)).data.map(codeOf).toSorted()
    expect(await codes({ excludePastValidUntil: true })).toEqual(['open', 'used'])
    expect(await codes({ excludeMaxVisitsReached: true })).toEqual(['open', 'over'])
    expect(await codes({})).toHaveLength(3)
  })

  it('is told the visits of a domain alone', async () => {
    await linnet.api('POST', '/admin/domains', { host: 'go.example.com' })
    await client.createShortUrl({ longUrl: far, customSlug: 'here', tags: ['odd'] })
    const domain = 'go.example.com'
    await client.createShortUrl({ longUrl: far, customSlug: 'there', domain, tags: ['odd'] })
    await visits('here', 2)
    await linnet.visit('there', { headers: { 'user-agent': browser, host: domain } })
    const total = async (on?: string) => [
      (await client.getTagVisits('odd', on ? { domain: on } : {})).pagination.totalItems,
      (await client.getNonOrphanVisits(on ? { domain: on } : {})).pagination.totalItems,
    ]
    expect(await total()).toEqual([3, 3])
    expect(await total(domain)).toEqual([1, 1])
    expect(await total('DEFAULT')).toEqual([2, 2])
  })

  it('is told true totals of visits, and no rows that nobody saw', async () => {
    await client.createShortUrl({ longUrl: far, customSlug: 'seen', tags: ['odd'] })
    await visits('seen', 3)
    const none = { data: [], pagination: { totalItems: 3, currentPage: 1, pagesCount: 1 } }
    expect(await client.getShortUrlVisits({ shortCode: 'seen' })).toMatchObject(none)
    expect(await client.getTagVisits('odd')).toMatchObject(none)
    expect(await client.getDomainVisits('DEFAULT')).toMatchObject(none)
    expect(await client.getNonOrphanVisits()).toMatchObject(none)
    expect((await client.getOrphanVisits()).pagination.totalItems).toBe(0)
    const total = { total: 3, nonBots: 3, bots: 0 }
    expect(await client.getVisitsOverview()).toMatchObject({
      nonOrphanVisits: total,
      orphanVisits: { total: 0, nonBots: 0, bots: 0 },
    })
    expect((await client.getShortUrl({ shortCode: 'seen' })).visitsSummary).toEqual(total)
    const before = { startDate: '2026-11-01T00:00:00+00:00', endDate: '2026-11-02T00:00:00+00:00' }
    const id = { shortCode: 'seen' }
    expect((await client.getShortUrlVisits(id, before)).pagination.totalItems).toBe(0)
    expect(await client.deleteOrphanVisits()).toEqual({ deletedVisits: 0 })
    await expect(client.deleteShortUrlVisits(id)).rejects.toMatchObject({ status: 501 })
    await expect(client.getTagVisits('none')).rejects.toMatchObject({
      type: error('tag-not-found'),
    })
    await expect(client.getDomainVisits('none.example')).rejects.toMatchObject({
      type: error('domain-not-found'),
      authority: 'none.example',
    })
  })

  it('lists, counts, renames and deletes tags', async () => {
    await client.createShortUrl({ longUrl: far, customSlug: 'a', tags: ['one', 'two'] })
    await visits('a', 1)
    expect((await client.listTags()).data).toEqual(['one', 'two'])
    expect((await client.tagsStats()).data).toEqual([
      { tag: 'one', shortUrlsCount: 1, visitsSummary: { total: 1, nonBots: 1, bots: 0 } },
      { tag: 'two', shortUrlsCount: 1, visitsSummary: { total: 1, nonBots: 1, bots: 0 } },
    ])
    await client.editTag({ oldName: 'one', newName: 'Three' })
    expect((await client.getShortUrl({ shortCode: 'a' })).tags).toEqual(['three', 'two'])
    await expect(client.editTag({ oldName: 'two', newName: 'three' })).rejects.toMatchObject({
      type: error('tag-conflict'),
      status: 409,
    })
    await expect(client.editTag({ oldName: 'none', newName: 'x' })).rejects.toMatchObject({
      type: error('tag-not-found'),
    })
    await client.deleteTags(['two', 'none'])
    expect((await client.listTags()).data).toEqual(['three'])
  })

  it('lists domains, and changes where they lead', async () => {
    const { data } = (await linnet.api('POST', '/domains', { host: 'links.example.com' })).body
    expect(data.host).toBe('links.example.com')
    const change = { domain: 'links.example.com', baseUrlRedirect: 'https://example.com/' }
    expect(await client.editDomainRedirects(change)).toEqual({
      baseUrlRedirect: 'https://example.com/',
      regular404Redirect: null,
      invalidShortUrlRedirect: null,
    })
    const { data: all } = await client.listDomains()
    expect(
      all.map((it: { domain: string; isDefault: boolean }) => [it.domain, it.isDefault]),
    ).toEqual([
      ['go.example.org', true],
      ['links.example.com', false],
    ])
    expect(all[1]?.redirects.baseUrlRedirect).toBe('https://example.com/')
    await expect(client.editDomainRedirects({ domain: 'go.example.org' })).rejects.toMatchObject({
      type: error('domain-not-found'),
    })
  })

  it('sets rules, gets them back, and they route', async () => {
    const id = { shortCode: 'routed' }
    await client.createShortUrl({ longUrl: far, customSlug: 'routed' })
    const one = (type: string, matchValue: string | null, matchKey: string | null = null) => ({
      longUrl: `https://example.org/${type}`,
      conditions: [{ type, matchKey, matchValue } as never],
    })
    const redirectRules = [
      ...['android', 'ios', 'windows', 'macos', 'linux', 'chromeos', 'mobile', 'desktop'].map(it =>
        one('device', it),
      ),
      one('language', 'de-AT'),
      one('query-param', 'x', 'ref'),
      one('any-value-query-param', null, 'ref'),
      one('valueless-query-param', null, 'flag'),
      one('ip-address', '192.0.2.1'),
      one('geolocation-country-code', 'DE'),
      one('geolocation-city-name', 'Munich'),
      one('before-date', '2026-12-01T00:00:00.000Z'),
      one('after-date', '2026-12-01T00:00:00.000Z'),
      one('browser', 'firefox'),
    ]
    const set = await client.setShortUrlRedirectRules(id, { redirectRules })
    expect(set).toEqual({
      defaultLongUrl: far,
      redirectRules: redirectRules.map((rule, index) => ({ ...rule, priority: index + 1 })),
    })
    expect(await client.getShortUrlRedirectRules(id)).toEqual(set)
    expect((await client.getShortUrl(id)).hasRedirectRules).toBe(true)
    const { location } = await linnet.visit('routed', { headers: { 'user-agent': browser } })
    expect(location).toBe('https://example.org/device')
    expect(await client.setShortUrlRedirectRules(id, { redirectRules: [] })).toEqual({
      defaultLongUrl: far,
      redirectRules: [],
    })
    expect((await client.getShortUrl(id)).hasRedirectRules).toBe(false)
  })

  it('is told that there are no messages in real time', async () => {
    await expect(client.mercureInfo()).rejects.toMatchObject({
      type: error('mercure-not-configured'),
      status: 501,
    })
  })
})

describe('rules', () => {
  const set = (conditions: unknown, longUrl = far) =>
    send('POST', 'short-urls/routed/redirect-rules', { redirectRules: [{ longUrl, conditions }] })

  it('of several values become one for each, and what Shlink has no words for is not lost', async () => {
    const is = (type: string, value: unknown) => ({ type, operator: 'is', value })
    const { id } = await linnet.create({
      originalUrl: far,
      shortCode: 'routed',
      dynamicRouting: {
        rules: [
          {
            name: 'German',
            originalUrl: 'https://example.org/de',
            conditions: [is('country', ['DE', 'AT']), is('device', 'mobile')],
          },
        ],
      },
    })
    const read = async () => JSON.parse((await raw('short-urls/routed/redirect-rules')).text)
    const rules = (await read()).redirectRules.map(
      (rule: { conditions: { matchValue: string }[] }) =>
        rule.conditions.map(({ matchValue }) => matchValue),
    )
    expect(rules).toEqual([
      ['DE', 'mobile'],
      ['AT', 'mobile'],
    ])
    const half = { name: 'Half', originalUrl: 'https://example.org/new', weight: 50 }
    await linnet.api('PATCH', `/links/${id}`, { dynamicRouting: { rules: [half] } })
    expect((await read()).redirectRules).toEqual([])
    const refused = await set([])
    expect([refused.status, JSON.parse(refused.text).type]).toEqual([400, error('invalid-data')])
    expect(JSON.parse(refused.text).detail).toContain('Half')
    const { body } = await linnet.api('GET', `/links/${id}`)
    expect(body.data.dynamicRouting.rules).toHaveLength(1)
  })

  it('with a wildcard are those of a network', async () => {
    await linnet.create({ originalUrl: far, shortCode: 'routed' })
    const { text } = await set([{ type: 'ip-address', matchKey: null, matchValue: '192.0.*.*' }])
    expect(JSON.parse(text).redirectRules[0].conditions[0].matchValue).toBe('192.0.0.0/16')
  })

  it.each<[string, unknown]>([
    ['a condition that there is not', [{ type: 'moon', matchValue: 'full' }]],
    ['a device that there is not', [{ type: 'device', matchValue: 'toaster' }]],
    ['a browser that there is not', [{ type: 'browser', matchValue: '__proto__' }]],
    ['a network that is none', [{ type: 'ip-address', matchValue: '1.*.2.*' }]],
    ['a date that is none', [{ type: 'before-date', matchValue: 'soon' }]],
    ['conditions that are no list', 'all'],
    [
      'too many conditions',
      Array.from({ length: 11 }, () => ({ type: 'language', matchValue: 'en' })),
    ],
  ])('with %s are refused', async (_, conditions) => {
    await linnet.create({ originalUrl: far, shortCode: 'routed' })
    const { status, text } = await set(conditions)
    expect([status, JSON.parse(text).type]).toEqual([400, error('invalid-data')])
  })

  it('to an address that is none are refused', async () => {
    await linnet.create({ originalUrl: far, shortCode: 'routed' })
    expect((await set([], 'javascript:alert(1)')).status).toBe(400)
  })
})

describe('a request', () => {
  const create = async (body: unknown) => {
    const { status, text } = await send('POST', 'short-urls', body)
    return { http: status, ...JSON.parse(text) }
  }

  it('is refused in the way of Shlink', async () => {
    await create({ longUrl: far, customSlug: 'taken' })
    expect(await create({ longUrl: far, customSlug: 'taken' })).toMatchObject({
      http: 400,
      type: error('non-unique-slug'),
      customSlug: 'taken',
    })
    expect(await create({})).toMatchObject({
      type: error('invalid-data'),
      invalidElements: ['longUrl'],
    })
    for (const [name, value] of Object.entries({
      longUrl: 5,
      title: ['a'],
      maxVisits: 'many',
      validSince: 'soon',
      tags: [5],
      customSlug: 'a b',
      crawlable: 'perhaps',
      domain: 'none.example',
    })) {
      const said = await create({ longUrl: far, [name]: value })
      expect([said.http, said.type, said.invalidElements], name).toEqual([
        ...[400, error('invalid-data'), [name]],
      ])
    }
  })

  it.each(['[]', '"x"', 'null', '5'])('with the body %s lacks its URL', async body => {
    const { status } = await raw('short-urls', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(400)
  })

  it('needs a key, which says what it may', async () => {
    const status = async (key: string, path: string, more: VisitOptions = {}) => {
      const { status, text } = await raw(path, { ...more, headers: { 'x-api-key': key } })
      return [status, JSON.parse(text).type]
    }
    const { status: without, text } = await linnet.visit('rest/v3/short-urls')
    expect([without, JSON.parse(text)]).toEqual([
      401,
      {
        type: error('missing-authentication'),
        title: 'Invalid authorization',
        detail: 'Send an API key in the header X-Api-Key.',
        status: 401,
        expectedHeaders: ['X-Api-Key'],
      },
    ])
    expect(await status('none', 'short-urls')).toEqual([401, error('invalid-api-key')])
    const reading = await tokenFor('links:read')
    await linnet.create({ originalUrl: far, shortCode: 'a' })
    expect((await raw('short-urls', { headers: { 'x-api-key': reading } })).status).toBe(200)
    const lacks = [403, 'urn:linnet:problem:insufficient_scope']
    expect(await status(reading, 'short-urls/a', { method: 'DELETE' })).toEqual(lacks)
    expect(await status(reading, 'short-urls/a', { method: 'PATCH', body: '' })).toEqual(lacks)
    expect(await status(reading, 'short-urls/a/redirect-rules', { method: 'POST' })).toEqual(lacks)
    expect(await status(reading, 'visits/orphan')).toEqual(lacks)
    expect(await status(reading, 'visits')).toEqual(lacks)
    expect(await status(reading, 'tags')).toEqual(lacks)
  })

  it('sees no link of another account', async () => {
    const other = await otherAccount(linnet)
    await other('POST', '/links', { original_url: far, short_code: 'theirs' })
    for (const [method, path] of [
      ['GET', 'short-urls/theirs'],
      ['PATCH', 'short-urls/theirs'],
      ['DELETE', 'short-urls/theirs'],
      ['GET', 'short-urls/theirs/visits'],
      ['GET', 'short-urls/theirs/redirect-rules'],
      ['POST', 'short-urls/theirs/redirect-rules'],
    ] as const) {
      const { status, text } = await raw(path, { method })
      expect([status, JSON.parse(text).type], `${method} ${path}`).toEqual([
        404,
        error('short-url-not-found'),
      ])
    }
    expect(JSON.parse((await raw('short-urls')).text).shortUrls.data).toEqual([])
  })

  it('makes a random code of a length, and one behind a prefix', async () => {
    const signs = '[2-9b-df-hjkmnp-tv-xzB-DF-HJ-NP-TV-XZ]'
    for (const shortCodeLength of [4, 12, 64]) {
      const { shortCode } = await create({ longUrl: far, shortCodeLength })
      expect(shortCode).toMatch(new RegExp(`^${signs}{${shortCodeLength}}$`))
    }
    for (const shortCodeLength of [3, 4.5, 'five']) {
      const { status, text } = await raw('short-urls', {
        method: 'POST',
        body: JSON.stringify({ longUrl: far, shortCodeLength }),
        headers: { 'content-type': 'application/json' },
      })
      expect([status, JSON.parse(text).invalidElements]).toEqual([400, ['shortCodeLength']])
    }
    await linnet.api('POST', '/code-rules', { grammar: 'wide' })
    const { shortCode } = await create({ longUrl: far, pathPrefix: 'guide/' })
    expect(shortCode).toMatch(new RegExp(`^guide/${signs}{5}$`))
    const path = `short-urls/${encodeURIComponent(shortCode)}`
    expect(JSON.parse((await raw(path)).text).shortCode).toBe(shortCode)
    expect(JSON.parse((await raw(`short-urls/${shortCode}/visits`)).text).visits.data).toEqual([])
  })

  it('may shorten by one address', async () => {
    const query = (more: object) => `?${new URLSearchParams({ apiKey, longUrl: far, ...more })}`
    const text = await linnet.visit('rest/v3/short-urls/shorten', {
      query: query({ format: 'txt' }),
    })
    expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text.text).toMatch(/^https:\/\/go\.example\.org\/\w+$/)
    const json = await linnet.visit('rest/v1/short-urls/shorten', { query: query({}) })
    expect(JSON.parse(json.text)).toMatchObject({ longUrl: far, shortUrl: expect.any(String) })
    const wrong = await linnet.visit('rest/v3/short-urls/shorten', {
      query: query({ apiKey: 'x' }),
    })
    expect(wrong.status).toBe(401)
    // A key in the address is for that address alone.
    expect((await linnet.visit('rest/v3/short-urls', { query: query({}) })).status).toBe(401)
  })

  it('of older versions is answered with their names of errors', async () => {
    const { status, text } = await linnet.visit('rest/v2/short-urls/none', {
      headers: { 'x-api-key': apiKey },
    })
    expect([status, JSON.parse(text).type]).toEqual([404, 'INVALID_SHORTCODE'])
  })

  it('that comes too often is told so in its way', () => {
    const tooMany = refuse('too_many_requests', 'Wait a moment.', 429)
    const said = shlink.mounts?.rest?.problem?.(tooMany, { path: '' } as MountAsked, {} as Context)
    expect([said?.status, said?.type]).toEqual([429, 'application/problem+json'])
    expect(JSON.parse(String(said?.content))).toMatchObject({
      status: 429,
      detail: 'Wait a moment.',
    })
  })

  it('to no address, or by another method, is told so', async () => {
    for (const [method, path] of [
      ['GET', 'none'],
      ['POST', 'visits'],
      ['DELETE', 'short-urls'],
      ['GET', 'constructor'],
    ] as const) {
      const { status, text } = await raw(path, { method })
      expect([status, JSON.parse(text).type]).toEqual([404, error('not-found')])
    }
  })

  it('may come from the pages of any web client', async () => {
    const origin = 'https://app.shlink.io'
    const { headers } = await raw('short-urls', { headers: { origin } })
    expect(headers['access-control-allow-origin']).toBe('*')
    const preflight = await inject(linnet.app.server.handle, {
      method: 'OPTIONS',
      url: '/rest/v3/short-urls',
      headers: {
        ...{ host: 'go.example.org', origin, 'access-control-request-method': 'DELETE' },
        'access-control-request-headers': 'x-api-key',
      },
    })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
    expect(preflight.headers['access-control-allow-headers']).toContain('x-api-key')
  })

  it('works as far as the plugins are there that it needs', async () => {
    linnet = await linnet.restart([shlink, 'developer.apiKeys', 'link.customShortCode'])
    expect(await create({ longUrl: far, customSlug: 'plain' })).toMatchObject({
      http: 200,
      shortCode: 'plain',
      tags: [],
      forwardQuery: false,
      meta: { validSince: null, validUntil: null, maxVisits: null },
    })
    expect(await create({ longUrl: far, tags: ['a'] })).toMatchObject({
      http: 400,
      invalidElements: ['tags'],
    })
    expect(JSON.parse((await raw('tags')).text).tags.data).toEqual([])
    expect(JSON.parse((await raw('domains')).text).domains.data).toHaveLength(1)
    const rules = { redirectRules: [] }
    expect((await send('POST', 'short-urls/plain/redirect-rules', rules)).status).toBe(200)
  })

  it('is answered in its form, whatever is in it', async () => {
    const paths = [
      ...['short-urls', 'short-urls/a', 'short-urls/a/visits', 'short-urls/a/redirect-rules'],
      ...[
        'short-urls/shorten',
        'tags',
        'tags/stats',
        'tags/a/visits',
        'domains',
        'domains/redirects',
      ],
      ...['visits', 'visits/orphan', 'domains/a/visits', 'short-urls/%zz', 'short-urls/%00'],
    ]
    const word = fc.oneof(
      fc.constantFrom(
        'a',
        '-1',
        '1e9',
        '2026-01-01',
        'dateCreated-ASC',
        far,
        '%',
        '\u202e',
        'DEFAULT',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    const names = [
      ...['page', 'itemsPerPage', 'searchTerm', 'tags[]', 'tagsMode', 'orderBy', 'startDate'],
      ...['endDate', 'domain', 'longUrl', 'apiKey', 'format'],
    ]
    const fields = [
      ...[
        'longUrl',
        'customSlug',
        'tags',
        'title',
        'validSince',
        'maxVisits',
        'domain',
        'pathPrefix',
      ],
      ...[
        'shortCodeLength',
        'findIfExists',
        'redirectRules',
        'oldName',
        'newName',
        'baseUrlRedirect',
      ],
    ]
    const value = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }))
    await linnet.create({ originalUrl: far, shortCode: 'a' })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom(...names), word, { maxKeys: 4 }),
        fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 4 }),
        async (method, path, query, body) => {
          const { status, text } = await raw(path, {
            method,
            query: `?${new URLSearchParams(query)}`,
            ...(method !== 'GET' && {
              body: JSON.stringify(body),
              headers: { 'content-type': 'application/json' },
            }),
          })
          expect([status, text]).toSatisfy(([status]) => status < 500 || status === 501)
          if (text !== '' && query.format !== 'txt') JSON.parse(text)
        },
      ),
      tries(100),
    )
  })
})

describe('printed addresses', () => {
  it('draw the QR code of a short URL', async () => {
    await linnet.create({ originalUrl: far, shortCode: 'spring' })
    const { status, location } = await linnet.visit('spring/qr-code', {
      query: '?size=210&format=svg',
    })
    expect([status, location]).toEqual([
      302,
      'https://go.example.org/rest/qr-code?code=spring&size=210&format=svg',
    ])
    const svg = await linnet.visit('rest/qr-code', {
      query: '?code=spring&size=210&margin=5&format=svg',
    })
    expect(svg.headers['content-type']).toBe('image/svg+xml')
    expect(svg.text).toMatch(/^<svg [^>]* width="220" height="220">.*<\/svg>$/)
    const png = await linnet.visit('rest/qr-code', { query: '?code=spring' })
    expect(png.headers['content-type']).toBe('image/png')
    expect((await linnet.visit('rest/qr-code', { query: '?code=none' })).status).toBe(404)
    expect((await linnet.visit('none/qr-code')).status).toBe(404)
  })

  it('count by an image', async () => {
    const link = await linnet.create({ originalUrl: far, shortCode: 'mail' })
    const pixel = await linnet.visit('mail/track', { headers: { 'user-agent': browser } })
    expect([pixel.status, pixel.headers['content-type']]).toEqual([200, 'image/gif'])
    expect((await linnet.api('GET', `/links/${link.id}`)).body.data.visits.total).toBe(1)
  })
})
