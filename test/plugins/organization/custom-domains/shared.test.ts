import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import codeRules from '../../../../plugins/link/code-rules.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import customDomains from '../../../../plugins/organization/custom-domains.ts'
import { boot, type Harness } from '../../../harness.ts'
import { type Call, otherAccount } from '../other-account.ts'
import { type Internet, makeInternet } from './internet.ts'

const host = 'go.example.com'

let linnet: Harness
let internet: Internet
let free: Call
let pro: Call

beforeEach(async () => {
  internet = makeInternet()
  linnet = await boot([customShortCode, codeRules, customDomains], internet)
  free = await otherAccount(linnet, 'free')
  pro = await otherAccount(linnet, 'pro')
})
afterEach(() => linnet.stop())

const admin: Call = (...request) => linnet.api(...request)

async function share(sharing: object = {}) {
  const { status, body } = await admin('POST', '/admin/domains', { host, ...sharing })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

const link = { original_url: 'https://example.com/', domain: host }

async function make(call: Call, more: object = {}) {
  const { status, body } = await call('POST', '/links', { ...link, ...more })
  return { ...body, ...body.data, status }
}

const on = (path: string) => linnet.visit(path, { headers: { host } })

describe('a shared domain', () => {
  it('is shown with the links on it, and is for the accounts of its plans', async () => {
    const made = await share({ host: 'GO.example.com.', plans: ['free', 'free'] })
    expect(made).toEqual({
      id: expect.stringMatching(/^dsh_/),
      ...{ host, plans: ['free'], rootUrl: null, notFoundUrl: null },
      ...{ linksCount: 0, accountsCount: 0 },
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    })
    // The plan of this account has no domains of its own.
    expect((await free('POST', '/domains', { host: 'own.example' })).body).toMatchObject({
      code: 'feature_not_in_plan',
    })
    expect(await make(free, { short_code: 'sale' })).toMatchObject({
      ...{ status: 201, domain: host, shortUrl: `https://${host}/sale` },
    })
    expect((await on('sale')).location).toBe('https://example.com/')
    expect((await linnet.visit('sale')).status).toBe(404)
    expect(await make(pro)).toMatchObject({ status: 422, errors: [{ field: 'domain' }] })
    expect((await admin('GET', '/admin/domains')).body.data).toEqual([
      { ...made, linksCount: 1, accountsCount: 1 },
    ])

    linnet.at('2026-11-20T13:00:00Z')
    const changed = await share({ root_url: 'https://example.com/home' })
    expect(changed).toMatchObject({
      ...{ id: made.id, plans: null, rootUrl: 'https://example.com/home', linksCount: 1 },
      ...{ createdAt: made.createdAt, updatedAt: '2026-11-20T13:00:00.000Z' },
    })
    expect((await on('')).location).toBe('https://example.com/home')
    expect(await make(pro)).toMatchObject({ status: 201 })
    expect(await make(admin)).toMatchObject({ status: 201 })
    expect((await admin('GET', '/admin/domains')).body.data).toMatchObject([
      { linksCount: 3, accountsCount: 3 },
    ])
  })

  it('has each short code once, over all accounts, and shows each account its own links', async () => {
    await share()
    const first = await make(free, { short_code: 'sale' })
    const second = await make(pro, { short_code: 'sale' })
    expect([first.status, second.status, second.code]).toEqual([201, 409, 'short_code_taken'])
    await make(pro, { short_code: 'other' })
    const codes = async (call: Call) =>
      (await call('GET', `/links?domain=${host}`)).body.data.map(
        ({ shortCode }: { shortCode: string }) => shortCode,
      )
    expect([await codes(free), await codes(pro)]).toEqual([['sale'], ['other']])
    expect((await pro('GET', `/links/${first.id}`)).status).toBe(404)
    const asked = await pro('GET', `/links/short-codes?short_codes=sale,free&domain=${host}`)
    expect(asked.body.data).toMatchObject([{ isFree: false }, { isFree: true }])
    const strange = await pro('GET', '/links/short-codes?short_codes=a&domain=strange.example')
    expect(strange.status).toBe(422)
  })

  it('keeps the links of a plan that loses it: they lead on and can be edited, and no new ones come', async () => {
    await share()
    const { id } = await make(free, { short_code: 'kept' })
    const elsewhere = await make(free, { domain: null })
    await share({ plans: ['pro'] })
    expect((await on('kept')).location).toBe('https://example.com/')
    expect((await free('PATCH', `/links/${id}`, { title: 'Kept' })).status).toBe(200)
    expect((await free('PATCH', `/links/${id}`, { title: 'So', domain: host })).status).toBe(200)
    expect((await make(free)).status).toBe(422)
    expect((await free('PATCH', `/links/${elsewhere.id}`, { domain: host })).status).toBe(422)
    expect((await free('GET', '/domains/shared')).body.data).toEqual([
      { host, isOpen: false, linksCount: 1 },
    ])
    expect((await pro('GET', '/domains/shared')).body.data).toEqual([
      { host, isOpen: true, linksCount: 0 },
    ])
    expect((await free('PATCH', `/links/${id}`, { domain: null })).body.data.domain).toBe(
      'go.example.org',
    )
    expect((await free('GET', '/domains/shared')).body.data).toEqual([])
  })

  it('is shared no more once no link is on it, and a deleted one comes back only where it is', async () => {
    const { id } = await share()
    const mine = await make(free, { short_code: 'mine' })
    const theirs = await make(pro)
    const kept = await admin('DELETE', `/admin/domains/${id}`)
    expect(kept.status).toBe(409)
    expect(kept.body).toMatchObject({ code: 'domain_in_use', links: 2, accounts: 2 })
    await pro('DELETE', `/links/${theirs.id}`)
    await free('DELETE', `/links/${mine.id}`)
    // It leads on from its former host until it is deleted for good.
    expect((await free('POST', `/links/${mine.id}/restore`)).status).toBe(200)
    expect((await on('mine')).location).toBe('https://example.com/')
    await free('DELETE', `/links/${mine.id}`)
    expect((await admin('DELETE', `/admin/domains/${id}`)).status).toBe(204)
    expect((await free('POST', `/links/${mine.id}/restore`)).status).toBe(422)
    expect((await admin('DELETE', `/admin/domains/${id}`)).status).toBe(404)
    await share({ plans: ['pro'] })
    expect((await free('POST', `/links/${mine.id}/restore`)).status).toBe(200)
    expect((await on('mine')).location).toBe('https://example.com/')
    expect((await admin('GET', '/admin/domains')).body.data).toMatchObject([{ linksCount: 1 }])
  })

  it('outlives the admin who shared it and the accounts with links on it', async () => {
    await share()
    await make(free, { short_code: 'gone' })
    await make(pro, { short_code: 'stays' })
    expect((await free('DELETE', '/profile', {})).status).toBe(204)
    expect((await on('gone')).status).toBe(404)
    expect((await on('stays')).status).toBe(302)
    expect((await admin('GET', '/admin/domains')).body.data).toMatchObject([
      { linksCount: 1, accountsCount: 1 },
    ])
  })

  it('leads as it did after a restart', async () => {
    await share()
    await make(free, { short_code: 'sale' })
    linnet = await linnet.restart([customShortCode, codeRules, customDomains])
    expect((await on('sale')).location).toBe('https://example.com/')
  })

  it('has the rules for short codes that admins choose', async () => {
    await share()
    const rules = { host, codes: 'any_case' }
    expect((await pro('POST', '/code-rules', rules)).status).toBe(422)
    expect((await admin('POST', '/code-rules', rules)).status).toBe(200)
    await make(free, { short_code: 'Sale' })
    expect((await on('sALE')).location).toBe('https://example.com/')
    expect(await make(pro, { short_code: 'SALE' })).toMatchObject({ status: 409 })
  })
})

describe('the host of a shared domain', () => {
  it('is nobody else’s: accounts neither claim it nor verify what they claimed', async () => {
    const claim = await pro('POST', '/domains', { host })
    await share()
    const { id, verification } = claim.body.data
    internet.txt.set(verification.dns.name, [verification.text])
    const answers = [
      await pro('POST', `/domains/${id}/verify`),
      await admin('POST', '/domains', { host }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([409, 'host_taken'])
    }
    expect(await make(pro)).toMatchObject({ status: 201 })
  })

  it('is refused while an account has it', async () => {
    const { id, verification } = (await pro('POST', '/domains', { host })).body.data
    internet.txt.set(verification.dns.name, [verification.text])
    await pro('POST', `/domains/${id}/verify`)
    const { status, body } = await admin('POST', '/admin/domains', { host })
    expect([status, body.code]).toEqual([409, 'host_taken'])
    await pro('DELETE', `/domains/${id}`)
    await share()
  })

  it.each([
    [{ host: 'go.example.org' }, 'host'],
    [{ host: 'https://go.example.com' }, 'host'],
    [{ host: 'go.example.com:8080' }, 'host'],
    [{ host: '127.0.0.1' }, 'host'],
    [{ host: '' }, 'host'],
    [{ plans: [] }, 'plans'],
    [{ plans: 'free' }, 'plans'],
    [{ plans: ['platinum'] }, 'plans'],
    [{ root_url: `https://${host}/x` }, 'root_url'],
    [{ not_found_url: 'https://go.example.org/x' }, 'not_found_url'],
    [{ not_found_url: 'javascript:1' }, 'not_found_url'],
    [{ root_url: '' }, 'root_url'],
  ])('and all else is checked: %j', async (wrong, field) => {
    const { status, body } = await admin('POST', '/admin/domains', { host, ...wrong })
    expect([status, body.errors[0].field.split(/[.[]/)[0]]).toEqual([422, field])
    expect((await admin('GET', '/admin/domains')).body.data).toEqual([])
  })
})

it('a domain that is shared while an account proves that it is its own stays with the instance', async () => {
  let sharing: Promise<unknown> | undefined
  await linnet.stop()
  linnet = await boot([customShortCode, codeRules, customDomains], {
    ...internet,
    async resolveTxt(name) {
      sharing ??= share()
      await sharing
      return internet.resolveTxt(name)
    },
  })
  const own = (await admin('POST', '/domains', { host })).body.data
  internet.txt.set(own.verification.dns.name, [own.verification.text])
  const refused = await admin('POST', `/domains/${own.id}/verify`)
  expect([refused.status, refused.body.code]).toEqual([409, 'host_taken'])
  expect((await admin('GET', `/domains/${own.id}`)).body.data.verified).toBe(false)
})
