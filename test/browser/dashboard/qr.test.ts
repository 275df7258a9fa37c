import decode from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { hasChromium } from '../chromium.ts'
import { download, openCode } from './qr-code.ts'

describe.skipIf(!hasChromium)('the QR code of a link', () => {
  itAtNight('is saved as a PNG that a camera reads, and leads on', async () => {
    const { page, server } = await openCode()
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByLabel('Size', { exact: true }).fill('640')
    await page.getByLabel('Foreground', { exact: true }).fill('#1A3B5C')
    const { name, content } = await download(page, 'PNG')
    expect(name).toBe('poster.png')
    const { data, width, height } = PNG.sync.read(content)
    expect(width).toBe(640)
    const read = decode(new Uint8ClampedArray(data), width, height)?.data
    expect(read).toBe(`${server.url}/poster?qr`)

    const visit = await server.get('/poster?qr')
    expect(visit.headers.get('location')).toBe('https://example.com/')
  })
})
