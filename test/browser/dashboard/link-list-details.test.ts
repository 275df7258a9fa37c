import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { codes, copyIn, row, withLinks } from './link-list.ts'
import { addVerifiedDomain } from './verified.ts'

interface Shown {
  readonly campaign: { readonly name: string } | null
  readonly tags: readonly object[]
}

interface Ending {
  readonly expiresAt: string | null
  readonly domain: string
}

describe.skipIf(!hasChromium)('the list of links', () => {
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

  it('copies where scripts have no clipboard, as over plain http', async () => {
    const { page, server, open } = await withLinks()
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await open('/links')
    await copyIn(page, 'Press kit')
    const search = page.getByRole('searchbox')
    await search.focus()
    await page.keyboard.press('Control+V')
    await expect.poll(() => search.inputValue()).toBe(`${server.url}/press`)
  })
})
