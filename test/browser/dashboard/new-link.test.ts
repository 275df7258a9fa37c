import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import { type DashboardOptions, expectAccessible, openDashboard } from './dashboard.ts'

const make = (page: Page) => page.getByRole('button', { name: 'Create link' }).click()

const withClipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

async function openNewLink(options: DashboardOptions = {}) {
  const dashboard = await openDashboard(options)
  await dashboard.open('/links/new')
  await dashboard.page.getByLabel('Original URL').fill('https://example.com/tickets')
  const keys: (string | undefined)[] = []
  dashboard.page.on('request', request => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key'])
  })
  const links = async () => (await dashboard.server.api('GET', '/links')).body.data
  return { ...dashboard, keys, links }
}

describe.skipIf(!hasChromium)('a new link', () => {
  itAtNight.each(['taken', 'api'])(
    'whose code cannot be had, as %j, is made with another',
    async code => {
      const { page, server, keys } = await openNewLink()
      await createLink(server, { short_code: 'taken' })
      await page.getByLabel('Short code').fill(code)
      await make(page)
      await page.locator('[aria-invalid="true"]').waitFor()
      await page.getByLabel('Short code').fill('tickets')
      await make(page)
      await page.getByText('/tickets is ready.').waitFor()
      expect((await server.get('/tickets')).status).toBe(302)
      expect(new Set(keys).size).toBe(2)
    },
  )

  itAtNight('leads to a mail address, where the operator allows that', async () => {
    const server = await startLinnet({ targetSchemes: ['mailto', 'tel'] })
    const { page, links } = await openNewLink({ server })
    const address = page.getByLabel('Original URL')
    await address.fill('javascript:alert(1)')
    await make(page)
    const said = page.getByText('The URL must begin with http://, https://, mailto: or tel:.')
    await said.waitFor()
    await address.fill('MAILTO:ada@example.org?subject=A%20<b>')
    await make(page)
    await page.getByText('is ready.').waitFor()
    await page.getByText('mailto:ada@example.org?subject=A%20%3Cb%3E').waitFor()
    expect(await page.locator('a[href^="mailto:"]').count()).toBe(0)
    const [link] = await links()
    const followed = await server.get(`/${link.shortCode}`)
    expect(followed.headers.get('location')).toBe('mailto:ada@example.org?subject=A%20%3Cb%3E')
  })

  itAtNight('is made once when its answer was lost and it is sent again', async () => {
    const { page, complaints, keys, links } = await openNewLink()
    await page.route(
      '**/api/v1/links',
      async route => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await make(page)
    await page.getByText('The server does not answer.').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
    await make(page)
    await page.getByText('is ready.').waitFor()
    expect(await links()).toHaveLength(1)
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })
})

describe.skipIf(!hasChromium)('a link that was just made', () => {
  it('is on the clipboard and shown with its QR code, and another one is a key away', async () => {
    const { page, server } = await openNewLink(withClipboard)
    await page.getByLabel('Short code').fill('tickets')
    await page.getByText('Available.').waitFor()
    await make(page)
    await page.getByText('/tickets is ready. Copied to the clipboard.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server.url}/tickets`)
    await page.getByRole('img', { name: /^QR code that leads to/ }).waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Create another' }).click()
    await page.locator('input[name="original_url"]:focus').waitFor()
    expect(await page.getByLabel('Original URL').inputValue()).toBe('')
  })
})
