import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, definePlugin, type MountAsked, refuse } from '../../../core/plugin.ts'
import yourls from '../../../plugins/developer/yourls.ts'
import { tries } from '../../at-night.ts'
import { boot, type Harness, type VisitOptions } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

const door = 'yourls-api.php'
const far = 'https://example.org/far?a=1&b=<2>'
const parts = [
  yourls,
  'developer.apiKeys',
  'link.customShortCode',
  'link.editOriginalUrl',
  'link.editShortCode',
  'analytics.visitsTracking',
  'organization.customDomains',
] as const

let linnet: Harness
let signature: string

beforeEach(async () => {
  linnet = await boot(parts)
  signature = await tokenFor('links:write', 'analytics:read')
})
afterEach(() => linnet.stop())

async function tokenFor(...scopes: readonly string[]): Promise<string> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'YOURLS', scopes })
  return body.data.token
}

type Asked = Readonly<Record<string, string>>

const raw = (asked: Asked, more: VisitOptions = {}) =>
  linnet.visit(door, { query: `?${new URLSearchParams(asked)}`, ...more })

async function ask(asked: Asked) {
  const { status, text } = await raw({ signature, format: 'json', ...asked })
  return { http: status, ...JSON.parse(text) }
}

const make = (more: Asked = {}) => ask({ action: 'shorturl', url: far, ...more })

describe('shorturl', () => {
  it('makes a link with keyword and title', async () => {
    expect(await make({ keyword: 'spring', title: ' Spring\n sale ' })).toEqual({
      http: 200,
      url: {
        keyword: 'spring',
        url: new URL(far).href,
        title: 'Spring sale',
        date: '2026-11-20 12:00:00',
        ip: '',
      },
      status: 'success',
      message: `${new URL(far).href} added to database`,
      title: 'Spring sale',
      shorturl: 'https://go.example.org/spring',
      statusCode: '200',
      code: '',
      errorCode: '',
    })
    expect((await linnet.visit('spring')).location).toBe(new URL(far).href)
  })

  it('adds the scheme that people leave out', async () => {
    expect((await make({ url: 'example.org' })).url.url).toBe('http://example.org/')
  })

  it('answers the same URL with the link that there is, whatever keyword is asked for', async () => {
    const { shorturl } = await make({ title: 'First' })
    const failure = { http: 400, status: 'fail', code: 'error:url', statusCode: '400' }
    const expected = {
      ...failure,
      errorCode: '400',
      shorturl,
      title: 'First',
      message: `${new URL(far).href} already exists in database (short URL: ${shorturl.slice(8)})`,
      url: { url: new URL(far).href, clicks: '0', title: 'First' },
    }
    expect(await make()).toMatchObject(expected)
    expect(await make({ keyword: 'other', title: 'Other' })).toMatchObject(expected)
    expect((await linnet.api('GET', '/links')).body.meta.total).toBe(1)
    expect((await raw({ signature, action: 'shorturl', url: far, format: 'simple' })).text).toBe(
      shorturl,
    )
  })

  it('answers it as a success where the operator says so', async () => {
    const { shorturl } = await make()
    await linnet.api('PATCH', '/admin/plugins/developer.yourls', {
      settings: { sameUrl: 'success' },
    })
    expect(await make()).toMatchObject({
      http: 200,
      status: 'success',
      statusCode: '200',
      shorturl,
    })
  })

  it.each<[string, Asked, string]>([
    ['no URL', { url: '' }, 'error:nourl'],
    ['a URL that is none', { url: 'https://' }, 'error:nourl'],
    ['a scheme that is not allowed', { url: 'javascript:alert(1)' }, 'error:nourl'],
    ['a short URL', { url: 'https://go.example.org/abc' }, 'error:noloop'],
    ['a keyword that is reserved', { keyword: 'api' }, 'error:keyword'],
    ['a keyword with other characters', { keyword: 'a b' }, 'error:keyword'],
  ])('says of %s what is wrong', async (_, asked, code) => {
    expect(await make(asked)).toMatchObject({
      http: 400,
      status: 'fail',
      code,
      statusCode: '400',
      errorCode: '400',
      message: expect.stringMatching(/\S/),
    })
  })

  it('says that a keyword is taken', async () => {
    await linnet.create({ originalUrl: 'https://example.net/', shortCode: 'taken' })
    expect(await make({ keyword: 'taken' })).toMatchObject({
      code: 'error:keyword',
      message: 'Short URL taken already exists in database or is reserved',
    })
  })

  it('keeps fragments, as PrivateBin needs', async () => {
    const { url } = await make({ url: 'https://bin.example/?a1b2#4fS8yD/x+z=' })
    expect(url.url).toBe('https://bin.example/?a1b2#4fS8yD/x+z=')
  })
})

describe('a link', () => {
  it('is expanded by its keyword, a former one and its whole short URL', async () => {
    const { id } = await linnet.create({ originalUrl: far, shortCode: 'old', title: 'Far' })
    await linnet.api('PATCH', `/links/${id}`, { shortCode: 'new' })
    const found = {
      http: 200,
      keyword: 'new',
      shorturl: 'https://go.example.org/new',
      longurl: new URL(far).href,
      title: 'Far',
      message: 'success',
      statusCode: '200',
    }
    for (const shorturl of ['new', 'old', 'https://go.example.org/old']) {
      expect(await ask({ action: 'expand', shorturl })).toEqual(found)
    }
  })

  it.each(['none', '', 'https://elsewhere.example/old', 'x'.repeat(400), '%zz'])(
    'that is not there is not found: %s',
    async shorturl => {
      const expected = { http: 404, errorCode: '404', message: 'Error: short URL not found' }
      expect(await ask({ action: 'expand', shorturl })).toMatchObject(expected)
      expect(await ask({ action: 'url-stats', shorturl })).toMatchObject(expected)
    },
  )

  it('of another account is not found, changed or deleted', async () => {
    const other = await otherAccount(linnet)
    await other('POST', '/links', { original_url: far, short_code: 'theirs' })
    expect((await ask({ action: 'expand', shorturl: 'theirs' })).http).toBe(404)
    expect((await ask({ action: 'url-stats', shorturl: 'theirs' })).http).toBe(404)
    expect((await ask({ action: 'delete', shorturl: 'theirs' })).http).toBe(404)
    const change = { action: 'update', shorturl: 'theirs', url: 'https://evil.example/' }
    expect((await ask(change)).http).toBe(404)
    expect((await linnet.visit('theirs')).location).toBe(new URL(far).href)
    expect((await ask({ action: 'list' })).result).toEqual([])
  })

  it('is counted', async () => {
    await linnet.create({ originalUrl: far, shortCode: 'seen', title: null })
    await visits('seen', 2)
    expect(await ask({ action: 'url-stats', shorturl: 'seen' })).toEqual({
      http: 200,
      statusCode: '200',
      message: 'success',
      link: {
        shorturl: 'https://go.example.org/seen',
        url: new URL(far).href,
        title: '',
        timestamp: '2026-11-20 12:00:00',
        ip: '',
        clicks: '2',
      },
    })
  })

  it('is deleted and changed as by the plugins of YOURLS', async () => {
    await linnet.create({ originalUrl: far, shortCode: 'spring' })
    const change = { action: 'update', shorturl: 'spring', url: 'example.net', title: 'Net' }
    expect(await ask(change)).toMatchObject({
      http: 200,
      statusCode: 200,
      message: 'success: updated',
    })
    expect(await ask({ action: 'expand', shorturl: 'spring' })).toMatchObject({
      longurl: 'http://example.net/',
      title: 'Net',
    })
    expect(await ask({ ...change, url: 'nonsense:' })).toMatchObject({ http: 400, statusCode: 400 })
    expect(await ask({ action: 'update', shorturl: 'spring' })).toMatchObject({
      http: 400,
      message: 'error: missing param',
    })
    expect(await ask({ action: 'delete', shorturl: 'spring' })).toEqual({
      http: 200,
      statusCode: 200,
      simple: 'Shorturl spring deleted',
      message: 'success: deleted',
    })
    expect(await ask({ action: 'delete', shorturl: 'spring' })).toMatchObject({ http: 404 })
    expect(await ask({ action: 'delete' })).toMatchObject({ http: 400 })
  })
})

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function visits(code: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    await linnet.visit(code, { headers: { 'user-agent': browser } })
  }
}

describe('lists', () => {
  beforeEach(async () => {
    for (const [index, shortCode] of ['one', 'two', 'three'].entries()) {
      linnet.at(`2026-11-20T1${index}:00:00Z`)
      const originalUrl = `https://example.org/${shortCode}`
      await linnet.create({ originalUrl, shortCode, title: shortCode.toUpperCase() })
    }
    await visits('two', 2)
    await visits('three', 1)
  })

  const titles = ({ links }: { links: Record<string, { title: string }> }) =>
    Object.values(links).map(({ title }) => title)

  it.each<[Asked, readonly string[]]>([
    [{}, ['TWO', 'THREE', 'ONE']],
    [{ filter: 'top', limit: '1' }, ['TWO']],
    [{ filter: 'top', limit: '5', start: '2' }, ['ONE']],
    [{ filter: 'bottom' }, ['ONE', 'THREE', 'TWO']],
    [{ filter: 'last' }, ['THREE', 'TWO', 'ONE']],
    [{ filter: 'nonsense', limit: '-1', start: 'x' }, ['TWO', 'THREE', 'ONE']],
    [{ limit: '0' }, []],
    [{ start: '9999999' }, []],
  ])('stats with %j', async (asked, expected) => {
    const found = await ask({ action: 'stats', ...asked })
    expect(titles(found)).toEqual(expected)
    expect(found).toMatchObject({
      stats: { total_links: '3', total_clicks: '3' },
      statusCode: '200',
      message: 'success',
    })
  })

  it('stats at random have each link once', async () => {
    const found = await ask({ action: 'stats', filter: 'rand', limit: '10' })
    expect(titles(found).toSorted()).toEqual(['ONE', 'THREE', 'TWO'])
    expect(titles(await ask({ action: 'stats', filter: 'rand', limit: '2' }))).toHaveLength(2)
  })

  it('db-stats tell the sums', async () => {
    expect(await ask({ action: 'db-stats' })).toEqual({
      http: 200,
      'db-stats': { total_links: '3', total_clicks: '3' },
      statusCode: '200',
      message: 'success',
    })
  })

  it('counts clicks without a date in sums as in links', async () => {
    const brings = definePlugin({
      feature: 'a.brings',
      about: 'Brings visits.',
      jobs: {
        bring: {
          every: '0 0 1 1 *',
          async run({ links }) {
            const { rowId } = linnet.account
            const { id } = await linnet.create({ shortCode: 'four', originalUrl: far })
            const past = { undated: 1_000, counts: [{ at: '2024-05-03', visits: 7 }] }
            expect(await links.addVisits(rowId, id, 'key', past)).toBe(true)
          },
        },
      },
    })
    linnet = await linnet.restart([...parts, brings])
    await linnet.run('a.brings.bring')
    const { links, stats } = await ask({ action: 'stats' })
    const clicks = Object.values<{ clicks: string }>(links).map(it => it.clicks)
    expect(clicks).toEqual(['1007', '2', '1', '0'])
    expect(stats.total_clicks).toBe('1010')
    expect((await ask({ action: 'db-stats' }))['db-stats'].total_clicks).toBe('1010')
  })

  it('list has what is asked for', async () => {
    const asked = { action: 'list', sortby: 'clicks', sortorder: 'ASC', perpage: '2', offset: '1' }
    const { result } = await ask({ ...asked, fields: 'keyword,clicks' })
    expect(result).toEqual([
      { keyword: 'three', clicks: '1' },
      { keyword: 'two', clicks: '2' },
    ])
    expect((await ask({ action: 'list', query: 'two' })).result).toEqual([
      {
        keyword: 'two',
        url: 'https://example.org/two',
        timestamp: '2026-11-20 11:00:00',
        title: 'TWO',
        ip: '',
        clicks: '2',
      },
    ])
  })

  it('shlink-list has all, oldest first', async () => {
    const { result } = await ask({ action: 'shlink-list' })
    expect(result.map(({ keyword }: { keyword: string }) => keyword)).toEqual([
      'one',
      'two',
      'three',
    ])
  })
})

describe('formats', () => {
  it('writes XML where nothing is said, and escapes what is in it', async () => {
    const xml = await raw({ signature, action: 'shorturl', url: far, title: '<b>&"\'\u0007' })
    expect(xml.headers['content-type']).toMatch(/^application\/xml/)
    expect(xml.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<root>.*<\/root>\n$/)
    expect(xml.text).toContain('<title>&#60;b&#62;&#38;&#34;&#39;</title>')
    expect(xml.text).toContain('b=%3C2%3E')
  })

  it('writes a list in XML', async () => {
    await make({ keyword: 'spring' })
    const { text } = await raw({ signature, action: 'list', fields: 'keyword' })
    expect(text).toContain('<result><keyword>spring</keyword></result>')
  })

  it.each(['simple', 'JSON', 'nonsense', '../x'])(
    'writes one text for the format %s',
    async format => {
      const { text, headers } = await raw({ signature, action: 'shorturl', url: far, format })
      expect(headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(text).toMatch(/^https:\/\/go\.example\.org\/\w+$/)
    },
  )

  it('writes JSONP for the name of a function only', async () => {
    const jsonp = (callback: string) =>
      raw({ signature, action: 'version', format: 'jsonp', callback })
    const { text, headers } = await jsonp('jQuery17._show$1')
    expect(headers['content-type']).toMatch(/^application\/javascript/)
    expect(text).toBe('/**/jQuery17._show$1({"version":"1.10.4","callback":"jQuery17._show$1"})')
    for (const callback of ['', 'alert(1)//', 'a.', '1a', 'a-b', 'a\nb', 'a'.repeat(101), 'ä']) {
      const wrong = await jsonp(callback)
      expect([wrong.status, wrong.headers['content-type']]).toEqual([
        400,
        'text/plain; charset=utf-8',
      ])
      expect(wrong.text).not.toContain('version')
    }
  })
})

describe('a request', () => {
  const asked = { action: 'shorturl', url: far, format: 'json' }

  it('opens nothing without a token, and no more than the token does', async () => {
    const status = async (more: Asked) => (await raw({ ...asked, ...more })).status
    expect(JSON.parse((await raw(asked)).text)).toEqual({
      message: 'Please log in',
      errorCode: '403',
      statusCode: '403',
    })
    expect(await status({ signature: '1002a612b4' })).toBe(403)
    const reading = await tokenFor('links:read')
    expect(await status({ signature: reading })).toBe(403)
    for (const action of ['delete', 'update']) {
      expect(await status({ action, signature: reading, shorturl: 'a', url: far })).toBe(403)
    }
    for (const action of ['db-stats', 'stats']) {
      expect(await status({ action, signature: reading })).toBe(403)
    }
    expect(await status({ action: 'version' })).toBe(403)
    expect(await status({ action: 'version', signature: reading })).toBe(200)
  })

  it('says which action it does not know', async () => {
    for (const action of ['', 'none', 'constructor', '__proto__']) {
      expect(await ask({ action })).toMatchObject({
        http: 400,
        errorCode: '400',
        message: 'Unknown or missing "action" parameter',
      })
    }
  })

  it.each<[string, (token: string) => Asked]>([
    ['a signature', signature => ({ signature })],
    ['any name with a token as the password', password => ({ username: 'ada', password })],
  ])('takes %s in a form, byte by byte as ShareX writes it', async (_, access) => {
    const boundary = `${'-'.repeat(20)}8de2d7a1f3c5b00`
    const url = 'https://example.com/größe?a=1&b=2'
    const sent = { ...access(signature), action: 'shorturl', url, format: 'simple' }
    const parts = Object.entries(sent).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const { status, text } = await linnet.visit(door, {
      body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'user-agent': 'ShareX/17.0.0',
      },
    })
    expect(status).toBe(200)
    // It takes the whole answer for the short URL.
    expect(text).toMatch(/^https:\/\/go\.example\.org\/\w+$/)
    expect((await linnet.visit(text.split('/').at(-1) ?? '')).location).toBe(new URL(url).href)
  })

  it('says in the way of YOURLS what is refused before it is read', async () => {
    const answers = { url: 'x'.repeat(20_000) }
    const large = await linnet.visit(door, { answers, query: '?format=json' })
    expect(large.status).toBe(413)
    expect(JSON.parse(large.text)).toMatchObject({
      status: 'fail',
      code: 'error:payload_too_large',
    })
    const { text } = await linnet.visit(door, { method: 'PUT' })
    expect(text).toContain('<statusCode>405</statusCode>')
  })

  it('keeps to the plan', async () => {
    await linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()
    expect(JSON.parse((await raw({ ...asked, signature })).text)).toMatchObject({
      code: 'error:feature_not_in_plan',
      statusCode: '403',
    })
  })

  it('may come from pages of any origin', async () => {
    const { headers } = await raw(
      { ...asked, signature },
      { headers: { origin: 'https://a.example' } },
    )
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('is answered in its form, whatever is in it', async () => {
    const word = fc.oneof(
      fc.constantFrom('shorturl', 'expand', 'url-stats', 'stats', 'list', 'delete', 'update'),
      fc.constantFrom('json', 'xml', 'jsonp', 'simple', far, '-1', '1e9', '%00', '\u202e'),
      fc.string({ unit: 'binary', maxLength: 30 }),
    )
    const names = [
      ...['action', 'format', 'url', 'keyword', 'title', 'shorturl', 'filter', 'limit', 'start'],
      ...['callback', 'sortby', 'sortorder', 'offset', 'perpage', 'fields', 'query', 'db'],
      ...['timestamp', 'hash', 'username'],
    ]
    const anything = fc.dictionary(fc.constantFrom(...names), word, { maxKeys: 8 })
    await fc.assert(
      fc.asyncProperty(anything, async asked => {
        const { status, text, headers } = await raw({ signature, ...asked })
        expect(status).toBeLessThan(500)
        if (String(headers['content-type']).startsWith('application/json')) JSON.parse(text)
      }),
      tries(100),
    )
  })
})

describe('a signature', () => {
  const now = Date.parse('2026-11-20T12:00:00Z') / 1_000
  const timed = async (
    secret: string,
    algorithm: string,
    more: { at?: number; last?: boolean } = {},
  ) => {
    const timestamp = `${more.at ?? now}`
    const text = more.last ? secret + timestamp : timestamp + secret
    const signature = hash(algorithm, text)
    return (await raw({ action: 'version', format: 'json', timestamp, signature, hash: algorithm }))
      .status
  }
  const newSignature = async (name = 'Website') =>
    (await linnet.api('POST', '/yourls-signatures', { name })).body.data

  it('is made, shown again, used and revoked', async () => {
    const made = await newSignature()
    expect(made).toEqual({
      id: expect.stringMatching(/^ysg_\w+$/),
      name: 'Website',
      createdAt: '2026-11-20T12:00:00.000Z',
      signature: expect.stringMatching(/^lnt_/),
    })
    const { signature: _, ...listed } = made
    expect((await linnet.api('GET', '/yourls-signatures')).body.data).toEqual([listed])
    expect((await linnet.api('POST', `/yourls-signatures/${made.id}/reveal`)).body.data).toEqual(
      made,
    )
    const [token] = (await linnet.api('GET', '/api-tokens')).body.data
    expect(token).toMatchObject({
      name: 'YOURLS: Website',
      scopes: ['links:write', 'analytics:read'],
    })
    expect(await timed(made.signature, 'sha256')).toBe(200)
    expect((await raw({ action: 'version', signature: made.signature })).status).toBe(200)
    expect((await linnet.api('DELETE', `/yourls-signatures/${made.id}`)).status).toBe(204)
    expect(await timed(made.signature, 'sha256')).toBe(403)
    expect((await raw({ action: 'version', signature: made.signature })).status).toBe(403)
    expect((await linnet.api('POST', `/yourls-signatures/${made.id}/reveal`)).status).toBe(404)
  })

  it('is not readable in the database', async () => {
    const { signature } = await newSignature()
    const rows = await linnet.db
      .selectFrom('developer_yourls_signatures' as never)
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(signature)
  })

  it.each(['sha256', 'sha384', 'sha512'])(
    'is signed with the time by %s, in both orders',
    async algorithm => {
      const { signature } = await newSignature()
      expect(await timed(signature, algorithm)).toBe(200)
      expect(await timed(signature, algorithm, { last: true })).toBe(200)
      expect(await timed(`${signature}x`, algorithm)).toBe(403)
    },
  )

  it('is valid for twelve hours before and after its time', async () => {
    const { signature } = await newSignature()
    const hours = (count: number) => timed(signature, 'sha256', { at: now + count * 3_600 })
    expect([await hours(-11.9), await hours(11.9)]).toEqual([200, 200])
    expect([await hours(-12), await hours(12), await hours(-999_999)]).toEqual([403, 403, 403])
  })

  it('is taken by MD5 only where the operator says so', async () => {
    const { signature } = await newSignature()
    expect(await timed(signature, 'md5')).toBe(403)
    await linnet.api('PATCH', '/admin/plugins/developer.yourls', { settings: { md5: true } })
    expect(await timed(signature, 'md5')).toBe(200)
    expect(await timed(signature, 'sha1')).toBe(403)
  })

  it('ends with its token', async () => {
    const { id, signature } = await newSignature()
    const [token] = (await linnet.api('GET', '/api-tokens')).body.data
    await linnet.api('DELETE', `/api-tokens/${token.id}`)
    expect(await timed(signature, 'sha256')).toBe(403)
    expect((await linnet.api('GET', '/yourls-signatures')).body.data).toEqual([])
    expect((await linnet.api('POST', `/yourls-signatures/${id}/reveal`)).status).toBe(404)
  })

  it('is seen by its account alone, with a session or a token for everything', async () => {
    const { id } = await newSignature()
    const other = await otherAccount(linnet)
    expect((await other('GET', '/yourls-signatures')).body.data).toEqual([])
    expect((await other('POST', `/yourls-signatures/${id}/reveal`)).status).toBe(404)
    expect((await other('DELETE', `/yourls-signatures/${id}`)).status).toBe(404)
    const few = { authorization: `Bearer ${await tokenFor('links:write', 'api-tokens:write')}` }
    expect(
      (await linnet.api('POST', `/yourls-signatures/${id}/reveal`, undefined, few)).status,
    ).toBe(403)
  })

  it('is one of at most twenty, also of those that are asked for at the same moment', async () => {
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, count) =>
        linnet.api('POST', '/yourls-signatures', { name: `${count}` }),
      ),
    )
    const made = asked.filter(({ status }) => status === 201)
    expect(made).toHaveLength(20)
    const refused = await linnet.api('POST', '/yourls-signatures', { name: 'more' })
    expect([refused.status, refused.body.code]).toEqual([403, 'limit_reached'])
    await linnet.api('DELETE', `/yourls-signatures/${made[0]?.body.data.id}`)
    expect((await linnet.api('POST', '/yourls-signatures', { name: 'more' })).status).toBe(201)
  })
})

/** What programs send, as their sources say, and where in the answer they look for the short URL. */
describe('a client', () => {
  const url = 'https://bin.example/?a1b2c3#4fS8yDx'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const short = /^https:\/\/go\.example\.org\/\w+$/

  it('n8n reads shorturl of JSON, and stops at a failure', async () => {
    const asked = { signature, format: 'json', action: 'shorturl', url, keyword: 'n8n', title: 'N' }
    const { text } = await raw(asked)
    const said = JSON.parse(text)
    expect([said.status, said.shorturl]).toEqual(['success', 'https://go.example.org/n8n'])
    expect(JSON.parse((await raw(asked)).text).status).toBe('fail')
    const stats = await raw({ signature, format: 'json', action: 'url-stats', shorturl: 'n8n' })
    expect(JSON.parse(stats.text).link.url).toBe(url)
  })

  it('Better YOURLS signs the time by MD5, and asks for JSON in capitals', async () => {
    await linnet.api('PATCH', '/admin/plugins/developer.yourls', { settings: { md5: true } })
    const made = await linnet.api('POST', '/yourls-signatures', { name: 'Blog' })
    const timestamp = String(Date.parse('2026-11-20T14:30:00Z') / 1_000)
    const body = new URLSearchParams({
      timestamp,
      signature: hash('md5', timestamp + made.body.data.signature),
      action: 'shorturl',
      url,
      format: 'JSON',
      title: 'A post',
    })
    const { status, text } = await linnet.visit(door, { body: `${body}`, headers: form })
    expect(status).toBe(200)
    expect(text).toMatch(short)
  })

  it('PrivateBin puts the address of a paste behind a fixed address', async () => {
    const query = `?signature=${signature}&action=shorturl&format=json&url=${encodeURIComponent(url)}`
    const first = JSON.parse((await linnet.visit(door, { query })).text)
    expect([first.url.url, first.statusCode]).toEqual([url, '200'])
    expect(first.shorturl).toMatch(short)
    // It takes the short URL of a paste that has one from the failure.
    expect(JSON.parse((await linnet.visit(door, { query })).text).shorturl).toBe(first.shorturl)
  })

  it('yourls-api, a library for pages, calls by JSONP', async () => {
    const callback = '__yourls1763640000000_jsonp'
    const asked = { signature, action: 'expand', shorturl: 'none', format: 'jsonp', callback }
    const { text } = await raw(asked)
    expect(text).toMatch(/^\/\*\*\/__yourls1763640000000_jsonp\(\{.*"errorCode":"404".*\}\)$/)
  })

  it('that asks too often is told so in its way', () => {
    const tooMany = refuse('too_many_requests', 'Wait a moment.', 429)
    const asked = { input: { format: 'json' } } as unknown as MountAsked
    const said = yourls.mounts?.[door]?.problem?.(tooMany, asked, {} as Context)
    expect([said?.status, JSON.parse(String(said?.content))]).toMatchObject([
      429,
      { status: 'fail', message: 'Wait a moment.', statusCode: '429', errorCode: '429' },
    ])
  })
})

describe('an address that sums up all keywords of a URL', () => {
  it('leads to the page behind the plus sign', async () => {
    await make({ keyword: 'spring' })
    expect(await linnet.visit('spring+all')).toMatchObject({
      status: 302,
      location: expect.stringMatching(/\/spring\+$/),
    })
    expect((await linnet.visit('unknown+all')).status).toBe(404)
  })
})

describe('bookmarklets', () => {
  it('lead to the form of the dashboard', async () => {
    const { status, location } = await linnet.visit('admin/index.php', {
      query: `?${new URLSearchParams({ u: far, t: 'Far', s: 'selected', k: 'spring' })}`,
    })
    expect(status).toBe(302)
    const { origin, pathname, searchParams } = new URL(location ?? '')
    expect([origin, pathname]).toEqual(['https://go.example.org', '/dashboard/links/new'])
    expect(Object.fromEntries(searchParams)).toEqual({ url: far, title: 'Far' })
  })

  it('may send the URL in parts, and nothing but theirs is answered', async () => {
    const query = '?up=https%3A&us=%2F%2F&ur=example.org%2Fa'
    const { location } = await linnet.visit('admin/index.php', { query })
    expect(new URL(location ?? '').searchParams.get('url')).toBe('https://example.org/a')
    expect((await linnet.visit('admin/options.php')).status).toBe(404)
  })
})
