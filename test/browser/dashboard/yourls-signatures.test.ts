import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, openDashboard } from './dashboard.ts'

describe.skipIf(!hasChromium)('signatures for clients of YOURLS', () => {
  it('are made, shown again and revoked in the settings', async () => {
    const { page, server, open } = await openDashboard()
    await server.api('PATCH', '/admin/plugins/developer.yourls', { enabled: true })
    const opens = async (signature: string) => {
      const query = new URLSearchParams({ action: 'version', format: 'json', signature })
      return (await server.get(`/yourls-api.php?${query}`)).status
    }
    await open('/settings')
    const section = page.getByRole('region', { name: 'Signatures for clients of YOURLS' })
    await section.getByLabel('Name').fill('Blog')
    await section.getByRole('button', { name: 'Make a signature' }).click()
    const dialog = page.getByRole('dialog')
    const signature = (await dialog.getByText(/^lnt_/).innerText()).trim()
    expect(await opens(signature)).toBe(200)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expectAccessible(page)

    const row = section.getByRole('row', { name: 'Blog' })
    const choose = async (action: string) => {
      await row.getByRole('button', { name: 'Actions for' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await choose('Show')
    expect((await dialog.getByText(/^lnt_/).innerText()).trim()).toBe(signature)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await choose('Revoke')
    await dialog.getByText('Programs that have it can do nothing any more.').waitFor()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await opens(signature)).toBe(403)
  })
})
