import { describe, expect, it } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import { expectAccessible, openDashboard } from './dashboard.ts'
import { codes, copyIn, row, withLinks } from './link-list.ts'

describe.skipIf(!hasChromium)('the list of links', () => {
  it('finds by words, by status and by tag, and remembers it in its address', async () => {
    const { page, open, server } = await withLinks()
    await open('/links')
    await expect.poll(() => codes(page)).toEqual(['autumn', 'press', 'berlin'])

    await page.getByRole('searchbox').fill('kit')
    await expect.poll(() => codes(page)).toEqual(['press'])
    await page.reload()
    await expect.poll(() => codes(page)).toEqual(['press'])
    await createLink(server, { short_code: 'press-2' })
    await page.getByRole('searchbox').fill('press')
    await expect.poll(() => codes(page)).toEqual(['press', 'press-2'])
    await page.getByRole('searchbox').fill('pres')
    await expect.poll(() => codes(page)).toEqual(['press-2', 'press'])
    await server.api(
      'DELETE',
      `/links/${(await server.api('GET', '/links?short_code=press-2')).body.data[0].id}`,
    )
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

  itAtNight('opens a link by its title, and has in its menu what one mostly wants', async () => {
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

  itAtNight('copies a short URL', async () => {
    const { page, server, open } = await withLinks()
    await open('/links')
    await copyIn(page, 'Press kit')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server.url}/press`)
  })

  itAtNight('goes from page to page', async () => {
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

  itAtNight('tags, archives and deletes what is selected', async () => {
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
    const told = page.getByRole('alert').filter({ hasText: 'Link deleted.' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => codes(page)).toEqual(['autumn', 'press', 'berlin'])
    expect((await server.get('/press')).status).toBe(302)
  })

  itAtNight(
    'restores a deleted link from the menu of the list, or deletes it for good',
    async () => {
      const { page, server, open } = await withLinks()
      const { body } = await server.api('GET', '/links')
      for (const { id, shortCode } of body.data) {
        if (shortCode !== 'autumn') await server.api('DELETE', `/links/${id}`)
      }
      await open('/links')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Deleted links' }).click()
      const dialog = page.getByRole('dialog', { name: 'Deleted links' })
      await dialog.getByText('Press kit').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Restore /press' }).click()
      await page.getByText('Link /press restored.').waitFor()
      await dialog.getByText('Press kit').waitFor({ state: 'detached' })
      expect((await server.get('/press')).status).toBe(302)
      await dialog.getByRole('button', { name: 'Actions for /berlin' }).click()
      await page.getByRole('menuitem', { name: 'Delete for good' }).click()
      const question = page.getByRole('dialog', { name: /^Delete this link for good/ })
      await question.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByText('There are no deleted links that can be restored.').waitFor()
      expect((await server.api('GET', '/links/deleted')).body.meta.total).toBe(0)
      await page.keyboard.press('Escape')
      await expect.poll(() => codes(page)).toEqual(['autumn', 'press'])
    },
  )
})

describe.skipIf(!hasChromium)('with every other plugin off', () => {
  itAtNight('links are made, found and deleted all the same', async () => {
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
    // What is typed becomes the address a moment later, which would take the place of the next page.
    await page.waitForURL(/\?q=press$/)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'New link' }).waitFor()
    const isInField = "document.activeElement.matches('input')"
    await expect.poll(() => page.evaluate(isInField)).toBe(true)
    await page.keyboard.type('https://example.com/typed')
    await page.keyboard.press('Enter')
    await page.getByText('is ready.').waitFor()
    await page.getByRole('link', { name: 'Show all links' }).click()
    await row(page, 'example.com/typed').waitFor()
    const { body } = await server.api('GET', '/links?search=typed')
    expect(body.meta.total).toBe(1)
  })
})
