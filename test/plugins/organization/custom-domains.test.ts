import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsFromQrCodes from '../../../plugins/analytics/visits-from-qr-codes-tracking.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import editShortCode from '../../../plugins/link/edit-short-code.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import customDomains from '../../../plugins/organization/custom-domains.ts'
import { boot, type Harness, type VisitOptions } from '../../harness.ts'
import { type Internet, makeInternet } from './custom-domains/internet.ts'
import { type Call, otherAccount } from './other-account.ts'

const all = [
  customShortCode,
  editShortCode,
  linkExpiration,
  passwordProtection,
  linkPreview,
  customDomains,
  visitsTracking,
  visitsFromQrCodes,
]
const host = 'links.example.com'

let linnet: Harness
let internet: Internet
let other: Call

beforeEach(async () => {
  internet = makeInternet()
  linnet = await boot(all, internet)
  other = await otherAccount(linnet)
})
afterEach(() => linnet.stop())

const mine: Call = (...request) => linnet.api(...request)

async function claim(fields: object = {}, call = mine) {
  const { status, body } = await call('POST', '/domains', { host, ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}

interface Claimed {
  readonly id: string
  readonly verification: { text: string; dns: { name: string }; file: { url: string } }
}

const say = ({ verification }: Claimed) =>
  internet.txt.set(verification.dns.name, [verification.text])

const verify = ({ id }: Claimed, call = mine) => call('POST', `/domains/${id}/verify`)

/** A domain that is verified. */
async function own(fields: object = {}, call = mine) {
  const domain = await claim(fields, call)
  say(domain)
  const { status, body } = await verify(domain, call)
  if (status !== 200) throw new Error(JSON.stringify(body))
  internet.txt.clear()
  return body.data
}

/** Follow a path on a host. */
const on = (name: string, path: string, visit: VisitOptions = {}) =>
  linnet.visit(path, { ...visit, headers: { ...visit.headers, host: name } })

const locationOn = async (name: string, path: string) => (await on(name, path)).location

describe('a domain', () => {
  it('is claimed, shown, changed and deleted', async () => {
    const made = await claim({ host: 'LINKS.Example.com.', root_url: 'https://example.com' })
    expect(made).toEqual({
      id: expect.stringMatching(/^dom_/),
      host,
      verified: false,
      verification: {
        text: expect.stringMatching(/^linnet-verification=[\w-]{32}$/),
        dns: { type: 'TXT', name: '_linnet.links.example.com' },
        file: { url: 'http://links.example.com/.well-known/linnet-verification' },
      },
      rootUrl: 'https://example.com/',
      notFoundUrl: null,
      linksCount: 0,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    })
    const path = `/domains/${made.id}`
    expect((await mine('GET', path)).body.data).toEqual(made)
    expect((await mine('GET', '/domains')).body).toMatchObject({ data: [made], meta: { total: 1 } })

    linnet.at('2026-11-20T13:00:00Z')
    const changes = { root_url: null, not_found_url: 'https://example.com/lost' }
    const changed = {
      ...made,
      rootUrl: null,
      notFoundUrl: 'https://example.com/lost',
      updatedAt: '2026-11-20T13:00:00.000Z',
    }
    expect((await mine('PATCH', path, changes)).body.data).toEqual(changed)
    expect((await mine('PATCH', path, {})).body.data).toMatchObject({ rootUrl: null })
    expect((await mine('DELETE', path)).status).toBe(204)
    expect((await mine('GET', path)).status).toBe(404)
  })

  it('belongs to its account: to others it is not there', async () => {
    const domain = await claim()
    const requests = [
      ['GET', `/domains/${domain.id}`],
      ['PATCH', `/domains/${domain.id}`, {}],
      ['DELETE', `/domains/${domain.id}`],
      ['POST', `/domains/${domain.id}/verify`],
    ] as const
    for (const [method, path, body] of requests) {
      expect((await other(method, path, body)).status).toBe(404)
    }
    expect((await other('GET', '/domains')).body.data).toEqual([])
  })

  it.each([
    ['host', { host: 'https://links.example.com' }],
    ['host', { host: 'links.example.com:80' }],
    ['host', { host: '203.0.113.7' }],
    ['host', { host: 'go.example.org' }],
    ['host', { host: 'GO.EXAMPLE.ORG.' }],
    ['host', { host: undefined }],
    ['root_url', { root_url: 'javascript:alert(1)' }],
    ['root_url', { root_url: 'https://go.example.org/abc' }],
    ['not_found_url', { not_found_url: 'http://links.example.com/lost' }],
    ['not_found_url', { not_found_url: 'http://LINKS.example.com.:8080/lost' }],
    ['verified', { verified: true }],
  ])('with a wrong %s is refused: %j', async (field, fields) => {
    const { status, body } = await mine('POST', '/domains', { host, ...fields })
    expect([status, body.errors]).toMatchObject([422, [{ field }]])
  })

  it('says everything that is wrong at once', async () => {
    const wrong = { host: 'x', root_url: 'y', not_found_url: 'z' }
    const { body } = await mine('POST', '/domains', wrong)
    expect(body.errors.map((it: { field: string }) => it.field)).toEqual([
      'root_url',
      'not_found_url',
      'host',
    ])
  })

  it('cannot be sent to itself by a change either', async () => {
    const { id } = await claim()
    const { status, body } = await mine('PATCH', `/domains/${id}`, { root_url: `https://${host}/` })
    expect([status, body.errors]).toMatchObject([422, [{ field: 'root_url' }]])
  })

  it('is claimed once by an account, and by as many accounts as like', async () => {
    await claim()
    const { status, body } = await mine('POST', '/domains', { host })
    expect([status, body.code]).toEqual([409, 'host_taken'])
    expect((await other('POST', '/domains', { host })).status).toBe(201)
  })

  it('needs the plan to be made and changed, not to be seen and deleted', async () => {
    const { id } = await own()
    await linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()
    const statuses = await Promise.all([
      mine('POST', '/domains', { host: 'b.example.com' }),
      mine('PATCH', `/domains/${id}`, {}),
      mine('POST', `/domains/${id}/verify`),
      mine('POST', '/links', { original_url: 'https://example.com/', domain: host }),
      mine('GET', `/domains/${id}`),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 200])
    const profile = await mine('GET', '/profile')
    expect(profile.body.data.plan.extensions.features['organization.customDomains']).toBe(false)
    expect((await mine('DELETE', `/domains/${id}`)).status).toBe(204)
  })

  it('honours If-Match', async () => {
    const { id } = await claim()
    const path = `/domains/${id}`
    const { headers } = await mine('GET', path)
    const ifMatch = { 'if-match': String(headers.etag) }
    const change = { root_url: 'https://example.com/' }
    expect((await linnet.api('PATCH', path, change, ifMatch)).status).toBe(200)
    expect((await linnet.api('PATCH', path, change, ifMatch)).status).toBe(412)
    expect((await linnet.api('DELETE', path, undefined, ifMatch)).status).toBe(412)
  })

  it('is one of a hundred at most, or of as many as the operator allows', async () => {
    await linnet.stop()
    const settings = { plugins: { settings: { [customDomains.feature]: { maxPerAccount: 1 } } } }
    linnet = await boot(all, { ...internet, settings })
    await claim()
    const { status, body } = await mine('POST', '/domains', { host: 'b.example.com' })
    expect([status, body]).toMatchObject([403, { code: 'limit_reached', limit: 1, used: 1 }])
  })
})

describe('verifying a domain', () => {
  it('takes a TXT record', async () => {
    const domain = await claim()
    internet.txt.set(domain.verification.dns.name, ['v=spf1 -all', domain.verification.text])
    const { status, body } = await verify(domain)
    expect([status, body.data.verified]).toEqual([200, true])
  })

  it.each(['http', 'https'])('takes a file over %s', async scheme => {
    const domain = await claim()
    const url = domain.verification.file.url.replace('http:', `${scheme}:`)
    internet.files.set(url, { text: `${domain.verification.text}\n` })
    expect((await verify(domain)).status).toBe(200)
  })

  it('follows a redirect only where it stays on the host', async () => {
    const domain = await claim()
    const { url } = domain.verification.file
    const { text } = domain.verification
    const elsewhere = [
      'https://evil.example/.well-known/linnet-verification',
      'https://links.example.com/redirected',
      'https://links.example.com:8443/.well-known/linnet-verification',
    ]
    for (const at of elsewhere) {
      internet.files.set(url, { text, at })
      expect((await verify(domain)).status).toBe(409)
    }
    internet.files.set(url, { text, at: url.replace('http:', 'https:') })
    expect((await verify(domain)).status).toBe(200)
  })

  it('finds no proof in what says something else', async () => {
    const domain = await claim()
    const theirs = await claim({}, other)
    internet.txt.set(domain.verification.dns.name, ['', theirs.verification.text])
    internet.files.set(domain.verification.file.url, { text: `<p>${domain.verification.text}</p>` })
    const { status, body } = await verify(domain)
    expect([status, body.code]).toEqual([409, 'not_verified'])
    expect(body.detail).toContain(domain.verification.text)
    expect((await mine('GET', `/domains/${domain.id}`)).body.data.verified).toBe(false)
  })

  it('is never done by Linnet itself: a host that points here proves nothing by a file', async () => {
    const domain = await claim()
    const path = '.well-known/linnet-verification'
    expect((await on(host, path)).status).toBe(404)
    expect((await on('go.example.org', path)).text).not.toContain(domain.verification.text)
  })

  it('outlives name servers that do not answer', async () => {
    await linnet.stop()
    const broken = async () => Promise.reject(new Error('queryTxt ESERVFAIL'))
    linnet = await boot(all, { ...internet, resolveTxt: broken })
    expect((await verify(await claim())).status).toBe(409)
  })

  it('is done ten times a minute at most', async () => {
    const domain = await claim()
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await verify(domain)
      expect([status, headers.ratelimit]).toEqual([409, expect.stringContaining(`;r=${left};`)])
    }
    const { status, headers } = await verify(domain)
    expect([status, headers.ratelimit]).toEqual([429, expect.stringContaining(';r=0;')])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  it('needs no proof again once it is done', async () => {
    expect((await verify(await own())).status).toBe(200)
  })
})

describe('a host that two accounts claim', () => {
  it('is not held up by a claim that proves nothing', async () => {
    await claim({}, other)
    expect((await own()).verified).toBe(true)
  })

  it('goes to who proves it now, and the links of who had it stay shut', async () => {
    const before = await own({}, other)
    const theirs = await other('POST', '/links', {
      original_url: 'https://example.com/theirs',
      domain: host,
      short_code: 'theirs',
    })
    // It is in the cache when the host changes hands.
    expect(await locationOn(host, 'theirs')).toBe('https://example.com/theirs')

    await own({ not_found_url: 'https://example.com/lost' })
    expect((await other('GET', `/domains/${before.id}`)).body.data.verified).toBe(false)
    expect(await locationOn(host, 'theirs')).toBe('https://example.com/lost')
    const again = { original_url: 'https://example.com/', domain: host }
    expect((await other('POST', '/links', again)).status).toBe(422)
    const link = (await other('GET', `/links/${theirs.body.data.id}`)).body.data
    expect(link.domain).toBe(host)
    const { status, body } = await mine('POST', '/links', { ...again, short_code: 'theirs' })
    expect([status, body.detail]).toEqual([
      409,
      `The short code theirs is taken on ${host}. Codes stay with the account that had them, also when a host passes to another.`,
    ])
    expect((await mine('POST', '/links', again)).status).toBe(201)
  })

  it('stays where it is while the proof of who has it stands', async () => {
    const before = await own({}, other)
    const domain = await claim()
    internet.txt.set(domain.verification.dns.name, [
      domain.verification.text,
      before.verification.text,
    ])
    const { status, body } = await verify(domain)
    expect([status, body.code]).toEqual([409, 'host_taken'])
    expect((await other('GET', `/domains/${before.id}`)).body.data.verified).toBe(true)
  })

  it('goes to one of two that prove it at the same moment', async () => {
    const domains = [await claim(), await claim({}, other)] as const
    internet.txt.set(
      domains[0].verification.dns.name,
      domains.map(({ verification }) => verification.text),
    )
    const answers = await Promise.all([verify(domains[0]), verify(domains[1], other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('a link on a domain', () => {
  it('shows its host everywhere', async () => {
    const { id } = await own()
    const link = await linnet.create({ domain: 'Links.Example.com', shortCode: 'spring' })
    expect(link).toMatchObject({ domain: host, shortUrl: `https://${host}/spring` })
    expect((await mine('GET', `/links/${link.id}`)).body.data.shortUrl).toBe(link.shortUrl)
    expect((await mine('GET', `/domains/${id}`)).body.data.linksCount).toBe(1)
    expect((await on(host, 'spring+')).text).toContain(`<dd>https://${host}/spring</dd>`)
    const qr = await mine('GET', `/links/${link.id}/qr`)
    const bare = await linnet.create({ shortCode: 'spring' })
    const bareQr = await mine('GET', `/links/${bare.id}/qr`)
    expect(String(qr.body)).not.toBe(String(bareQr.body))
  })

  it.each([null, 'go.example.org', 'GO.example.org'])(
    'is on the host of this instance when the domain is %j',
    async domain => {
      const link = await linnet.create({ domain })
      expect(link).toMatchObject({ domain: 'go.example.org' })
      expect((await linnet.visit(link)).status).toBe(302)
    },
  )

  it.each([
    'other.example.com',
    'go.example.org:8080',
    'https://links.example.com',
    '127.0.0.1',
    ' ',
    '',
    5,
  ])('is refused on %j, which is no verified domain of the account', async domain => {
    await own()
    const { status, body } = await mine('POST', '/links', {
      original_url: 'https://example.com/',
      domain,
    })
    expect([status, body.errors]).toMatchObject([422, [{ field: 'domain' }]])
  })

  it('is refused while the domain is not verified, and on that of another account', async () => {
    const link = { original_url: 'https://example.com/', domain: host }
    await claim()
    expect((await mine('POST', '/links', link)).body.errors).toMatchObject([{ field: 'domain' }])
    await own({}, other)
    expect((await mine('POST', '/links', link)).body.errors).toMatchObject([{ field: 'domain' }])
  })

  it('has a short code of its own there, apart from the same code elsewhere', async () => {
    await own()
    await own({ host: 'b.example.com' })
    await linnet.create({ shortCode: 'sale', originalUrl: 'https://example.com/default' })
    for (const domain of [host, 'b.example.com']) {
      await linnet.create({
        shortCode: 'sale',
        originalUrl: `https://example.com/${domain}`,
        domain,
      })
    }
    // Twice: the second time from the cache.
    for (let time = 1; time <= 2; time++) {
      expect(await locationOn(host, 'sale')).toBe(`https://example.com/${host}`)
      expect(await locationOn('b.example.com', 'sale')).toBe('https://example.com/b.example.com')
      expect(await locationOn('go.example.org', 'sale')).toBe('https://example.com/default')
      expect(await locationOn('unknown.example', 'sale')).toBe('https://example.com/default')
    }
    const taken = { originalUrl: 'https://example.com/', shortCode: 'sale', domain: host }
    expect((await mine('POST', '/links', taken)).status).toBe(409)
  })

  it('may have a code that is a path of ours elsewhere', async () => {
    await own()
    await linnet.create({ domain: host, shortCode: 'api' })
    expect(await locationOn(host, 'api')).toBe('https://example.com/')
    expect(
      (await mine('POST', '/links', { originalUrl: 'https://example.com/', shortCode: 'api' }))
        .status,
    ).toBe(409)
  })

  it('keeps its former codes on its host', async () => {
    await own()
    const link = await linnet.create({ domain: host, shortCode: 'first' })
    const { body } = await mine('PATCH', `/links/${link.id}`, { short_code: 'second' })
    expect(body.data).toMatchObject({
      shortUrl: `https://${host}/second`,
      formerShortCodes: ['first'],
    })
    expect(await locationOn(host, 'first')).toBe('https://example.com/')
    expect(await locationOn(host, 'second')).toBe('https://example.com/')
    expect((await linnet.visit('first')).status).toBe(404)
    expect((await linnet.visit('second')).status).toBe(404)
  })

  it('is listed by its domain, and looked up on it', async () => {
    await own()
    const there = await linnet.create({ domain: host, shortCode: 'code' })
    const here = await linnet.create({ shortCode: 'code' })
    const idsOn = async (domain: string) => {
      const { body } = await mine('GET', `/links?domain=${domain}`)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await idsOn('LINKS.example.com')).toEqual([there.id])
    expect(await idsOn('go.example.org')).toEqual([here.id])
    expect(await idsOn('other.example.com')).toEqual([])
    const lookUp = async (query: string) =>
      (await mine('GET', `/links/lookup?short_code=code${query}`)).body.data?.id
    expect(await lookUp('')).toBe(here.id)
    expect(await lookUp('&domain=Go.Example.org')).toBe(here.id)
    expect(await lookUp(`&domain=${host}`)).toBe(there.id)
    expect(await lookUp('&domain=other.example.com')).toBeUndefined()
  })

  it('is made in a bulk request too, each with a result of its own', async () => {
    await own()
    const links = [host, 'other.example.com'].map(domain => ({
      original_url: 'https://example.com/',
      domain,
    }))
    const { body } = await mine('POST', '/links/bulk', { links })
    expect(body.data).toMatchObject([
      { status: 201, link: { domain: host } },
      { status: 422, problem: { errors: [{ field: 'domain' }] } },
    ])
  })

  it('never leads to a host of ours', async () => {
    await own()
    for (const originalUrl of [`https://${host}/x`, `http://${host.toUpperCase()}:8080/`]) {
      const { status, body } = await mine('POST', '/links', { originalUrl })
      expect([status, body.errors]).toMatchObject([422, [{ field: 'originalUrl' }]])
    }
  })

  it('is protected, previewed and counted as any other', async () => {
    await own()
    const link = await linnet.create({ domain: host, password: 'open sesame' })
    const asked = await on(host, link.shortCode)
    expect(asked.status).toBe(403)
    const answers = { ...asked.hidden, password: 'open sesame' }
    expect((await on(host, link.shortCode, { answers })).location).toBe('https://example.com/')
    const plain = await linnet.create({ domain: host })
    await on(host, plain.shortCode, { headers: { 'user-agent': 'curl/8' } })
    expect(await linnet.counts(plain)).toMatchObject({ visits: { '': 1 } })
  })

  it('moves to another host, and its short URL of before still leads to it', async () => {
    const domain = await own()
    const link = await linnet.create({ short_code: 'spring', originalUrl: 'https://example.com/' })
    const move = (to: string | null, fields: object = {}) =>
      linnet.api('PATCH', `/links/${link.id}`, { domain: to, ...fields })
    const moved = await move(host)
    expect(moved).toMatchObject({
      status: 200,
      body: { data: { domain: host, shortUrl: `https://${host}/spring` } },
    })
    expect(await locationOn(host, 'spring')).toBe('https://example.com/')
    expect((await linnet.visit('spring')).location).toBe('https://example.com/')
    expect((await linnet.api('GET', `/domains/${domain.id}`)).body.data.linksCount).toBe(1)
    expect((await linnet.api('GET', '/links?search=go.example.org/spring')).body.meta.total).toBe(1)
    expect((await move(host)).body.data.updatedAt).toBe(moved.body.data.updatedAt)

    expect((await move(null, { short_code: 'autumn' })).body.data.shortUrl).toBe(
      'https://go.example.org/autumn',
    )
    expect((await linnet.api('GET', `/domains/${domain.id}`)).body.data.linksCount).toBe(0)
    for (const at of [host, 'go.example.org']) {
      expect(await locationOn(at, 'spring')).toBe('https://example.com/')
    }
    expect(await locationOn(host, 'autumn')).toBeUndefined()
    expect((await move(host, { short_code: 'spring' })).status).toBe(200)
    expect((await move('go.example.org')).body.data.domain).toBe('go.example.org')
  })

  it('does not move to a host where its code is taken, or that is not its own', async () => {
    await own()
    const link = await linnet.create({ short_code: 'spring' })
    const there = await linnet.create({ short_code: 'spring', domain: host })
    const move = (id: string, domain: string | null) =>
      linnet.api('PATCH', `/links/${id}`, { domain })
    expect(await move(link.id, host)).toMatchObject({
      status: 409,
      body: { code: 'short_code_taken', errors: [{ field: 'short_code' }] },
    })
    expect(await move(there.id, null)).toMatchObject({ status: 409 })
    expect(await move(link.id, 'links.example.net')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'domain' }] },
    })
    const admin = await linnet.create({ short_code: 'admin', domain: host })
    expect(await move(admin.id, null)).toMatchObject({ status: 409 })
    expect(await locationOn(host, 'admin')).toBeDefined()
    expect((await linnet.api('GET', `/links/${link.id}`)).body.data.domain).toBe('go.example.org')
  })

  it('is on it again once it is restored, on a domain that was removed and added anew as well', async () => {
    const removed = await own()
    const link = await linnet.create({ domain: host })
    await mine('DELETE', `/links/${link.id}`)
    expect((await mine('DELETE', `/domains/${removed.id}`)).status).toBe(204)
    expect(await mine('POST', `/links/${link.id}/restore`)).toMatchObject({ status: 422 })
    const added = await own()
    expect((await mine('POST', `/links/${link.id}/restore`)).status).toBe(200)
    expect((await mine('GET', `/domains/${added.id}`)).body.data.linksCount).toBe(1)
    expect((await mine('DELETE', `/domains/${added.id}`)).status).toBe(409)
  })

  it('takes its domain along: with links on it, no domain is deleted', async () => {
    const { id } = await own()
    const link = await linnet.create({ domain: host })
    const { status, body } = await mine('DELETE', `/domains/${id}`)
    expect([status, body]).toMatchObject([409, { code: 'domain_in_use', links: 1 }])
    expect((await on(host, link.shortCode)).status).toBe(302)
    await mine('DELETE', `/links/${link.id}`)
    expect((await mine('DELETE', `/domains/${id}`)).status).toBe(204)
  })
})

describe('on a host of its own', () => {
  const elsewhere = {
    root_url: 'https://example.com/home',
    not_found_url: 'https://example.com/lost',
  }

  it('a visitor is led on from `/` and from what is no link', async () => {
    await own(elsewhere)
    expect(await on(host, '')).toMatchObject({ status: 302, location: elsewhere.root_url })
    expect(await locationOn(host, '?utm_source=x')).toBe(elsewhere.root_url)
    for (const path of ['nothing', 'a/b', 'favicon.ico', '/', '//evil.example', 'x+', '%2e%2e/x']) {
      expect(await locationOn(host, path), path).toBe(elsewhere.not_found_url)
    }
    expect((await on(host, 'nothing', { method: 'HEAD' })).location).toBe(elsewhere.not_found_url)
    expect((await on(host, 'nothing', { method: 'POST' })).status).toBe(404)
  })

  it('a visitor is told that there is nothing, when no address says otherwise', async () => {
    await own()
    for (const path of ['', 'nothing']) {
      const { status, text } = await on(host, path)
      expect([status, text]).toEqual([404, expect.stringContaining('No link here')])
    }
  })

  it('a link that is over says so: it is not the same as none', async () => {
    await own(elsewhere)
    const { shortCode } = await linnet.create({ domain: host, expiresAt: '2026-11-20T11:00:00Z' })
    expect((await on(host, shortCode)).status).toBe(410)
  })

  it('neither the API nor the health of the instance is there', async () => {
    await own()
    for (const path of ['api/v1/profile', 'api/v1/openapi.json', 'health/live', 'dashboard/']) {
      expect((await on(host, path)).status, path).toBe(404)
      expect((await on('LINKS.example.com.:443', path)).status, path).toBe(404)
    }
    expect((await on('203.0.113.7', 'health/live')).status).toBe(200)
    expect((await on('go.example.org', 'api/v1/openapi.json')).status).toBe(200)
  })

  it('changes are seen at once', async () => {
    const { id } = await own(elsewhere)
    await mine('PATCH', `/domains/${id}`, { root_url: 'https://example.com/new' })
    expect(await locationOn(host, '')).toBe('https://example.com/new')
    await linnet.create({ shortCode: 'code' })
    expect(await locationOn(host, 'code')).toBe(elsewhere.not_found_url)
    await mine('DELETE', `/domains/${id}`)
    expect(await locationOn(host, 'code')).toBe('https://example.com/')
  })

  it.each([
    'LINKS.Example.COM',
    'links.example.com.',
    'links.example.com:8080',
    'Links.example.com.:443',
  ])('it is the same when it is written %s', async name => {
    await own()
    const { shortCode } = await linnet.create({ domain: host })
    expect(await locationOn(name, shortCode)).toBe('https://example.com/')
  })

  it.each([
    'evil.example',
    'links.example.com.evil.example',
    'xlinks.example.com',
    '[::1]:8080',
    '__proto__',
    'constructor',
    '',
  ])('the host %j is another, and finds what the host of this instance has', async name => {
    await own(elsewhere)
    await linnet.create({ shortCode: 'code', originalUrl: 'https://example.com/default' })
    await linnet.create({ shortCode: 'code', domain: host })
    expect(await locationOn(name, 'code')).toBe('https://example.com/default')
  })
})

describe('while nothing answers for the host', () => {
  it('because the plugin is off, its links are shut, and no other link shows in their place', async () => {
    await own()
    const link = await linnet.create({ domain: host, shortCode: 'code' })
    await linnet.create({ shortCode: 'code', originalUrl: 'https://example.com/default' })
    const without = all.filter(plugin => plugin !== customDomains)
    linnet = await linnet.restart(without)
    expect(linnet.log.join()).toContain(`Links on ${host} stay closed`)
    expect(await on(host, 'code')).toMatchObject({ status: 503, location: undefined })
    expect((await on(host, '')).status).toBe(503)
    expect(await locationOn('go.example.org', 'code')).toBe('https://example.com/default')
    const shown = (await mine('GET', `/links/${link.id}`)).body.data
    expect(shown).toMatchObject({ domain: host, shortUrl: link.shortUrl })
    expect(
      (await mine('POST', '/links', { originalUrl: 'https://a.example/', domain: host })).status,
    ).toBe(422)

    linnet = await linnet.restart(all)
    expect(await locationOn(host, 'code')).toBe('https://example.com/')
  })

  it('because the account is gone, its hosts and links are gone too', async () => {
    await own({ root_url: 'https://example.com/home' }, other)
    await other('POST', '/links', {
      original_url: 'https://example.com/theirs',
      domain: host,
      short_code: 'theirs',
    })
    expect((await on(host, 'theirs')).status).toBe(302)
    expect((await other('DELETE', '/profile')).status).toBe(204)
    expect((await on(host, 'theirs')).status).toBe(404)
    expect((await on(host, '')).status).toBe(404)
    for (const table of ['organization_custom_domains', 'organization_custom_domains_links']) {
      const rows = await linnet.db
        .selectFrom(table as 'links')
        .selectAll()
        .execute()
      expect(rows).toEqual([])
    }
  })
})
