import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import {
  type DashboardOptions,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'

async function openPalette(options: DashboardOptions = {}) {
  const dashboard = await openDashboard(options)
  const { page, server, open } = dashboard
  await createLink(server, { short_code: 'berlin', title: 'Tickets' })
  await open('/links')
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: 'Search links, pages and actions' })
  await input.waitFor()
  const option = (name: string | RegExp) => page.getByRole('option', { name })
  return { ...dashboard, input, option }
}

describe.skipIf(!hasChromium)('the palette', () => {
  it('finds links by what is typed, and opens or copies them', async () => {
    const { page, server, input, option } = await openPalette({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.keyboard.type('tick')
    await option(/berlin/).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^Copied \S+\/berlin\.$/).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server.url}/berlin`)
    expect(await input.count()).toBe(0)

    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.keyboard.type(`${server.url}/berlin`)
    await option(/Tickets/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /berlin/ }).waitFor()
  })

  it('leads to pages by any of their words, with the arrow keys', async () => {
    const { page, input, option } = await openPalette()
    await page.keyboard.type('backups admin')
    await option('Admin: Backups').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await input.waitFor()
    await page.keyboard.press('ArrowUp')
    expect(await option('Sign out').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New link', level: 1 }).waitFor()
  })

  it('makes a link of an address, also from within an input', async () => {
    const { page, input } = await openPalette()
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'detached' })
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('example.com/x')
    await page.getByRole('option', { name: 'Create a link to example.com/x' }).click()
    await page.locator('input[name="original_url"][value="https://example.com/x"]').waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'is open to everybody in %s, and fits a phone',
    async colorScheme => {
      const { page, option } = await openPalette({ colorScheme })
      await expectAccessible(page)
      await page.keyboard.type('berlin')
      await option(/berlin/).waitFor()
      await expectAccessible(page)
      await page.keyboard.type(' and nothing else')
      await page.getByText('No results.').first().waitFor()
      await expectAccessible(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await expectToFit(page)
    },
  )
})

describe.skipIf(!hasChromium)('a question mark', () => {
  it('shows the keys, unless single keys are turned off', async () => {
    const { page, open } = await openDashboard()
    await open('/links')
    await page.keyboard.press('Shift+?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Show keyboard shortcuts').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.evaluate(`localStorage.setItem('linnet-shortcuts', 'false')`)
    await page.reload()
    await page.locator('main h1').waitFor()
    await page.keyboard.press('Shift+?')
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    expect(await dialog.count()).toBe(0)
  })
})

describe.skipIf(!hasChromium)('the bookmarklet', () => {
  it('opens the form filled in with the page that it is clicked on', async () => {
    const { page, server, open } = await openDashboard()
    await open('/settings')
    const anchor = page.getByRole('link', { name: 'Shorten with Linnet' })
    const script = String(await anchor.getAttribute('href'))
    await anchor.click()
    await page.getByText('click it there').waitFor()
    // A page of this very server, because no test contacts another.
    await open('/tags?a=1&b=2')
    const [form] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(script.replace(/^javascript:/, '')),
    ])
    await form.locator('main h1').waitFor()
    expect(await form.getByLabel('Original URL').inputValue()).toBe(
      `${server.url}/dashboard/tags?a=1&b=2`,
    )
  })
})

describe.skipIf(!hasChromium)('the app on a phone', () => {
  it('can be installed, and shares pages into the form', async () => {
    const { page, server } = await openDoor()
    await page.goto(`${server.url}/dashboard/sign-in`)
    const devtools = await page.context().newCDPSession(page)
    const { errors, data } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const manifest = JSON.parse(String(data))
    expect(manifest.share_target).toMatchObject({ action: '/dashboard/links/new', method: 'GET' })
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await page.request.get(`${server.url}/dashboard/${src}`)
      const content = await icon.body()
      const side = `${content.readUInt32BE(16)}x${content.readUInt32BE(20)}`
      expect([icon.headers()['content-type'], side]).toEqual([type, sizes])
    }
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // Some test browsers add that they keep nothing.
    const wrong = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')
    expect(wrong).toEqual([])
  })
})
