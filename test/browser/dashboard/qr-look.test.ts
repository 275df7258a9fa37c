import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import decode from 'jsqr'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible } from './dashboard.ts'
import { download, openCode } from './qr-code.ts'

async function putLogo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Customise' }).click()
  await page.getByRole('switch', { name: 'Logo' }).click()
}

describe.skipIf(!hasChromium)('the QR code of a link', () => {
  it('looks the same for all links of the account, on any machine, but for those with their own look', async () => {
    const { page, server, open, id } = await openCode()
    const another = await createLink(server, { short_code: 'flyer' })
    const image = page.getByRole('img', { name: /^QR code/ })
    const source = async () => decodeURIComponent((await image.getAttribute('src')) ?? '')
    const darkOf = async (path: string) => (await server.api('GET', path)).body.data.dark
    const foreground = page.getByLabel('Foreground', { exact: true })
    await page.getByRole('button', { name: 'Customise' }).click()
    await foreground.fill('#0b5394')
    await expect.poll(() => darkOf('/qr-look')).toBe('#0b5394')
    await page.getByRole('switch', { name: 'Only for this link' }).click()
    await expect.poll(() => darkOf(`/links/${id}/qr-look`)).toBe('#0b5394')
    await foreground.fill('#a3343f')
    await expect.poll(() => darkOf(`/links/${id}/qr-look`)).toBe('#a3343f')
    expect(await darkOf('/qr-look')).toBe('#0b5394')
    await expectAccessible(page)

    await open(`/links/${another.id}`)
    await expect.poll(source).toContain('#0b5394')
    await open(`/links/${id}`)
    await expect.poll(source).toContain('#a3343f')
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByRole('switch', { name: 'Only for this link' }).click()
    await expect.poll(source).toContain('#0b5394')
    expect(await foreground.inputValue()).toBe('#0b5394')
  })

  it('keeps what is typed while the switch is on its way, for this link alone', async () => {
    const { page, server, id } = await openCode()
    const darkOf = async (path: string) => (await server.api('GET', path)).body.data.dark
    const foreground = page.getByLabel('Foreground', { exact: true })
    await page.getByRole('button', { name: 'Customise' }).click()
    const typed = Promise.withResolvers<void>()
    await page.route('**/qr-look', async route => {
      await typed.promise
      await route.continue()
    })
    const underWay = page.waitForRequest('**/qr-look')
    await page.getByRole('switch', { name: 'Only for this link' }).click()
    await underWay
    await foreground.fill('#a3343f')
    typed.resolve()
    await expect.poll(() => darkOf(`/links/${id}/qr-look`)).toBe('#a3343f')
    await page.waitForLoadState('networkidle')
    expect(await foreground.inputValue()).toBe('#a3343f')
    expect(await darkOf(`/links/${id}/qr-look`)).toBe('#a3343f')
    expect(await darkOf('/qr-look')).toBe('#000000')
  })

  it('is not changed over the head of another tab', async () => {
    const { page, server, id } = await openCode()
    const other = await page.context().newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Customise' }).click()
    const look = async () => (await server.api('GET', `/links/${id}/qr-look`)).body.data
    await other.getByLabel('Foreground', { exact: true }).fill('#a3343f')
    await expect.poll(async () => (await look()).dark).toBe('#a3343f')
    await page.getByLabel('Background', { exact: true }).fill('#fff8dc')
    await page
      .getByRole('alert')
      .getByText(/changed/)
      .waitFor()
    const shown = page.getByLabel('Foreground', { exact: true })
    await expect.poll(() => shown.inputValue()).toBe('#a3343f')
    expect(await look()).toMatchObject({ dark: '#a3343f', light: '#FFFFFF' })
    await page.getByLabel('Background', { exact: true }).fill('#fff8dc')
    await expect.poll(look).toMatchObject({ dark: '#a3343f', light: '#fff8dc' })
    await other.close()
  })

  it('has the logo of the instance in its middle, once an admin gave one', async () => {
    const { page, server, open, id } = await openCode()
    await putLogo(page)
    await page.getByText('Neither you nor this instance has a logo').waitFor()

    const logo = join(temporaryFolder(), 'logo.png')
    writeFileSync(logo, PNG.sync.write(new PNG({ width: 16, height: 16 })))
    const path = '/admin/plugins/analytics.visitsFromQrCodesTracking'
    expect((await server.api('PATCH', path, { settings: { logo } })).status).toBe(200)
    await open(`/links/${id}`)
    await putLogo(page)
    const image = page.getByRole('img', { name: /^QR code/ })
    await expect.poll(() => image.getAttribute('src')).toContain(encodeURIComponent('<image'))
  })

  it('takes no file that is no image', async () => {
    const { page } = await openCode()
    await page.getByRole('button', { name: 'Customise' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload logo' }).click()
    const buffer = Buffer.from('no image')
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await page.getByText('Your browser cannot read this file as an image.').waitFor()
  })

  it('is printed with others on a sheet', async () => {
    const { page, server, open } = await openCode()
    for (const short_code of ['one', 'two', 'three']) await createLink(server, { short_code })
    await open('/links')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bar = page.getByRole('region', { name: 'Selected links' })
    await bar.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Print QR codes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Print 4 QR codes' })
    await dialog.getByText('Letter').click()
    await expectAccessible(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download PDF' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('qr-codes.pdf')
    const pdf = readFileSync(await file.path()).toString('latin1')
    expect(pdf).toMatch(/^%PDF-1\.5.*\/MediaBox \[0 0 612 792\].*%%EOF\n$/s)
  })

  it('warns of colours that no camera tells apart, and of what is too small', async () => {
    const { page } = await openCode()
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByLabel('Foreground', { exact: true }).fill('#ffff00')
    await page.getByText('Needs more contrast').waitFor()
    expect(await page.getByRole('button', { name: 'Download PNG' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByLabel('Size', { exact: true }).fill('64')
    await page.getByLabel('Margin', { exact: true }).fill('20')
    await page.getByText('Needs more contrast').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Download PNG' }).click()
    await page.getByText('smaller ones cannot be scanned').waitFor()
  })

  it('can be copied as an address, for whoever may read the link', async () => {
    const { page, server, id } = await openCode()
    await page.getByRole('button', { name: 'Copy image address' }).click()
    const address = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(address).toContain(`${server.url}/api/v1/links/${id}/qr?format=svg`)
    const { pathname, search } = new URL(address)
    const answer = await server.api('GET', pathname.replace('/api/v1', '') + search)
    expect(answer.headers.get('content-type')).toContain('image/svg+xml')
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
