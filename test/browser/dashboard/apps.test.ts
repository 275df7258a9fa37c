import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

describe.skipIf(!hasChromium)('the page of other programs', () => {
  it('has snippets for this instance, and fills in a token that is made for one of them', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tokens')
    await page.getByRole('link', { name: 'Apps' }).click()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    const curl = page.getByRole('region', { name: 'curl' })
    await expect.poll(() => curl.locator('pre').innerText()).toContain(`${server.url}/api/v1/links`)
    expect(await curl.locator('pre').innerText()).toContain('lnt_…')
    await curl.getByRole('button', { name: 'Create a token for curl' }).click()
    await curl.getByRole('status').waitFor()
    const [, token = ''] = /Bearer (lnt_[\w-]+)/.exec(await curl.locator('pre').innerText()) ?? []
    const authorization = `Bearer ${token}`
    const body = { original_url: 'https://example.com/by-app' }
    expect((await server.api('POST', '/links', body, { authorization })).status).toBe(201)
    const { data } = (await server.api('GET', '/api-tokens')).body
    expect(data[0]).toMatchObject({ name: 'curl', scopes: ['links:write'] })
    // Others have none, and it is not shown again.
    const shareX = page.getByRole('region', { name: 'ShareX' })
    expect(await shareX.locator('pre').innerText()).toContain('lnt_…')
    await expectAccessible(page)
    const saved = page.waitForEvent('download')
    await shareX.getByRole('button', { name: 'Save linnet.sxcu' }).click()
    expect((await saved).suggestedFilename()).toBe('linnet.sxcu')
    await page.reload()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    expect(await page.content()).not.toContain(token)
  })

  it('fits a phone, in the dark', async () => {
    const { page, open } = await openDashboard({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 700 })
    await open('/tokens/apps')
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})
