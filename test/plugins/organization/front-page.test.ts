import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../core/plugin.ts'
import redirectStatus from '../../../plugins/link/redirect-status.ts'
import customDomains from '../../../plugins/organization/custom-domains.ts'
import frontPage from '../../../plugins/organization/front-page.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const choose = (change: object) => linnet.api('PATCH', '/admin/front-page', change)
const html = { headers: { accept: 'text/html' } }

describe('the bare address of the main host', () => {
  it('leads nowhere without a dashboard, until somebody chose', async () => {
    linnet = await boot(frontPage)
    expect((await linnet.visit('', html)).status).toBe(404)
  })

  it('leads to the dashboard at first, and again when the choice is taken back', async () => {
    linnet = await boot([frontPage, 'dashboard.web'])
    expect((await linnet.visit('')).location).toBe('/dashboard/')
    await choose({ front: 'nothing' })
    expect((await linnet.visit('', html)).status).toBe(404)
    await choose({ front: null })
    expect((await linnet.visit('')).location).toBe('/dashboard/')
    await choose({ front: 'dashboard' })
    expect((await linnet.visit('')).location).toBe('/dashboard/')
  })

  it('leads to an address', async () => {
    linnet = await boot([frontPage, 'dashboard.web'])
    await choose({ front: 'address', front_url: 'https://example.com/us' })
    const { status, location } = await linnet.visit('')
    expect([status, location]).toEqual([302, 'https://example.com/us'])
    expect((await linnet.visit('', { query: '?a=1' })).location).toBe('https://example.com/us')
  })

  it('shows a text, escaped and without a script', async () => {
    linnet = await boot(frontPage)
    await choose({
      front: 'text',
      front_title: 'Us & <you>',
      front_text: 'We shorten.\n<b>All</b>',
    })
    const { status, text, headers } = await linnet.visit('', html)
    expect(status).toBe(200)
    expect(text).toContain('<h1>Us &amp; &lt;you&gt;</h1>')
    expect(text).toContain('&lt;b&gt;All&lt;/b&gt;')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(headers['x-robots-tag']).toBe('noindex')
    await choose({ robots: 'allow' })
    expect((await linnet.visit('', html)).headers['x-robots-tag']).toBe('all')
  })
})

describe('an unknown short code', () => {
  it('gets the page, or is led to an address, on the main host alone', async () => {
    linnet = await boot(frontPage)
    expect((await linnet.visit('nothing-here')).status).toBe(404)
    await choose({ unknown: 'address', unknown_url: 'https://example.com/lost' })
    expect((await linnet.visit('nothing-here')).location).toBe('https://example.com/lost')
    await choose({ unknown: null })
    expect((await linnet.visit('nothing-here')).status).toBe(404)
  })

  it('is still one that another plugin finds first', async () => {
    const finder = definePlugin({
      feature: 'acme.finder',
      about: 'Find links.',
      before: ['organization.frontPage'],
      unstable: { unknown: ({ path }) => ({ kind: 'follow', path: path.toLowerCase() }) },
    })
    linnet = await boot([frontPage, 'link.customShortCode', finder])
    await linnet.create({ shortCode: 'spring' })
    await choose({ unknown: 'address', unknown_url: 'https://example.com/lost' })
    expect((await linnet.visit('SPRING')).location).toBe('https://example.com/')
  })
})

describe('robots.txt', () => {
  const read = async () => {
    const { status, text, headers } = await linnet.visit('robots.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    return text
  }

  it('is always there, and keeps everything to itself', async () => {
    linnet = await boot(frontPage)
    expect(await read()).toBe('User-agent: *\nDisallow: /\n')
    await choose({ robots: 'allow' })
    expect(await read()).toBe('User-agent: *\nAllow: /\n')
    await choose({ robots: 'text', robots_text: 'User-agent: *\n# ours\n\nDisallow: /a' })
    expect(await read()).toBe('User-agent: *\n# ours\n\nDisallow: /a\n')
    await choose({ robots: 'deny' })
    expect(await read()).toBe('User-agent: *\nDisallow: /\n')
  })

  it('names a link that may be indexed, and that link says nothing else', async () => {
    linnet = await boot([frontPage, 'link.customShortCode', 'link.editShortCode'])
    const link = await linnet.create({ shortCode: 'spring', crawlable: true })
    const plain = await linnet.create()
    expect(await read()).toBe('User-agent: *\nAllow: /spring$\nDisallow: /\n')
    expect((await linnet.visit(link)).headers['x-robots-tag']).toBe('all')
    expect((await linnet.visit(plain)).headers['x-robots-tag']).toBe('noindex')
    expect(linnet.app.cache.get(plain.shortCode)?.redirect).toBeDefined()
    await linnet.api('PATCH', `/links/${link.id}`, { short_code: 'summer' })
    linnet.at('2030-01-01T00:00:00Z')
    expect(await read()).toContain('Allow: /summer$\n')
    await linnet.api('PATCH', `/links/${link.id}`, { crawlable: null })
    linnet.at('2030-01-01T00:02:00Z')
    expect(await read()).not.toContain('Allow')
    expect((await linnet.visit('summer')).headers['x-robots-tag']).toBe('noindex')
  })

  it('does not keep a redirect from lasting', async () => {
    linnet = await boot([redirectStatus, frontPage])
    const link = await linnet.create({ crawlable: true, redirectStatus: 301 })
    const { status, headers } = await linnet.visit(link)
    expect([status, headers['x-robots-tag']]).toEqual([301, 'all'])
  })
})

describe('security.txt', () => {
  const at = '.well-known/security.txt'

  it('is there as long as there is a contact, and ends within a year of whenever it is read', async () => {
    linnet = await boot(frontPage, { at: '2026-11-27T12:00:00Z' })
    expect((await linnet.visit(at)).status).toBe(404)
    await choose({ security_contact: 'mailto:security@example.org' })
    const { status, text, headers } = await linnet.visit(at)
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toBe('Contact: mailto:security@example.org\nExpires: 2027-11-26T00:00:00.000Z\n')
    linnet.at('2028-02-29T00:00:00Z')
    expect((await linnet.visit(at)).text).toContain('Expires: 2029-02-27T00:00:00.000Z\n')
    const { body } = await linnet.api('GET', '/admin/front-page')
    expect(body.data).toMatchObject({
      securityAddress: 'https://go.example.org/.well-known/security.txt',
      securityAnswer: expect.stringContaining('Contact: mailto:security@example.org\n'),
    })
    await choose({ security_contact: null })
    expect((await linnet.visit(at)).status).toBe(404)
  })

  it.each([
    ['https://example.org/security', 'https://example.org/security'],
    ['https://müller.example', 'https://xn--mller-kva.example/'],
    [
      'MAILTO:a@example.org?subject=Hole in Linnet'.replaceAll(' ', '%20'),
      'mailto:a@example.org?subject=Hole%20in%20Linnet',
    ],
  ])('has %s as %s', async (contact, said) => {
    linnet = await boot(frontPage)
    expect((await choose({ security_contact: contact })).body.data.securityContact).toBe(said)
    expect((await linnet.visit(at)).text).toContain(`Contact: ${said}\n`)
  })

  it.each([
    'security@example.org',
    'mailto:security',
    'mailto:',
    'mailto:a@example.org, b@example.org',
    'http://example.org/security',
    'https://',
    'https://a:b@example.org/',
    'tel:+1-201-555-0123',
    'javascript:alert(1)',
  ])('has no contact such as %s', async contact => {
    linnet = await boot(frontPage)
    const { status, body } = await choose({ security_contact: contact })
    expect([status, body.errors]).toMatchObject([422, [{ field: 'security_contact' }]])
    expect(body.errors[0].message).toBe(
      'Enter mailto: with an e-mail address, or a URL with https://.',
    )
    expect((await linnet.visit(at)).status).toBe(404)
  })

  it('has one contact in one line', async () => {
    linnet = await boot(frontPage)
    const contact = 'https://example.org/\nContact: https://evil.example/'
    expect((await choose({ security_contact: contact })).status).toBe(422)
  })
})

it('keeps what was chosen before there was another choice', async () => {
  linnet = await boot(frontPage)
  await choose({ front: 'text', front_title: 'Us' })
  const ofPlugin = ['feature', '=', 'organization.frontPage'] as const
  const stored = linnet.db.selectFrom('plugin_store').selectAll()
  const { value } = await stored.where(...ofPlugin).executeTakeFirstOrThrow()
  const { securityContact, ...before } = JSON.parse(value)
  expect(securityContact).toBeNull()
  const update = linnet.db.updateTable('plugin_store').set({ value: JSON.stringify(before) })
  await update.where(...ofPlugin).execute()
  linnet = await linnet.restart([frontPage])
  expect((await linnet.visit('', html)).text).toContain('<h1>Us</h1>')
})

it('has the icon of the brand', async () => {
  linnet = await boot(frontPage)
  expect((await linnet.visit('favicon.ico')).status).toBe(404)
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const logo = `data:image/png;base64,${png}`
  expect((await linnet.api('PATCH', '/admin/brand', { logo })).status).toBe(200)
  const { status, headers } = await linnet.visit('favicon.ico')
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
})

it('shows admins what becomes of it, and keeps it', async () => {
  linnet = await boot([frontPage, customDomains])
  await choose({ front: 'address', front_url: 'example.com' })
  await choose({ front: 'text', front_title: 'Us' })
  const { body } = await linnet.api('GET', '/admin/front-page')
  expect(body.data).toMatchObject({
    front: 'text',
    frontTitle: 'Us',
    frontAddress: 'https://go.example.org/',
    frontAnswer: '200 · Us',
    unknownAnswer: 'A page that says so (404)',
    robotsAnswer: 'User-agent: *\nDisallow: /\n',
  })
  linnet = await linnet.restart([frontPage])
  expect((await linnet.visit('', html)).text).toContain('<h1>Us</h1>')
})

it.each([
  [{ front: 'home' }, 'front', 'Must be one of: dashboard, address, text, nothing.'],
  [
    { front: 'address' },
    'front_url',
    'Enter the address of the front page, or choose another one.',
  ],
  [
    { front: 'address', front_url: 'ftp://example.com' },
    'front_url',
    'The URL must begin with http:// or https://.',
  ],
  [
    { front_url: 'https://a:b@example.com' },
    'front_url',
    'The URL must not contain a user name or a password.',
  ],
  [
    { front_url: 'https://go.example.org/abc' },
    'front_url',
    'The URL leads back to this link shortener.',
  ],
  [{ front: 'text' }, 'front_title', 'Enter a title, or choose another front page.'],
  [{ front_title: 'a'.repeat(101) }, 'front_title', 'Must have at most 100 characters.'],
  [{ front_text: 'a'.repeat(2_001) }, 'front_text', 'Must have at most 2000 characters.'],
  [
    { unknown: 'address' },
    'unknown_url',
    'Enter the address for unknown short codes, or choose the page.',
  ],
  [
    { unknown: 'address', unknown_url: 'https://go.example.org/x' },
    'unknown_url',
    'The URL leads back to this link shortener.',
  ],
  [{ robots: 'none' }, 'robots', 'Must be one of: deny, allow, text.'],
  [{ robots: 'text' }, 'robots_text', 'Enter the text of robots.txt, or choose another one.'],
  [
    { robots_text: 'Keep out!' },
    'robots_text',
    'Each line is a rule, such as Disallow: /private, or begins with #.',
  ],
  [{ robots_text: 'a'.repeat(10_001) }, 'robots_text', 'Must have at most 10000 characters.'],
  [{ title: 'Us' }, 'title', 'This field does not exist.'],
])('%j is refused', async (change, field, message) => {
  linnet = await boot(frontPage)
  const { status, body } = await choose(change)
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field, message }])
})

it.each([['yes'], [1]])('a link is not crawlable because it says %j', async crawlable => {
  linnet = await boot(frontPage)
  const wish = { original_url: 'https://example.com/', crawlable }
  const { body } = await linnet.api('POST', '/links', wish)
  expect(body.errors).toMatchObject([{ field: 'crawlable', message: 'Must be true or false.' }])
})
