import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { admin, createLink, type Instance } from '../../e2e/server.ts'
import { hasChromium, launchChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const host = 'vps.example.org'
const hint = (server: Instance) =>
  `Short URLs begin with ${server.url} and work on the server itself only. ` +
  `Set LINNET_BASE_URL to the address that visitors use, such as ${elsewhere(server)}, and restart Linnet.`

const elsewhere = ({ url }: Instance) => url.replace('127.0.0.1', host)

describe.skipIf(!hasChromium)('short URLs that nobody else can open', () => {
  itAtNight(
    'are said to admins who come from another machine, in the list and in the form of a new link',
    async () => {
      const server = await startLinnet()
      await createLink(server, { title: 'Tickets' })
      const page = await openElsewhere(server)
      await page.getByText(hint(server)).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'New link' }).click()
      await page.getByLabel('Original URL').waitFor()
      expect(await page.getByText(hint(server)).count()).toBe(1)
      await page.setViewportSize({ width: 360, height: 740 })
      await expectToFit(page)
      await expectAccessible(page)
    },
  )

  itAtNight('are not mentioned on the machine itself', async () => {
    const { page, open } = await openDashboard()
    await open('/links/new')
    await page.getByLabel('Original URL').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText('LINNET_BASE_URL').count()).toBe(0)
  })
})

/** Opens the list of links as somebody does who knows the server by another name. */
async function openElsewhere(server: Instance): Promise<Page> {
  const browser = await launchChromium([`--host-resolver-rules=MAP ${host} 127.0.0.1`])
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ locale: 'en-GB' })
  await page.goto(`${elsewhere(server)}/dashboard/sign-in`)
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor()
  return page
}
