import decode from 'jsqr'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import type { MountRequest } from '../../../../core/plugin.ts'
import { drawQrCode, qrCodeUrl } from '../../../../plugins/developer/shlink/qr-code.ts'

const shortUrl = 'https://go.example.org/spring'
const links = { findByCode: async () => ({}), shortUrl: () => shortUrl } as never

async function draw(query: string): Promise<PNG> {
  const asked = { method: 'GET', query: new URLSearchParams(query) } as MountRequest
  const drawn = await drawQrCode(asked, { links })
  if (drawn.kind !== 'file') throw new Error(drawn.detail)
  return PNG.sync.read(Buffer.from(drawn.content as Uint8Array))
}

it.each([
  ['', 300],
  ['size=100&margin=20', 140],
  ['size=333&margin=7&errorCorrection=H', 347],
  ['size=99999&errorCorrection=quartile', 1_000],
  ['size=-1&margin=-1&errorCorrection=__proto__', 300],
])('a code with "%s" is %i pixels wide, and can be read', async (query, width) => {
  const png = await draw(`code=spring&${query}`)
  expect([png.width, png.height]).toEqual([width, width])
  // A reader needs a white rim.
  const rim = 40
  const framed = new PNG({ width: width + 2 * rim, height: width + 2 * rim })
  framed.data.fill(255)
  PNG.bitblt(png, framed, 0, 0, width, width, rim, rim)
  const found = decode(new Uint8ClampedArray(framed.data), framed.width, framed.height)
  expect(found?.data).toBe(shortUrl)
})

it('is on the host of the base URL, where mounts are, whatever host the link has', () => {
  const links = {
    apiUrl: () => 'https://admin.example.org/api/v1/',
    mainUrl: (path: string) => `https://go.example.org${path}`,
  } as never
  const link = { shortCode: 'a', domain: 'links.example.com' } as never
  const url = qrCodeUrl(links, link, new URLSearchParams('size=1'))
  expect(url).toBe('https://go.example.org/rest/qr-code?code=a&domain=links.example.com&size=1')
})
