import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import confirmation from '../../../plugins/link/confirmation.ts'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import paths from '../../../plugins/link/paths.ts'
import queryForwarding from '../../../plugins/link/query-forwarding.ts'
import redirectStatus from '../../../plugins/link/redirect-status.ts'
import { boot, type Harness, type ShownLink, type VisitOptions } from '../../harness.ts'

const all = [
  ...[linkExpiration, passwordProtection, dynamicRouting, paths, queryForwarding],
  ...[redirectStatus, confirmation, linkPreview, visitsTracking],
]
const party = 'https://example.com/party?a=%3Cb%3E&c=%D9%85'

let linnet: Harness
beforeEach(async () => {
  linnet = await boot(all)
})
afterEach(() => linnet.stop())

const make = (fields: object = {}) =>
  linnet.create({ originalUrl: party, confirm: true, ...fields })
const totalOf = async ({ id }: ShownLink) => {
  await linnet.app.recorder.catchUp()
  return (await linnet.api('GET', `/links/${id}`)).body.data.visits.total
}
const goOn = (link: string | ShownLink, { hidden }: { hidden: object }, visit: VisitOptions = {}) =>
  linnet.visit(link, { ...visit, answers: { ...hidden, continue: 'yes' } })

describe('a link with a page before leaving', () => {
  it('shows host and address, in the language of the visitor, without a script', async () => {
    const link = await make()
    expect(link.confirm).toBe(true)
    const { status, location, text, headers } = await linnet.visit(link, {
      headers: { 'accept-language': 'de' },
    })
    expect([status, location]).toEqual([403, undefined])
    expect(text).toContain('<h1>Dieser Link führt zu example.com</h1>')
    expect(text).toContain('<dt>Website</dt><dd>example.com</dd>')
    expect(text).toContain('<dd>https://example.com/party?a=%3Cb%3E&amp;c=م</dd>')
    expect(text).toContain('<button type="submit" name="continue" value="yes">Weiter</button>')
    expect(text).not.toContain('<script')
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      'x-robots-tag': 'noindex',
    })
  })

  it('leads on by the button, and counts then', async () => {
    const link = await make()
    const page = await linnet.visit(link)
    expect(await totalOf(link)).toBe(0)
    expect(await goOn(link, page)).toMatchObject({ status: 303, location: party })
    expect(await totalOf(link)).toBe(1)
    expect((await linnet.visit(link)).status).toBe(403)
    expect(await goOn(link, { hidden: {} })).toMatchObject({ status: 303, location: party })
    expect(await totalOf(link)).toBe(2)
  })

  it('leads on without a page once the field is false, null or the plugin off', async () => {
    const link = await make({ confirm: false })
    expect((await linnet.visit(link)).location).toBe(party)
    const other = await make()
    await linnet.api('PATCH', `/links/${other.id}`, { confirm: null })
    expect((await linnet.visit(other)).location).toBe(party)
    const third = await make()
    expect((await linnet.visit(third)).location).toBeUndefined()
    linnet = await linnet.restart(all.filter(it => it !== confirmation))
    expect((await linnet.visit(third)).location).toBe(party)
  })

  it('answers HEAD, prefetches and programs without leading on or counting', async () => {
    const link = await make()
    for (const visit of [
      { method: 'HEAD' },
      { headers: { 'sec-purpose': 'prefetch' } },
      { headers: { 'user-agent': 'Twitterbot/1.0' } },
      { headers: { accept: 'application/json' } },
    ] as const) {
      expect(await linnet.visit(link, visit)).toMatchObject({ status: 403, location: undefined })
    }
    expect(await totalOf(link)).toBe(0)
  })

  it('asks for the password first, and says nothing of the address before', async () => {
    const link = await make({ password: 'open sesame' })
    const asked = await linnet.visit(link)
    expect(asked.text).not.toContain('example.com/party')
    const page = await linnet.visit(link, {
      answers: { ...asked.hidden, password: 'open sesame', continue: 'yes' },
    })
    expect(page.status).toBe(403)
    expect(page.text).toContain('example.com/party')
    expect(await goOn(link, page)).toMatchObject({ status: 303, location: party })
    const other = await make({ password: 'open sesame' })
    expect((await goOn(other, page)).location).toBeUndefined()
    expect((await goOn(other, { hidden: {} })).location).toBeUndefined()
  })

  it('does not say where it leads while its visits are limited, and uses one up by the button', async () => {
    const link = await make({ maxVisits: 1 })
    for (let visit = 0; visit < 3; visit += 1) {
      const { status, text } = await linnet.visit(link)
      expect(status).toBe(403)
      expect(text).not.toContain('example.com')
      expect(text).toContain('Continuing uses one of them.')
    }
    const page = await linnet.visit(link)
    expect(await goOn(link, page)).toMatchObject({ status: 303, location: party })
    expect((await linnet.visit(link)).status).toBe(410)
    expect((await goOn(link, page)).status).toBe(410)
    expect(await totalOf(link)).toBe(1)
  })

  it('says that it is not open yet, or has ended, before it asks', async () => {
    const early = await make({ startsAt: '2026-11-20T13:00:00Z' })
    const late = await make({ expiresAt: '2026-11-20T12:00:30Z' })
    const page = await linnet.visit(late)
    expect((await linnet.visit(early)).status).toBe(404)
    linnet.at('2026-11-20T12:01:00Z')
    expect((await linnet.visit(late)).status).toBe(410)
    expect((await goOn(late, page)).status).toBe(410)
  })

  it('shows the address of this visitor: of rules, paths and the query', async () => {
    const rule = {
      name: 'German',
      originalUrl: 'https://example.de/fest',
      conditions: [{ type: 'language', operator: 'is', value: 'de' }],
    }
    const link = await make({
      ...{ dynamicRouting: { rules: [rule] }, forwardQuery: true, paths: 'append' },
    })
    const visit = { query: '?x=1', headers: { 'accept-language': 'de' } }
    const path = `${link.shortCode}/a`
    const page = await linnet.visit(path, visit)
    expect(page.text).toContain('https://example.de/fest/a?x=1')
    expect(await goOn(path, page, visit)).toMatchObject({
      status: 303,
      location: 'https://example.de/fest/a?x=1',
    })
    expect((await linnet.visit(`${link.shortCode}+`)).status).toBe(200)
    expect(await totalOf(link)).toBe(1)
  })

  it('redirects with no status that lasts, and says why', async () => {
    const link = await make({ redirectStatus: 301, redirectCacheSeconds: 60 })
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    expect(body.data.redirectForcedBy).toEqual(['link.confirmation'])
    const { status, headers } = await goOn(link, await linnet.visit(link))
    expect([status, headers['cache-control']]).toEqual([303, 'private, no-store'])
  })

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('takes no %s', async method => {
    expect((await linnet.visit(await make(), { method })).status).toBe(405)
  })

  it('leaves other links as they were: they take no form', async () => {
    const plain = await make({ confirm: null })
    const routed = await make({ confirm: null, forwardQuery: true })
    for (const link of [plain, routed]) {
      const posted = await goOn(link, { hidden: {} })
      expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
    }
    expect(await totalOf(routed)).toBe(0)
  })

  it('refuses a form that it cannot read', async () => {
    const visit = {
      body: `continue=${'x'.repeat(200_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const { status, location } = await linnet.visit(await make(), visit)
    expect([status, location]).toEqual([413, undefined])
  })

  it.each(['yes', 1, 'true', {}, []])('cannot have %j', async confirm => {
    const { status, body } = await linnet.api('POST', '/links', { original_url: party, confirm })
    expect([status, body.errors[0].field]).toEqual([422, 'confirm'])
  })
})
