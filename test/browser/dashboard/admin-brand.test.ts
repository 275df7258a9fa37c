import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { png } from '../../core/http/logos.ts'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink, type Instance } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" fill="#0a7cff"/></svg>`

/** A file with this name to upload. */
function file(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

async function choose(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Choose (another )?file$/ }).click()
  await (await chooser).setFiles(path)
}

const preview = (page: Page) => page.frameLocator('iframe')

/** The fill colour of an element in the preview. */
const groundOf = (page: Page, selector: string) =>
  page.evaluate(
    `getComputedStyle(document.querySelector('iframe').contentDocument.querySelector('${selector}')).backgroundColor`,
  )

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const brandOf = async (server: Instance) => (await server.api('GET', '/admin/brand')).body.data

describe.skipIf(!hasChromium)('the brand', () => {
  it('shows in the preview while it is typed, and to visitors once it is saved', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { short_code: 'secret', password: 'sesame' })
    await open('/admin/brand')
    await page.getByLabel('Name').fill('  Acme & Sons ')
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#0B3D91')
    await preview(page).locator('header', { hasText: 'Acme & Sons' }).waitFor()
    await expect.poll(() => groundOf(page, 'button')).toBe('rgb(11, 61, 145)')
    expect(await brandOf(server)).toEqual({ name: null, color: null, logo: null })

    await save(page)
    await page.getByText('Brand saved. Every page shows it now.').waitFor()
    expect(await brandOf(server)).toEqual({ name: 'Acme & Sons', color: '#0b3d91', logo: null })
    expect(await page.getByLabel('Name').inputValue()).toBe('Acme & Sons')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    const visitor = await page.context().newPage()
    await visitor.goto(`${server.url}/secret`)
    const shown = await preview(page).locator('main').innerText()
    expect(await visitor.locator('main').innerText()).toBe(shown)
    expect(await visitor.title()).toBe('This link is protected · Acme & Sons')
  })

  it('has a logo, which is chosen, changed and removed', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/brand')
    await choose(page, file('logo.svg', svg))
    await expect
      .poll(() => preview(page).locator('header img').getAttribute('src'))
      .toMatch(/^data:image\/svg\+xml;base64,/)
    await save(page)
    await page.getByText('Brand saved').waitFor()
    expect((await brandOf(server)).logo).toMatch(/^data:image\/svg\+xml;base64,/)

    await choose(page, file('logo.png', png))
    await save(page)
    await expect.poll(async () => (await brandOf(server)).logo).toMatch(/^data:image\/png;base64,/)
    await page.getByRole('button', { name: 'Remove logo' }).click()
    await preview(page).locator('header').waitFor({ state: 'detached' })
    await save(page)
    await expect.poll(async () => (await brandOf(server)).logo).toBeNull()
  })

  it('is previewed on both pages, in light and in dark', async () => {
    const { page, server, open } = await openDashboard({ colorScheme: 'light' })
    await server.api('PATCH', '/admin/brand', { name: 'Acme', color: '#ffd400' })
    await open('/admin/brand')
    const paper = () => groundOf(page, 'body')
    await preview(page).getByText('This link is protected').waitFor()
    expect(await paper()).toBe('rgb(247, 245, 240)')
    await page.getByText('Dark', { exact: true }).click()
    await expect.poll(paper).toBe('rgb(23, 25, 28)')
    await page.getByText('Not found', { exact: true }).click()
    await preview(page).getByText('No link here').waitFor()
    expect(await paper()).toBe('rgb(23, 25, 28)')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  })

  it('says what becomes of a colour that could not be read, as the API has it', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/brand')
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#0a7cff')
    const { body } = await server.api('POST', '/admin/brand/preview', { color: '#0a7cff' })
    expect(body.data.adjustments).toHaveLength(3)
    for (const { message } of body.data.adjustments) await page.getByText(message).waitFor()
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('')
    await page.getByText(body.data.adjustments[0].message).waitFor({ state: 'detached' })
  })

  it('is looked at live in a window of its own', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('PATCH', '/admin/brand', { name: 'Acme' })
    await open('/admin/brand')
    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'View live page (opens in a new tab)' }).click()
    const live = await opening
    await live.getByRole('heading', { name: 'No link here' }).waitFor()
    expect(await live.title()).toBe('No link here · Acme')
  })
})

describe.skipIf(!hasChromium)('what cannot be a brand', () => {
  it('is said at its field, and nothing is saved', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/brand')
    await page.getByLabel('Name').fill('x'.repeat(61))
    const color = page.getByRole('textbox', { name: 'Colour', exact: true })
    await color.fill('red')
    await save(page)
    await page.getByText('Must be a colour such as #0a7cff.').waitFor()
    await expect.poll(() => color.getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    expect(await brandOf(server)).toEqual({ name: null, color: null, logo: null })
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await color.inputValue()).toBe('')
    await page.getByText('Must be a colour such as #0a7cff.').waitFor({ state: 'detached' })
  })

  it.each([
    ['is no picture', 'logo.txt', 'A logo', 'Choose a PNG, WebP or SVG file of at most 64 KiB.'],
    ['is too large', 'logo.svg', `${svg}${' '.repeat(65_536)}`, 'Choose a PNG, WebP or SVG'],
    ['is not what it says', 'logo.png', svg, 'Must be a data URI of a PNG, WebP or SVG'],
  ])('as a logo that %s, is said at once', async (_, name, content, problem) => {
    const { page, open } = await openDashboard()
    await open('/admin/brand')
    await choose(page, file(name, content))
    const field = page.getByRole('group', { name: 'Logo' })
    await field.getByRole('alert').getByText(problem).waitFor()
    await choose(page, file('other.svg', svg))
    await field.getByRole('alert').waitFor({ state: 'detached' })
    await preview(page).locator('header img').waitFor()
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('in %s', colorScheme => {
  it('the page of the brand is open to everybody, and fits a phone', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ colorScheme, viewport })
    await server.api('PATCH', '/admin/brand', { color: '#0a7cff' })
    await open('/admin/brand')
    await choose(page, file('logo.svg', svg))
    await page.getByLabel('Name').fill('M'.repeat(60))
    await page.getByText('Unsaved changes', { exact: true }).waitFor()
    await preview(page).locator('header img').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('red')
    await page.getByText('Must be a colour').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})

describe.skipIf(!hasChromium)('the keyboard alone', () => {
  it('names the brand and turns the page of the preview, which is passed by', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/brand')
    await preview(page).getByText('This link is protected').waitFor()
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Acme')
    for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await preview(page).getByText('No link here').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Discard' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Brand saved').waitFor()
    expect((await brandOf(server)).name).toBe('Acme')
  })
})
