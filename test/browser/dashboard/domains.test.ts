import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { addVerifiedDomain } from './verified.ts'

const card = (page: Page, host: string) => page.getByRole('article', { name: host })

async function choose(page: Page, host: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${host}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.skipIf(!hasChromium)('the domains', () => {
  it('are added with what proves them, led elsewhere and deleted', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, server, open } = await openDashboard({ permissions })
    await open('/domains')
    await page.getByRole('heading', { name: 'Use your own domain' }).waitFor()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByLabel('Domain name').fill('go.example.invalid/path')
    await page.keyboard.press('Enter')
    await page.getByText('Must be a host only').waitFor()
    await page.getByLabel('Domain name').fill('https://Go.Example.invalid/')
    await page.keyboard.press('Enter')
    await card(page, 'go.example.invalid').getByText('Not verified').waitFor()

    const [made] = (await server.api('GET', '/domains')).body.data
    const copied = [made.verification.dns.name, made.verification.text, made.verification.file.url]
    for (const [index, name] of ['Name', 'Value', 'URL of the file'].entries()) {
      await page.getByRole('button', { name: `Copy ${name}` }).click()
      const clipboard = () => page.evaluate('navigator.clipboard.readText()')
      await expect.poll(clipboard).toBe(copied[index])
    }

    await choose(page, 'go.example.invalid', 'Edit domain')
    await page.getByLabel('Front page').fill('https://go.example.invalid/')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The URL leads back to this link shortener.').waitFor()
    await page.getByLabel('Front page').fill('https://example.org/home')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Front page: https://example.org/home').waitFor()
    expect((await server.api('GET', `/domains/${made.id}`)).body.data.rootUrl).toBe(
      'https://example.org/home',
    )
    await choose(page, 'go.example.invalid', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Use your own domain' }).waitFor()
  })

  it('are shared by an admin, and chosen for a link', async () => {
    const { page, server, open } = await openDashboard()
    await open('/')
    await page.getByRole('link', { name: 'Shared domains' }).click()
    await page.getByLabel('Host').fill('go.example.com')
    await page.getByLabel('Plans').fill('unlimited')
    await page.getByRole('button', { name: 'Share this domain' }).click()
    await page.getByRole('cell', { name: 'go.example.com', exact: true }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await open('/links/new')
    await page.getByLabel('Original URL').fill('https://example.com/')
    await page.getByRole('combobox', { name: 'Domain' }).click()
    await page.getByRole('option', { name: 'go.example.com' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await expect
      .poll(async () => (await server.api('GET', '/links')).body.data[0]?.domain)
      .toBe('go.example.com')
    expect((await server.api('GET', '/admin/domains')).body.data).toMatchObject([
      { plans: ['unlimited'], linksCount: 1, accountsCount: 1 },
    ])
  })

  it('say where no proof was found', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('POST', '/domains', { host: 'go.example.invalid' })
    await open('/domains')
    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByRole('alert').getByText('Neither the TXT records of').waitFor()
  })

  it('stay while links are on them, which is said', async () => {
    const { page, server, open } = await openDashboard()
    const host = 'go.example.invalid'
    await addVerifiedDomain(server, host)
    await open('/domains')
    await card(page, host).getByText('Verified', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Verify now' }).count()).toBe(0)

    // Another user creates a link on the domain while this page shows none.
    const original_url = 'https://example.com/'
    await server.api('POST', '/links', { original_url, domain: host })
    await choose(page, host, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Links on this domain: 1.').waitFor()
    await card(page, host).getByText('1 link', { exact: true }).waitFor()
    await page.getByRole('button', { name: `Actions for ${host}` }).click()
    await page.getByText('One link is on this domain.').waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete' }).isDisabled()).toBe(true)
  })

  it('are shown as not in the plan', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('PATCH', '/admin/plans/unlimited', {
      extensions: { 'organization.customDomains': false },
    })
    await open('/domains')
    await page.getByText('Your plan does not include this.').waitFor()
    expect(await page.getByRole('button', { name: 'Add domain' }).isDisabled()).toBe(true)
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('domains in %s', colorScheme => {
  it('are open to everybody, on a phone too', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ colorScheme, viewport })
    const host = `${'long.'.repeat(40)}example.invalid`
    const root_url = `https://example.com/${'w'.repeat(300)}`
    await server.api('POST', '/domains', { host, root_url })
    await addVerifiedDomain(server, 'go.example.invalid')
    await open('/domains')
    await card(page, host).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByLabel('Domain name').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})
