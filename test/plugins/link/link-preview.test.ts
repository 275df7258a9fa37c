import { afterEach, describe, expect, it } from 'vitest'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import queryForwarding from '../../../plugins/link/query-forwarding.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'

let linnet: Harness

afterEach(() => linnet.stop())

const plus = ({ shortCode }: ShownLink) => `${shortCode}+`

describe('a plus after the short code', () => {
  it('shows where the link leads, and does not go there', async () => {
    linnet = await boot(linkPreview)
    const link = await linnet.create({ originalUrl: 'https://example.com/?a=1&b=<b>"' })
    const seen = await linnet.visit(plus(link))
    expect(seen).toMatchObject({ status: 200, location: undefined })
    expect(seen.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const address = 'https://example.com/?a=1&amp;b=%3Cb%3E%22'
    expect(seen.text).toContain(`<dd>https://go.example.org/${link.shortCode}</dd>`)
    expect(seen.text).toContain(`<dd>${address}</dd>`)
    expect(seen.text).toContain(`href="${address}" rel="noreferrer">Go to example.com</a>`)
  })

  it.each([
    ['https://example.com/%D9%85%D8%B1?q=%C3%BC%20%2F', 'https://example.com/مر?q=ü%20%2F'],
    // A sign that turns the direction round, a space that looks like none, half a letter.
    ['https://example.com/%E2%80%AEa%C2%A0%D9', 'https://example.com/%E2%80%AEa%C2%A0%D9'],
    ['https://xn--e1awd7f.com/%D0%B0', 'https://xn--e1awd7f.com/а'],
  ])('shows the letters of %s', async (originalUrl, shown) => {
    linnet = await boot(linkPreview)
    const { text } = await linnet.visit(plus(await linnet.create({ originalUrl })))
    expect(text).toContain(`<dd>${shown}</dd>`)
    expect(text).toContain(`href="${originalUrl}"`)
  })

  it('answers programs that ask for JSON with the same as data', async () => {
    linnet = await boot(linkPreview)
    const link = await linnet.create()
    const { headers, text } = await linnet.visit(plus(link), {
      headers: { accept: 'application/json' },
    })
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(text).data.link.url).toBe('https://example.com/')
  })

  it('counts nothing', async () => {
    linnet = await boot([visitsTracking, linkPreview])
    const link = await linnet.create()
    for (let look = 1; look <= 3; look++) {
      expect((await linnet.visit(plus(link))).status).toBe(200)
    }
    expect((await linnet.visit(link)).status).toBe(302)
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 } })
  })

  it('shows no address of a link whose visits are limited, and uses none of them up', async () => {
    linnet = await boot([linkExpiration, visitsTracking, linkPreview])
    const link = await linnet.create({ originalUrl: 'https://example.com/secret', maxVisits: 1 })
    const looks = [await linnet.visit(plus(link)), await linnet.visit(plus(link))]
    expect(looks.map(({ status }) => status)).toEqual([403, 403])
    expect(looks.map(({ text }) => text).join()).not.toContain('secret')
    expect((await linnet.visit(link)).status).toBe(302)
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 } })
  })

  it('shows the page of a link that is over or not open yet, and its address nowhere', async () => {
    linnet = await boot([linkExpiration, linkPreview])
    const fields = { originalUrl: 'https://example.com/secret-page' }
    const links = [
      await linnet.create({ ...fields, expiresAt: '2026-11-20T11:00:00Z' }),
      await linnet.create({ ...fields, startsAt: '2026-11-20T13:00:00Z' }),
    ]
    const seen = await Promise.all(links.map(link => linnet.visit(plus(link))))
    expect(seen.map(({ status }) => status)).toEqual([410, 404])
    expect(seen.map(({ text }) => text).join()).not.toContain('secret-page')
  })

  it('shows the address of a protected link only to who knows the password', async () => {
    linnet = await boot([passwordProtection, linkPreview])
    const link = await linnet.create({
      originalUrl: 'https://example.com/secret-page',
      password: 'open sesame',
    })
    const asked = await linnet.visit(plus(link))
    const head = await linnet.visit(plus(link), { method: 'HEAD' })
    const wrong = await linnet.visit(plus(link), {
      answers: { ...asked.hidden, password: 'guess' },
    })
    for (const it of [asked, head, wrong]) {
      expect(it.status).toBe(403)
      expect(JSON.stringify(it.headers) + it.text).not.toContain('secret-page')
    }
    const right = await linnet.visit(plus(link), {
      answers: { ...asked.hidden, password: 'open sesame' },
    })
    expect(right).toMatchObject({ status: 200, location: undefined })
    expect(right.text).toContain('https://example.com/secret-page')
  })

  it('shows where this very visit would lead', async () => {
    linnet = await boot([queryForwarding, linkPreview])
    const link = await linnet.create({ forwardQuery: true })
    const { text } = await linnet.visit(plus(link), { query: '?a=1' })
    expect(text).toContain('<dd>https://example.com/?a=1</dd>')
  })

  it('finds nothing where there is no link, nor when the plugin is off', async () => {
    linnet = await boot(linkPreview)
    const link = await linnet.create()
    expect((await linnet.visit('nothing+')).status).toBe(404)
    expect((await linnet.visit(`${link.shortCode}++`)).status).toBe(404)
    expect((await linnet.visit('+')).status).toBe(404)
    const off = await linnet.restart([])
    expect((await off.visit(plus(link))).status).toBe(404)
    expect((await off.visit(link)).status).toBe(302)
  })

  it('can be looked at, and nothing else', async () => {
    linnet = await boot(linkPreview)
    const link = await linnet.create()
    const { status, headers } = await linnet.visit(plus(link), { method: 'POST' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})
