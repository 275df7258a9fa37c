import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, boot, type Harness, type HarnessOptions, type ShownLink } from '../harness.ts'

const mail = 'mailto:ada@example.org?subject=Hello'
const phone = 'tel:+49-89-123'
const app = 'myapp://open/1?x=1'
const allowed = ['mailto', 'tel', 'myapp']
const features = [
  ...[
    'confirmation',
    'customShortCode',
    'dynamicRouting',
    'editOriginalUrl',
    'linkExpiration',
    'linkPreview',
  ],
  ...['pageTitle', 'passwordProtection', 'paths', 'queryForwarding', 'redirectStatus'],
  ...['urlScanning', 'utmParameters'],
].map(it => `link.${it}`)
const all = [...features, 'organization.customDomains', 'organization.frontPage']

let linnet: Harness
afterEach(() => linnet.stop())

async function start(targetSchemes?: readonly string[], options: HarnessOptions = {}) {
  linnet = await boot(all, { ...options, ...(targetSchemes && { targetSchemes }) })
}

const make = (fields: object) => linnet.api('POST', '/links', fields)
const change = ({ id }: ShownLink, fields: object) => linnet.api('PATCH', `/links/${id}`, fields)
const html = { headers: { accept: 'text/html' } }
const led = async (code: string | ShownLink, visit = {}) => {
  const { status, location } = await linnet.visit(code, visit)
  return `${status} ${location}`
}

/** What is wrong with an answer: each place, and the sentence. */
const wrongs = ({ status, body }: Awaited<ReturnType<typeof make>>) =>
  status === 422
    ? body.errors.map((it: { field: string; message: string }) => `${it.field}: ${it.message}`)
    : status

const ruleTo = (original_url: string) => ({
  dynamic_routing: { rules: [{ name: 'All', original_url }] },
})

describe('everything that leads visitors', () => {
  /** Requests with an address, and the place of it. */
  const places: readonly (readonly [string, (url: string, link: ShownLink) => Promise<Answer>])[] =
    [
      ['original_url', url => make({ original_url: url })],
      ['original_url', (url, link) => change(link, { original_url: url })],
      [
        'dynamic_routing.rules[0].original_url',
        url => make({ original_url: 'https://example.com', ...ruleTo(url) }),
      ],
      ['dynamic_routing.rules[0].original_url', (url, link) => change(link, ruleTo(url))],
      ['expired_url', (url, link) => change(link, { expired_url: url })],
      [
        'root_url',
        url =>
          linnet.api('POST', '/domains', { host: `a${url.length}.example.com`, root_url: url }),
      ],
      [
        'not_found_url',
        url =>
          linnet.api('POST', '/admin/domains', {
            host: `b${url.length}.example.com`,
            not_found_url: url,
          }),
      ],
      [
        'front_url',
        url => linnet.api('PATCH', '/admin/front-page', { front: 'address', front_url: url }),
      ],
    ]

  it('takes http and https alone, unless the operator allows more', async () => {
    await start()
    const link = await linnet.create()
    for (const [place, ask] of places) {
      const only = `${place}: The URL must begin with http:// or https://.`
      expect(wrongs(await ask(mail, link))).toEqual([only])
      expect(wrongs(await ask('javascript:alert(1)', link))).toEqual([
        expect.stringContaining(`${place}: The URL must begin with http:// or https://`),
      ])
    }
    expect((await linnet.api('GET', '/plugins')).body.meta.targetSchemes).toEqual([])
  })

  it('takes what the operator allows, and says what that is', async () => {
    await start(allowed)
    const link = await linnet.create()
    for (const [place, ask] of places) {
      for (const url of [mail, phone, app]) {
        expect([place, wrongs(await ask(url, link))]).toEqual([place, expect.toBeOneOf([200, 201])])
      }
      const what = 'The URL must begin with http://, https://, mailto:, tel: or myapp:.'
      expect(wrongs(await ask('sms:+4989123', link))).toEqual([`${place}: ${what}`])
      const [never] = wrongs(await ask('JavaScript:alert(1)', link))
      expect(never).toContain(`${place}: The URL must begin with http://`)
    }
    expect((await linnet.api('GET', '/plugins')).body.meta.targetSchemes).toEqual(allowed)
  })

  it('takes them in requests for many, and finds the link that leads there already', async () => {
    await start(allowed)
    const { body } = await linnet.api('POST', '/links/bulk', {
      links: [
        { original_url: mail },
        { original_url: 'data:,x' },
        { original_url: 'TEL:+49-89-123' },
      ],
    })
    expect(body.data.map((it: { status: number }) => it.status)).toEqual([201, 422, 201])
    const again = await make({ original_url: 'MAILTO:ada@example.org?subject=Hello', reuse: true })
    expect([again.status, again.body.data.originalUrl]).toEqual([200, mail])
  })
})

describe('a link to an address of another scheme', () => {
  it('redirects there, with each status, and after a password', async () => {
    await start(allowed)
    for (const url of [mail, phone, app]) {
      const link = await linnet.create({ originalUrl: url })
      expect(link.originalUrl).toBe(url)
      expect(await led(link)).toBe(`302 ${url}`)
      expect(await led(link)).toBe(`302 ${url}`)
      expect(await led(link, { method: 'HEAD' })).toBe(`302 ${url}`)
    }
    for (const status of [301, 307, 308]) {
      const link = await linnet.create({ originalUrl: mail, redirectStatus: status })
      expect(await led(link)).toBe(`${status} ${mail}`)
    }
    const guarded = await linnet.create({ originalUrl: mail, password: 'a password' })
    const { hidden, headers } = await linnet.visit(guarded, html)
    // Browsers apply it to the redirect that answers a form.
    expect(headers['content-security-policy']).not.toContain('form-action')
    const answers = { ...hidden, password: 'a password' }
    expect(await led(guarded, { method: 'POST', answers })).toBe(`303 ${mail}`)
  })

  it('keeps its query, and gets no UTM parameters and no paths', async () => {
    await start(allowed)
    const forwarding = await linnet.create({ originalUrl: mail, forwardQuery: true })
    expect(await led(forwarding, { query: '?bcc=eve@example.org' })).toBe(`302 ${mail}`)
    const utm = await linnet.create({ originalUrl: app, utm: { source: 'print' } })
    expect(utm.originalUrl).toBe(app)
    const moved = await change(utm, { original_url: 'https://example.com/' })
    expect(moved.body.data.originalUrl).toBe('https://example.com/?utm_source=print')

    expect(wrongs(await make({ original_url: mail, paths: 'append' }))).toEqual([
      'paths: Paths after the code are for http and https URLs.',
    ])
    const withPaths = await linnet.create({ originalUrl: 'https://example.com/', paths: 'append' })
    expect(wrongs(await change(withPaths, { original_url: mail }))).toEqual([
      'original_url: The link takes paths after its code, which are for http and https URLs. Empty them, or enter such a URL.',
    ])
    const ruled = await linnet.create({
      originalUrl: 'https://example.com/',
      paths: 'append',
      dynamicRouting: { rules: [{ name: 'All', originalUrl: app }] },
    })
    expect(await led(`${ruled.shortCode}/more`)).toBe(`302 ${app}`)
  })

  it('is shown, and nobody outside hears of it', async () => {
    const asked: string[] = []
    await start(allowed, {
      env: { LINNET_SAFE_BROWSING_KEY: 'key' },
      async fetch(url, { body } = {}) {
        asked.push(`${url} ${body}`)
        return { status: 200, url, headers: new Headers(), body: Buffer.from('{}'), isWhole: true }
      },
    })
    const link = await linnet.create({ originalUrl: 'mailto:"><b>@example.org?subject=<i>' })
    expect(link.originalUrl).toBe('mailto:"><b>@example.org?subject=%3Ci%3E')
    const { status, text } = await linnet.visit(`${link.shortCode}+`, html)
    expect(status).toBe(200)
    expect(text).toContain('href="mailto:&quot;&gt;&lt;b&gt;@example.org?subject=%3Ci%3E"')
    expect(text).toContain('Go to mailto:&quot;&gt;&lt;b&gt;@example.org<')
    expect(text).not.toContain('<b>')
    const confirmed = await linnet.create({ originalUrl: phone, confirm: true })
    const before = await linnet.visit(confirmed, html)
    expect(before.text).toContain('This link leads to tel:+49-89-123')
    expect(before.text).not.toContain('Website')
    const answers = { ...before.hidden, continue: 'yes' }
    expect(await led(confirmed, { method: 'POST', answers })).toBe(`303 ${phone}`)
    await linnet.run('link.urlScanning.rescan')
    await linnet.settled()
    expect(asked).toEqual([])
    await linnet.create({ originalUrl: 'https://example.com/' })
    expect(asked.length).toBeGreaterThan(0)
  })

  it('may name this host, which is no loop', async () => {
    await start(allowed)
    const link = await linnet.create({ originalUrl: 'myapp://go.example.org/1' })
    expect(await led(link)).toBe('302 myapp://go.example.org/1')
  })
})

describe('a scheme that is not allowed any more', () => {
  it('is followed no more, and the link stays as it is', async () => {
    await start(allowed)
    const plain = await linnet.create({ originalUrl: mail })
    const ended = await linnet.create({
      originalUrl: 'https://example.com/',
      expiresAt: '2026-11-20T13:00:00Z',
      expiredUrl: app,
    })
    const ruled = await linnet.create({
      dynamicRouting: { rules: [{ name: 'All', originalUrl: phone }] },
    })
    const elsewhere = await linnet.create({
      originalUrl: mail,
      dynamicRouting: { rules: [{ name: 'All', originalUrl: 'https://example.com/rule' }] },
    })
    await linnet.api('PATCH', '/admin/front-page', { unknown: 'address', unknown_url: app })
    await linnet.api('POST', '/admin/domains', { host: 'x.example.com', not_found_url: app })
    linnet.at('2026-11-20T14:00:00Z')
    const visitX = () => linnet.visit('gone', { headers: { host: 'x.example.com' } })
    expect([await led(plain), await led(ended), await led(ruled), await led('gone')]).toEqual(
      [mail, app, phone, app].map(url => `302 ${url}`),
    )
    expect((await visitX()).location).toBe(app)

    const deleted = await linnet.create({ originalUrl: mail })
    await linnet.api('DELETE', `/links/${deleted.id}`)
    linnet = await linnet.restart(all, { targetSchemes: ['sms'] })
    for (const link of [plain, ended, ruled, 'gone', `${plain.shortCode}+`]) {
      const { status, text, location } = await linnet.visit(link, html)
      expect([status, location]).toEqual([403, undefined])
      expect(text).toContain('This link leads to an address that is not allowed here.')
      expect(text).not.toMatch(/mailto|myapp|tel:/)
    }
    expect(await led(elsewhere)).toBe('302 https://example.com/rule')
    expect((await visitX()).status).toBe(404)

    // It can be shown, changed in everything else, and led elsewhere.
    expect((await linnet.api('GET', `/links/${plain.id}`)).body.data.originalUrl).toBe(mail)
    const titled = await change(plain, { title: 'Mail' })
    expect([titled.status, titled.body.data.originalUrl]).toEqual([200, mail])
    expect(wrongs(await change(plain, { original_url: phone }))).toEqual([
      'original_url: The URL must begin with http://, https:// or sms:.',
    ])
    // One that was deleted waits until its scheme is allowed again, or until its time is over.
    const restore = () => linnet.api('POST', `/links/${deleted.id}/restore`)
    expect(wrongs(await restore())).toEqual([
      'original_url: The URL must begin with http://, https:// or sms:.',
    ])
    const json = await linnet.visit(plain, { headers: { accept: 'application/json' } })
    expect(JSON.parse(json.text).code).toBe('target_not_allowed')

    linnet = await linnet.restart(all, { targetSchemes: allowed })
    expect((await restore()).status).toBe(200)
    expect(await led(plain)).toBe(`302 ${mail}`)
  })
})
