import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../chromium.ts'
import { confirmPassword, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { expectOnlyWords, hostile } from './hostile.ts'

const run = promisify(execFile)

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Creates a token on the screen; returns its value, which is shown only once. */
async function make(page: Page, name: string) {
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('You cannot see it again.').waitFor()
  const [token = '', command = ''] = await page.getByRole('dialog').locator('pre').allInnerTexts()
  return { token, command }
}

describe.skipIf(!hasChromium)('an API token', () => {
  it('is made on the screen, works as shown, and stops when it is revoked', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tokens')
    const { token, command } = await make(page, 'My script')
    const { stdout } = await run('sh', ['-c', `${command} --silent`])
    expect(JSON.parse(stdout)).toMatchObject({ data: [], meta: { total: 0 } })
    const authorization = `Bearer ${token}`
    const body = { original_url: 'https://example.com/by-token' }
    expect((await server.api('POST', '/links', body, { authorization })).status).toBe(201)
    expect((await server.api('GET', '/tags', undefined, { authorization })).status).toBe(403)

    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(token)
    await page.reload()
    await row(page, 'My script').getByText('Links: write').waitFor()
    await row(page, 'My script').getByText('Last used').waitFor()
    expect(await page.content()).not.toContain(token)

    await choose(page, 'My script', 'Revoke')
    await page.getByText('Programs that use this token lose access at once.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row(page, 'My script').waitFor({ state: 'detached' })
    expect((await server.api('GET', '/links', undefined, { authorization })).status).toBe(401)
  })

  it('allows what is checked, and write includes read', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('Some things')
    expect(await page.getByRole('checkbox', { name: 'Read Links' }).isChecked()).toBe(true)
    await page.getByRole('checkbox', { name: 'Write Links' }).uncheck()
    await page.getByRole('checkbox', { name: 'Read Tags' }).check()
    await page.getByRole('checkbox', { name: 'Write Tags' }).check()
    await page.getByRole('checkbox', { name: 'Read Analytics' }).check()
    await page.getByRole('checkbox', { name: 'Run the instance' }).check()
    await page.getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'Never' }).click()
    await page.getByText('Anyone who obtains this token').waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    await confirmPassword(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await row(page, 'Some things').getByText('Never expires').waitFor()
    const [made] = (await server.api('GET', '/api-tokens')).body.data
    expect(made.scopes).toEqual(['tags:write', 'analytics:read', 'admin'])
  })

  it('that allows everything takes the password besides', async () => {
    const { page, server, open } = await openDashboard()
    await open('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('For all')
    await page.getByRole('checkbox', { name: 'Everything' }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await confirmPassword(page)
    await page.getByText('You cannot see it again.').waitFor()
    const [made] = (await server.api('GET', '/api-tokens')).body.data
    expect(made).toMatchObject({ name: 'For all', scopes: expect.arrayContaining(['*']) })
  })

  it('is renamed and made to last longer', async () => {
    const { page, server, open } = await openDashboard()
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const made = { name: 'Old', scopes: ['links:read'], expires_at }
    const { id } = (await server.api('POST', '/api-tokens', made)).body.data
    await open('/tokens')
    await choose(page, 'Old', 'Edit')
    await page.getByLabel('Name').fill('New')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'New').waitFor()
    const renamed = (await server.api('GET', `/api-tokens/${id}`)).body.data
    expect(renamed).toMatchObject({ name: 'New', scopes: ['links:read'], expiresAt: expires_at })
    await choose(page, 'New', 'Edit')
    await page.getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'In 1 year' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const longer = (await server.api('GET', `/api-tokens/${id}`)).body.data
    expect(Date.parse(longer.expiresAt) - Date.now()).toBeGreaterThan(364 * 86_400_000)
  })

  it('is taught where there is none, and refused where the plan has none', async () => {
    const { page, server, open } = await openDashboard()
    const [bootstrap] = (await server.api('GET', '/api-tokens')).body.data
    await server.api('PATCH', '/admin/plans/unlimited', { developer: { apiKeys: false } })
    await open('/tokens')
    await page.getByText('Your plan does not include API tokens.').waitFor()
    expect(await page.getByRole('button', { name: 'New token' }).isDisabled()).toBe(true)
    await choose(page, bootstrap.name, 'Revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'Create your first API token' }).waitFor()
    await page.getByText(`curl ${server.url}/api/v1/links`).waitFor()
  })

  it('is a word and nothing more', async () => {
    const { page, server, open } = await openDashboard()
    for (const name of hostile) await server.api('POST', '/api-tokens', { name, scopes: ['*'] })
    await open('/tokens')
    await expectOnlyWords(page)
    await choose(page, hostile[2], 'Revoke')
    await page.getByText(`Revoke ${hostile[2]}?`).waitFor()
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('API tokens in %s', colorScheme => {
  it('are open to everybody, on a phone too', async () => {
    const viewport = { width: 360, height: 740 }
    const { page, server, open } = await openDashboard({ colorScheme, viewport })
    const scopes = ['links:write', 'tags:write', 'campaigns:write', 'domains:write', 'plugins:read']
    await server.api('POST', '/api-tokens', { name: 'W'.repeat(100), scopes })
    await open('/tokens')
    await page.getByText('Links: write').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('Phone')
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('You cannot see it again.').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})
