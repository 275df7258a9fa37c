import decode from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { expectAccessible } from './dashboard.ts'
import { download, openCode } from './qr-code.ts'

describe.skipIf(!hasChromium)('the QR code of a link', () => {
  it('is saved as a PNG that a camera reads, and leads on', async () => {
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

  it('is shown as it will be, and saved as an SVG of that look', async () => {
    const { page } = await openCode()
    const image = page.getByRole('img', { name: /^QR code/ })
    const source = async () => decodeURIComponent((await image.getAttribute('src')) ?? '')
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByLabel('Foreground', { exact: true }).fill('#a3343f')
    await expect.poll(source).toContain('#a3343f')
    const { name, content } = await download(page, 'SVG')
    expect(name).toBe('poster.svg')
    expect(content.toString()).toBe((await source()).replace('data:image/svg+xml,', ''))
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(source).toContain('#000000')
  })

  it('has shapes, and the logo that somebody uploads, and a camera reads it', async () => {
    const { page, server, open, id } = await openCode()
    await page.getByRole('button', { name: 'Customise' }).click()
    const choose = (group: string, option: string) =>
      page.getByRole('radiogroup', { name: group }).getByText(option, { exact: true }).click()
    await choose('Modules', 'Dots')
    await choose('Corner marks', 'Circle')
    const photo = new PNG({ width: 900, height: 600 })
    for (let at = 0; at < 900 * 600; at++)
      photo.data.set([at % 256, (at >> 8) % 256, 90, 255], 4 * at)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload logo' }).click()
    const buffer = PNG.sync.write(photo)
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    const logo = page.getByRole('img', { name: 'Your logo' })
    await logo.waitFor()
    await expectAccessible(page)
    const look = async () => (await server.api('GET', '/qr-look')).body.data
    await expect.poll(look).toMatchObject({ shape: 'dots', eyes: 'circle', logo: '1' })
    const { content } = await download(page, 'PNG')
    const { data, width, height } = PNG.sync.read(content)
    expect(decode(new Uint8ClampedArray(data), width, height)?.data).toBe(`${server.url}/poster?qr`)

    await open(`/links/${id}`)
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByRole('button', { name: 'Remove logo' }).click()
    const ask = page.getByRole('dialog', { name: 'Remove your logo?' })
    await ask.getByRole('button', { name: 'Remove logo' }).click()
    await logo.waitFor({ state: 'detached' })
    await expect.poll(look).toMatchObject({ logo: '0' })
  })
})

describe.skipIf(!hasChromium)('in light and dark', () => {
  it('the look of a QR code is open to everybody, also where it is wrong', async () => {
    const { page } = await openCode()
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByLabel('Foreground: palette').fill('#1a3b5c')
    expect(await page.getByLabel('Foreground', { exact: true }).inputValue()).toBe('#1a3b5c')
    await expectAccessible(page)
    await page.getByLabel('Foreground', { exact: true }).fill('navy')
    await page
      .getByLabel('Foreground', { exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await expectAccessible(page)
  })
})
