import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, openDashboard } from './dashboard.ts'

describe.skipIf(!hasChromium)('the page of webhooks', () => {
  it('makes one, shows its secret this once, tests it, and lists what was sent', async () => {
    const { page, open, server } = await openDashboard()
    await open('/plugins/developer/webhooks')
    const form = page.getByRole('region', { name: 'New webhook' })
    await form.getByLabel('Address').fill('http://receiver.invalid/')
    await form.getByLabel('Name').fill('CRM')
    await form.getByLabel('Events').fill('link.*\nvisits.counted')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const own = page.getByRole('region', { name: 'Your webhooks' })
    await own.getByText('CRM').waitFor()
    await own.getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Test' }).click()
    await dialog.getByText('Failed').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Messages' }).getByText('webhook.test').waitFor()
    await expectAccessible(page)
    expect((await server.api('GET', '/webhooks')).body.data).toHaveLength(1)
  })
})
