import { inject } from 'light-my-request'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxLogoBytes } from '../../../../core/settings/brand.ts'
import passwordProtection from '../../../../plugins/link/password-protection.ts'
import { boot, type Harness } from '../../../harness.ts'
import { dataUri, png } from '../logos.ts'

const svg =
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\n'
const webp = Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1')

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([])
})
afterEach(() => linnet.stop())

const change = (brand: object) => linnet.api('PATCH', '/admin/brand', brand)
const shown = async () => (await linnet.api('GET', '/admin/brand')).body.data
const get = (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  inject(linnet.app.server.handle, { url, method })

/** Path of the logo on the page that says there is no link. */
async function logoPath(): Promise<string> {
  const { text } = await linnet.visit('nothing')
  return /<img src="https:\/\/go\.example\.org([^"]+)"/.exec(text)?.[1] ?? ''
}

describe('the brand', () => {
  it('is nobody’s until an admin changes it, and then at once on every page', async () => {
    expect(await shown()).toEqual({ name: null, color: null, logo: null })
    const { status, body } = await change({ name: ' Acme ', color: '#FFD400' })
    expect([status, body.data]).toEqual([200, { name: 'Acme', color: '#ffd400', logo: null }])
    const { text } = await linnet.visit('nothing')
    expect(text).toContain('<title>No link here · Acme</title>')
    expect(text).toContain('--fill: #ffd400')
  })

  it('changes in part, and goes back to nobody’s by null', async () => {
    await change({ name: 'Acme', color: '#ffd400' })
    await change({ color: null })
    expect(await shown()).toEqual({ name: 'Acme', color: null, logo: null })
    await change({ name: null })
    expect((await linnet.visit('nothing')).text).toContain('<title>No link here</title>')
  })

  it('outlives a restart', async () => {
    await change({ name: 'Acme', logo: dataUri('image/png', png) })
    linnet = await linnet.restart([])
    expect(await shown()).toMatchObject({ name: 'Acme', logo: dataUri('image/png', png) })
    expect((await get(await logoPath())).statusCode).toBe(200)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'Ac\nme' }, 'name'],
    [{ color: 'red' }, 'color'],
    [{ color: '#ffd' }, 'color'],
    [{ color: '#ffd400; } * { display: none' }, 'color'],
    [{ logo: 'https://example.com/logo.png' }, 'logo'],
    [{ logo: dataUri('text/html', '<h1>') }, 'logo'],
    [{ logo: dataUri('image/gif', 'GIF89a') }, 'logo'],
    [{ logo: dataUri('image/png', svg) }, 'logo'],
    [{ logo: dataUri('image/svg+xml', png) }, 'logo'],
    [{ logo: dataUri('image/svg+xml', '<html></html>') }, 'logo'],
    [{ logo: dataUri('image/webp', 'RIFF') }, 'logo'],
    [{ logo: `data:image/png;base64,${'%'.repeat(99)}` }, 'logo'],
    [{ logo: dataUri('image/png', Buffer.concat([png, Buffer.alloc(maxLogoBytes)])) }, 'logo'],
    [{ tagline: 'Short links' }, 'tagline'],
  ])('%o is 422 and changes nothing', async (brand, field) => {
    const { status, body } = await change({ name: 'Other', ...brand })
    expect([status, body.errors.map((error: { field: string }) => error.field)]).toEqual([
      422,
      [field],
    ])
    expect(await shown()).toEqual({ name: null, color: null, logo: null })
  })
})

describe('a preview', () => {
  const preview = async (asked: object) => {
    const { status, body } = await linnet.api('POST', '/admin/brand/preview', asked)
    return { status, ...body.data, errors: body.errors }
  }

  it('is the very page that a protected link will show, and changes nothing', async () => {
    await linnet.stop()
    linnet = await boot(passwordProtection)
    const link = await linnet.create({ password: 'sesame' })
    const brand = { name: 'Acme & Sons', color: '#0b3d91' }
    const { status, html } = await preview(brand)
    expect(status).toBe(200)
    expect(await shown()).toEqual({ name: null, color: null, logo: null })
    await change(brand)
    const { text, hidden } = await linnet.visit(link)
    expect(html).toBe(text.replace(hidden.pass ?? '', ''))
  })

  it('is that of an address without a link, when it is asked for', async () => {
    const { html } = await preview({ page: 'not_found', name: 'Acme' })
    await change({ name: 'Acme' })
    expect(html).toBe((await linnet.visit('nothing')).text)
  })

  it('has the logo in it, for nobody serves it yet', async () => {
    const logo = dataUri('image/svg+xml', svg)
    const { html } = await preview({ logo })
    expect(html).toContain(`<header><img src="${logo}" alt=""></header>`)
    expect(html).not.toContain('/assets/')
  })

  it('is of what is set already, where nothing else is said', async () => {
    await change({ name: 'Acme', color: '#0b3d91', logo: dataUri('image/png', png) })
    const { html } = await preview({ name: 'Other', logo: null })
    expect(html).toContain('<header>Other</header>')
    expect(html).toContain('--fill: #0b3d91')
  })

  it.each([
    ['#0a7cff', ['buttons', 'light', 'dark']],
    ['#ffd400', ['light']],
    ['#14002e', ['dark']],
    [null, []],
  ])('says where %s does not stay what it is, and what it is there', async (color, places) => {
    const { html, adjustments } = await preview({ color })
    const found = adjustments as readonly { where: string; color: string; message: string }[]
    expect(found.map(it => it.where)).toEqual(places)
    for (const { color: shade, message } of found) {
      expect(html).toContain(`: ${shade}`)
      expect(message).toContain(`${color}`)
      expect(message).toContain(shade)
    }
  })

  it.each([
    [{ color: 'red' }, 'color'],
    [{ name: '' }, 'name'],
    [{ logo: 'https://example.com/logo.png' }, 'logo'],
    [{ page: 'expired' }, 'page'],
    [{ tagline: 'Short links' }, 'tagline'],
  ])('of %o is 422', async (asked, field) => {
    const { status, errors } = await preview(asked)
    expect([status, errors.map((error: { field: string }) => error.field)]).toEqual([422, [field]])
  })
})

describe('the logo', () => {
  it.each([
    ['image/png', png],
    ['image/webp', webp],
    ['image/svg+xml', Buffer.from(svg)],
  ])('of %s is served as it is, kept for good, and runs nothing by itself', async (type, bytes) => {
    await change({ logo: dataUri(type, bytes) })
    const { statusCode, headers, rawPayload } = await get(await logoPath())
    expect([statusCode, rawPayload]).toEqual([200, bytes])
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
  })

  it('has another path when it is another', async () => {
    await change({ logo: dataUri('image/svg+xml', svg) })
    const first = await logoPath()
    await change({ logo: dataUri('image/png', png) })
    const second = await logoPath()
    expect([first, second]).toEqual([
      expect.stringMatching(/^\/assets\/logo-[\da-f]{16}\.svg$/),
      expect.stringMatching(/^\/assets\/logo-[\da-f]{16}\.png$/),
    ])
    expect((await get(first)).statusCode).toBe(404)
  })

  it('is all there is below its path, and only to be read', async () => {
    for (const path of ['/assets', '/assets/', '/assets/../logo', '/assets/logo-0.svg']) {
      expect((await get(path)).statusCode, path).toBe(404)
    }
    await change({ logo: dataUri('image/png', png) })
    const path = await logoPath()
    const head = await get(path, 'HEAD')
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(png.length)])
    const post = await get(path, 'POST')
    expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})
