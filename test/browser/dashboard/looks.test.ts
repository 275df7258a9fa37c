import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import { expectAccessible, expectToFit, openDashboard, openDoor } from './dashboard.ts'
import { visit } from './visit.ts'

describe.skipIf(!hasChromium)('in light and dark', () => {
  it('the door is open to everybody', async () => {
    const { page, open } = await openDoor({ server: await startLinnet({ admin: false }) })
    await open('/set-up')
    await expectAccessible(page)
  })

  it('the list of links is, with all that opens from it', async () => {
    const { page, server, open } = await openDashboard()
    await open('/links')
    await page.getByRole('heading', { name: 'Create your first link' }).waitFor()
    await expectAccessible(page)

    const { body } = await server.api('POST', '/tags', { name: 'Print', color: '#e8590c' })
    const tag_ids = [body.data.id]
    await createLink(server, {
      title: 'Tickets',
      tag_ids,
      password: 'sesame',
      short_code: 'tickets',
    })
    await createLink(server, { title: 'Later', starts_at: '2099-01-01T00:00:00Z' })
    await createLink(server, { title: 'Gone', archived: true })
    await open('/links')
    await page.getByRole('checkbox', { name: 'Select Tickets' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Actions for Tickets' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText('Appearance').waitFor()
    await expectAccessible(page)
  })

  it('everything fits a phone', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ viewport })
    await createLink(server, {
      title: 'W'.repeat(200),
      original_url: `https://example.com/${'long'.repeat(100)}`,
      short_code: 'a'.repeat(64),
    })
    await open('/links')
    await page.getByRole('checkbox').nth(1).check()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('link', { name: 'Tags' }).click()
    await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectToFit(page)
  })
})

describe.skipIf(!hasChromium)('the list of links', () => {
  it('leaves short codes their room on a tablet', async () => {
    const { page, server, open } = await openDashboard({ viewport: { width: 820, height: 1000 } })
    const names = ['Newsletter', 'Partners', 'Social']
    const tags = await Promise.all(names.map(name => server.api('POST', '/tags', { name })))
    const tag_ids = tags.map(({ body }) => body.data.id)
    await createLink(server, { short_code: 'tickets', title: 'Tickets for Berlin', tag_ids })
    await open('/links')
    await page.getByText('/tickets', { exact: true }).waitFor()
    const cutOff = await page.evaluate(`Array.from(
      document.querySelectorAll('main li a[target] > :last-child'),
      code => code.scrollWidth - code.clientWidth,
    )`)
    expect(cutOff).toEqual([0])
    await expectToFit(page)
  })

  it('begins at once on a phone, where filters are a tap away and those chosen are counted', async () => {
    const { page, server, open } = await openDashboard({ viewport: { width: 360, height: 740 } })
    await createLink(server)
    await open('/links')
    const status = page.getByRole('combobox', { name: 'Status' })
    expect(await status.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters', expanded: false }).click()
    await status.click()
    await page.getByRole('option', { name: 'Active' }).click()
    await page.getByRole('button', { name: 'Filters (1)', expanded: true }).click()
    await status.waitFor({ state: 'hidden' })
    await page.getByText('1–1 of 1').waitFor()
    await expectAccessible(page)
  })

  it('keeps in sight what can be done to those selected', async () => {
    const height = 740
    const { page, server, open } = await openDashboard({ viewport: { width: 360, height } })
    const links = Array.from({ length: 20 }, (_, index) => ({
      title: `Link ${index}`,
      original_url: 'https://example.com/',
    }))
    await server.api('POST', '/links/bulk', { links })
    await open('/links')
    await page.getByRole('checkbox').last().check()
    const box = await page.getByRole('button', { name: 'Archive' }).boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect(box?.y).toBeLessThan(height)
  })
})

describe.skipIf(!hasChromium)('light and dark', () => {
  it('follow the system until somebody chooses, and then stay', async () => {
    const { page, open } = await openDashboard({ colorScheme: 'dark' })
    const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme')
    await open('/links')
    expect(await scheme()).toBe('dark')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText('Light', { exact: true }).click()
    await expect.poll(scheme).toBe('light')
    await page.reload()
    await expect.poll(scheme).toBe('light')
  })
})

describe.skipIf(!hasChromium)('where people choose all colours', () => {
  it('the page one is on, switches and lines of the chart can be told apart', async () => {
    const { page, server, open } = await openDashboard()
    const { shortCode } = await createLink(server)
    await visit(server, shortCode)
    await page.emulateMedia({ forcedColors: 'active' })
    await open('/analytics')
    const styleOf = (selector: string, property: string, pseudo = '') =>
      page.evaluate(
        `getComputedStyle(document.querySelector('${selector}'), '${pseudo}')['${property}']`,
      )
    expect(await styleOf('nav a[aria-current]', 'outlineStyle')).toBe('solid')
    expect(await styleOf('nav a:not([aria-current])', 'outlineStyle')).toBe('none')
    expect(await styleOf('.mantine-Switch-track', 'borderTopStyle')).toBe('solid')
    await page.locator('li[data-line="beside"]').waitFor()
    const colorOf = (line: string) =>
      styleOf(`li[data-line="${line}"]`, 'borderTopColor', '::before')
    expect(await colorOf('beside')).not.toBe(await colorOf('now'))
  })
})
