import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import { type Dashboard, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { addVerifiedDomain } from './verified.ts'

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Codes of the links that the list shows, from the top: read at once, for any may be gone the next moment. */
const codes = (page: Page) =>
  page.evaluate<string[]>(`Array.from(
    document.querySelectorAll('main li a[target]'),
    link => new URL(link.href).pathname.slice(1),
  )`)

interface Shown {
  readonly campaign: { readonly name: string } | null
  readonly tags: readonly object[]
}

interface Ending {
  readonly expiresAt: string | null
  readonly domain: string
}

async function withLinks(): Promise<Dashboard> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const dashboard = await openDashboard({ permissions, reducedMotion: 'reduce' })
  const { server } = dashboard
  const { body } = await server.api('POST', '/tags', { name: 'Print', color: '#e8590c' })
  const tag_ids = [body.data.id]
  await createLink(server, { short_code: 'berlin', title: 'Tickets for Berlin', tag_ids })
  await createLink(server, { short_code: 'press', title: 'Press kit' })
  await createLink(server, { short_code: 'autumn', title: 'Autumn offer', archived: true })
  return dashboard
}

describe.skipIf(!hasChromium)('the list of links', () => {
  it('finds by words, by status and by tag, and remembers it in its address', async () => {
    const { page, open } = await withLinks()
    await open('/links')
    await expect.poll(() => codes(page)).toEqual(['autumn', 'press', 'berlin'])

    await page.getByRole('searchbox').fill('kit')
    await expect.poll(() => codes(page)).toEqual(['press'])
    await page.reload()
    await expect.poll(() => codes(page)).toEqual(['press'])
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByRole('heading', { name: 'No links found' }).waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect.poll(() => codes(page)).toHaveLength(3)
    expect(await page.getByRole('searchbox').inputValue()).toBe('')

    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Archived' }).click()
    await expect.poll(() => codes(page)).toEqual(['autumn'])
    await open('/links')
    await page.getByRole('combobox', { name: 'Tag', exact: true }).click()
    await page.getByRole('option', { name: 'Print' }).click()
    await expect.poll(() => codes(page)).toEqual(['berlin'])
    await open('/links')
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Short code' }).click()
    await expect.poll(() => codes(page)).toEqual(['autumn', 'berlin', 'press'])
  })

  it('opens a link by its title, and has in its menu what one mostly wants', async () => {
    const { page, server, open } = await withLinks()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for Press kit' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await open('/links')
    await choose('Copy')
    await page.getByText(/^Copied .*\/press\.$/).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server.url}/press`)
    await choose('QR code')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: /^QR code that leads to/ }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await choose('Duplicate')
    await page.getByRole('heading', { name: 'New link', level: 1 }).waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Press kit')
    await open('/links')
    await page.getByRole('link', { name: 'Press kit' }).click()
    await page.getByRole('heading', { level: 1, name: '/press' }).waitFor()
  })

  it('is as long as one likes, and any page of it is a number away', async () => {
    const { page, server, open } = await openDashboard()
    const links = Array.from({ length: 60 }, (_, n) => ({
      original_url: `https://example.com/${n}`,
    }))
    await server.api('POST', '/links/bulk', { links })
    await open('/links')
    const input = page.getByRole('textbox', { name: 'Page', exact: true })
    await page.getByText('of 3').waitFor()
    await input.fill('3')
    await page.keyboard.press('Enter')
    await page.getByText('51–60 of 60').first().waitFor()
    await input.fill('99')
    await page.keyboard.press('Enter')
    await expect.poll(() => input.inputValue()).toBe('3')
    await page.getByRole('combobox', { name: 'Links per page' }).click()
    await page.getByRole('option', { name: '100 per page' }).click()
    await expect.poll(() => codes(page)).toHaveLength(60)
    await page.reload()
    await expect.poll(() => codes(page)).toHaveLength(60)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
  })

  it('gives the focus back to the menu of a link that is not deleted after all', async () => {
    const { page, open } = await withLinks()
    await open('/links')
    await page.getByRole('button', { name: 'Actions for Press kit' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete this link?' }).waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: 'Actions for Press kit' })
      .and(page.locator(':focus'))
      .waitFor()
    expect(await codes(page)).toHaveLength(3)
  })

  it('finds by domain, where the account has one', async () => {
    const { page, server, open } = await withLinks()
    await open('/links')
    const domain = page.getByRole('combobox', { name: 'Domain', exact: true })
    await row(page, 'Press kit').waitFor()
    expect(await domain.count()).toBe(0)

    await addVerifiedDomain(server, 'go.example.invalid')
    await createLink(server, { short_code: 'shop', domain: 'go.example.invalid' })
    await open('/links')
    await domain.click()
    await page.getByRole('option', { name: 'go.example.invalid' }).click()
    await expect.poll(() => codes(page)).toEqual(['shop'])
    await page.reload()
    await expect.poll(() => codes(page)).toEqual(['shop'])
    await domain.click()
    await page.getByRole('option', { name: new URL(server.url).host }).click()
    await expect.poll(() => codes(page)).toEqual(['autumn', 'press', 'berlin'])
  })

  it('copies a short URL', async () => {
    const { page, server, open } = await withLinks()
    await open('/links')
    await row(page, 'Press kit').getByRole('button', { name: /^Copy/ }).click()
    await row(page, 'Press kit').getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server.url}/press`)
  })

  it('copies where scripts have no clipboard, as over plain http', async () => {
    const { page, server, open } = await withLinks()
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await open('/links')
    await row(page, 'Press kit').getByRole('button', { name: /^Copy/ }).click()
    await row(page, 'Press kit').getByRole('button', { name: 'Copied' }).waitFor()
    const search = page.getByRole('searchbox')
    await search.focus()
    await page.keyboard.press('Control+V')
    await expect.poll(() => search.inputValue()).toBe(`${server.url}/press`)
  })

  it('goes from page to page', async () => {
    const { page, server, open } = await openDashboard()
    const links = Array.from({ length: 26 }, (_, index) => ({
      original_url: `https://example.com/${index}`,
      short_code: `link-${index}`,
    }))
    await server.api('POST', '/links/bulk', { links })
    await open('/links?sort=created_at')
    await expect.poll(() => codes(page)).toHaveLength(25)
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => codes(page)).toEqual(['link-25'])
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect.poll(() => codes(page)).toHaveLength(25)
    await open('/links?sort=created_at&page=99')
    await expect.poll(() => codes(page)).toEqual(['link-25'])
  })

  it('puts what is selected into a campaign and out again, and takes tags off', async () => {
    const { page, server, open } = await withLinks()
    await server.api('POST', '/campaigns', { name: 'Spring' })
    await open('/links')
    const choose = async (button: string, item: string) => {
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const all = async () => (await server.api('GET', '/links')).body.data
    await choose('Campaign', 'Spring')
    await page.getByText('3 links added to the campaign.').waitFor()
    expect(new Set((await all()).map((it: Shown) => it.campaign?.name))).toEqual(
      new Set(['Spring']),
    )
    await choose('Campaign', 'None')
    await page.getByText('3 links removed from their campaigns.').waitFor()
    expect((await all()).filter((it: Shown) => it.campaign)).toEqual([])
    await choose('Tags', 'Remove tag Print')
    await page.getByText('Tag removed from 3 links.').waitFor()
    expect((await all()).flatMap((it: Shown) => it.tags)).toEqual([])
  })

  it('tags, archives and deletes what is selected', async () => {
    const { page, server, open } = await withLinks()
    await open('/links')
    await page.getByRole('checkbox', { name: 'Select Press kit' }).check()
    await page.getByRole('checkbox', { name: 'Select Tickets for Berlin' }).check()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add tag Print' }).click()
    await page.getByText('Tag added to 2 links.').waitFor()
    await row(page, 'Press kit').getByText('Print').waitFor()

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('3 links archived.').waitFor()
    await expect.poll(() => page.getByRole('listitem').getByText('Archived').count()).toBe(3)

    await page.getByRole('checkbox', { name: 'Select Press kit' }).check()
    const selection = page.getByRole('region', { name: 'Selected links' })
    await selection.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await server.get('/press')).status).toBe(302)
    await selection.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => codes(page)).toEqual(['autumn', 'berlin'])
    expect((await server.get('/press')).status).toBe(404)
  })

  it.each(['CSV', 'JSON'])('saves those that are selected as %s', async format => {
    const { page, open } = await withLinks()
    await open('/links')
    for (const name of ['Press kit', 'Tickets for Berlin']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    }
    const selection = page.getByRole('region', { name: 'Selected links' })
    await selection.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: `Export as ${format}` }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^links-.*\.(csv|json)$/)
    const text = readFileSync(await file.path(), 'utf8')
    expect(['berlin', 'press', 'autumn'].filter(code => text.includes(`/${code}`))).toEqual([
      ...['berlin', 'press'],
    ])
    if (format === 'JSON') expect(JSON.parse(text)).toHaveLength(2)
  })

  it('opens a link by a click anywhere in its row, but for what is a button there', async () => {
    const { page, open } = await withLinks()
    await open('/links')
    await page.getByRole('checkbox', { name: 'Select Press kit' }).click()
    await page.getByRole('button', { name: 'Actions for Press kit' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByText('Link archived.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/links')
    await row(page, 'Press kit').locator('time').click()
    await page.getByRole('heading', { level: 1, name: '/press' }).waitFor()
  })

  it('changes all links that a search finds, on every page, and takes it back', async () => {
    const { page, server, open } = await withLinks()
    for (const from of [0, 100]) {
      const links = Array.from({ length: from === 0 ? 100 : 20 }, (_, n) => ({
        original_url: `https://example.com/sale/${from + n}`,
        archived: n === 7,
      }))
      await server.api('POST', '/links/bulk', { links })
    }
    const archived = async () => (await server.api('GET', '/links?archived=true')).body.meta.total
    expect(await archived()).toBe(3)
    await open('/links?q=sale')
    await page.getByText('1–25 of 120').first().waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByText('25 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 120' }).click()
    await page.getByText('120 selected').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('26–50 of 120').first().waitFor()
    await page.getByText('120 selected').waitFor()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('120 links archived.').waitFor()
    expect(await archived()).toBe(121)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Change of 120 links undone.').waitFor()
    expect(await archived()).toBe(3)
  })

  it('saves a search for the account, and deletes it', async () => {
    const { page, server, open } = await withLinks()
    await open('/links?q=kit&sort=title')
    const menu = () => page.getByRole('button', { name: 'Saved searches' }).click()
    await menu()
    await page.getByRole('menuitem', { name: 'Save this search' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Press')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Search saved as Press.').waitFor()
    const { body } = await server.api('GET', '/saved-searches')
    expect(body.data).toMatchObject([{ name: 'Press', query: 'search=kit&sort=title' }])

    await open('/links')
    await expect.poll(() => codes(page)).toHaveLength(3)
    await menu()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Press', exact: true }).click()
    await expect.poll(() => codes(page)).toEqual(['press'])
    expect(await page.getByRole('searchbox').inputValue()).toBe('kit')
    await menu()
    await page.getByRole('menuitem', { name: 'Delete Press' }).click()
    await page.getByText('Search Press deleted.').waitFor()
    expect((await server.api('GET', '/saved-searches')).body.data).toEqual([])
  })

  it('shows as much of a link as one likes, and remembers it', async () => {
    const { page, open } = await withLinks()
    await open('/links')
    const berlin = row(page, 'Tickets for Berlin')
    await berlin.getByText('Print').waitFor()
    const height = async () => (await berlin.boundingBox())?.height ?? 0
    const before = await height()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Tags and campaign' }).click()
    await berlin.getByText('Print').waitFor({ state: 'detached' })
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
    await expect.poll(height).toBeLessThan(before)
    await expectAccessible(page)
    await page.reload()
    await row(page, 'Tickets for Berlin').waitFor()
    expect(await berlin.getByText('Print').count()).toBe(0)
    for (const width of [360, 820, 1600]) {
      await page.setViewportSize({ width, height: 800 })
      await expectToFit(page)
    }
  })

  it('sets when links end, and moves them to another domain', async () => {
    const { page, server, open } = await withLinks()
    await addVerifiedDomain(server, 'go.example.invalid')
    await open('/links')
    const all = async (of: (link: Ending) => unknown) =>
      new Set((await server.api('GET', '/links')).body.data.map(of))
    const select = () => page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await select()
    await page.getByRole('button', { name: 'Expiry' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '7 days' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The end of 3 links is set.').waitFor()
    expect([...(await all(it => it.expiresAt !== null))]).toEqual([true])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Change of 3 links undone.').waitFor()
    expect([...(await all(it => it.expiresAt))]).toEqual([null])

    await select()
    await page
      .getByRole('region', { name: 'Selected links' })
      .getByRole('button', { name: 'Domain' })
      .click()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('3 links moved.').waitFor()
    expect([...(await all(it => it.domain))]).toEqual(['go.example.invalid'])

    await page.getByRole('button', { name: 'Actions for Press kit' }).click()
    await page.getByRole('menuitem', { name: 'Move to another domain' }).click()
    await dialog.getByRole('combobox', { name: 'Domain' }).click()
    await page.getByRole('option', { name: new URL(server.url).host }).click()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('Link moved.').waitFor()
    expect(await all(it => it.domain)).toEqual(
      new Set(['go.example.invalid', new URL(server.url).host]),
    )
  })
})

describe.skipIf(!hasChromium)('with every other plugin off', () => {
  it('links are made, found and deleted all the same', async () => {
    const { page, open } = await openDashboard({
      server: await startLinnet({ plugins: ['dashboard.web'] }),
    })
    await open('/links')
    await page.getByLabel('Original URL').fill('https://example.com/plain')
    await page.keyboard.press('Enter')
    await page.getByText('is ready.').waitFor()
    await page.getByRole('link', { name: 'Show all links' }).click()
    await row(page, 'example.com/plain').waitFor()
    await page.getByRole('searchbox').fill('plain')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const selection = page.getByRole('region', { name: 'Selected links' })
    await selection.getByRole('button', { name: 'Delete' }).waitFor()
    expect(await selection.getByRole('button').allTextContents()).toEqual([
      'Export',
      'Archive',
      'Delete',
      '',
    ])
    await selection.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No links found' }).waitFor()
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect(await places.allTextContents()).toEqual(['Links', 'Analytics', 'Settings', 'Admin'])
  })
})

describe.skipIf(!hasChromium)('the keyboard alone', () => {
  it('skips the navigation, searches and creates', async () => {
    const { page, server, open } = await withLinks()
    await open('/links')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')

    await page.keyboard.press('/')
    await page.keyboard.type('press')
    await expect.poll(() => codes(page)).toEqual(['press'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New link' }).waitFor()
    await page.keyboard.type('https://example.com/typed')
    await page.keyboard.press('Enter')
    await page.getByText('is ready.').waitFor()
    await page.getByRole('link', { name: 'Show all links' }).click()
    await row(page, 'example.com/typed').waitFor()
    const { body } = await server.api('GET', '/links?search=typed')
    expect(body.meta.total).toBe(1)
  })

  it('has no single keys for who turns them off', async () => {
    const { page, open } = await withLinks()
    await open('/links')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Keyboard shortcuts' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.keyboard.press('/')
    expect(new URL(page.url()).pathname).toBe('/dashboard/links')
    expect(await page.evaluate('document.activeElement.type')).not.toBe('search')
  })
})
