import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { useAuthenticator } from './signing-in.ts'

describe.skipIf(!hasChromium)('a passkey alone', () => {
  itAtNight('signs in, and is asked for no password from then on', async () => {
    // No passkey is made for an IP address.
    const here = await serve({ env: { LINNET_BASE_URL: 'http://localhost:0' } })
    const server = { ...here, url: here.url.replace('127.0.0.1', 'localhost') }
    const viewport = { width: 360, height: 740 }
    const { page, open } = await openDashboard({ server, viewport })
    const device = await useAuthenticator(page)
    await open('/settings')
    const panel = page.getByRole('region', { name: 'Second factor' })
    await panel.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    const keys = page.getByRole('region', { name: 'Your passkeys' })
    await keys.getByText('Without the password').waitFor()

    // The browser offers it beside the address, and waits for somebody.
    await device.agree(false)
    await page.context().clearCookies()
    await open('/tags')
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    await expectAccessible(page)
    await expectToFit(page)
    await device.agree(true)
    await button.click()
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()

    await open('/settings')
    await page.getByText('by security key').waitFor()
    const password = page.getByRole('region', { name: 'Password' })
    expect(await password.getByLabel('Current password').count()).toBe(0)
  })
})
