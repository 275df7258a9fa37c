import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { dialogOf, endSession, lookAgain } from './ended-session.ts'
import { addAuthenticator } from './signing-in.ts'

/** A browser of the admin, whose device has a passkey of theirs. */
async function openWithPasskey() {
  // No passkey is made for an IP address.
  const here = await serve({ env: { LINNET_BASE_URL: 'http://localhost:0' } })
  const server = { ...here, url: here.url.replace('127.0.0.1', 'localhost') }
  const viewport = { width: 360, height: 740 }
  const { page, open } = await openDashboard({ server, viewport })
  const device = await addAuthenticator(page)
  await open('/settings')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await panel.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  const keys = page.getByRole('region', { name: 'Your passkeys' })
  await keys.getByText('Without the password').waitFor()
  return { page, open, device }
}

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

describe.skipIf(!hasChromium)('a passkey alone', () => {
  itAtNight('signs in, and is asked for no password from then on', async () => {
    const { page, open, device } = await openWithPasskey()
    // The browser offers it beside the address, and waits for somebody.
    await device.agree(false)
    await page.context().clearCookies()
    await open('/tags')
    await button(page).waitFor()
    await expectAccessible(page)
    await expectToFit(page)
    await device.agree(true)
    await button(page).click()
    await heading(page, 'Tags').waitFor()

    await open('/settings')
    await page.getByText('by security key').waitFor()
    const password = page.getByRole('region', { name: 'Password' })
    expect(await password.getByLabel('Current password').count()).toBe(0)
  })

  itAtNight('signs in where the browser offers it beside the address', async () => {
    const { page, open } = await openWithPasskey()
    await page.context().clearCookies()
    // The device agrees at once, as if somebody had chosen it from the list.
    await open('/tags')
    await heading(page, 'Tags').waitFor()
  })

  itAtNight('signs in above the page where a session ended', async () => {
    const { page, open } = await openWithPasskey()
    await open('/links')
    await endSession(page)
    await lookAgain(page)
    await dialogOf(page).getByRole('button', { name: 'Sign in with a passkey' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await heading(page, 'Links').waitFor()
  })
})
