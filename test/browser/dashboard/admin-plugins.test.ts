import { describe, expect, it } from 'vitest'
import { bundleWith } from '../../e2e/fixture-program.ts'
import { createLink, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { startLinnet } from '../linnet.ts'
import { around, openDashboard } from './dashboard.ts'

describe.skipIf(!hasChromium)('a plugin', () => {
  it('that is switched off is off at once, and on again', async () => {
    const { page, server, open } = await openDashboard()
    const { shortCode } = await createLink(server, { password: 'sesame' })
    await open('/admin/plugins')
    const row = page.getByRole('listitem').filter({ hasText: 'Password protection' })
    await row.getByText('Protects 1 link').waitFor()
    await row.getByRole('switch').press('Space')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It protects one link.').waitFor()
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await row.getByText('Off', { exact: true }).waitFor()
    expect((await server.get(`/${shortCode}`)).status).toBe(503)
    await open('/admin/plugins/link/passwordProtection')
    await page.getByText('It is off and not loaded.').waitFor()
    await page.getByRole('switch', { name: 'On' }).click()
    await page.getByText('Running', { exact: true }).waitFor()
    expect((await server.get(`/${shortCode}`)).status).toBe(403)
  })

  it('that another one needs stays on, and says which', async () => {
    const { page, server, open } = await openDashboard()
    const { body } = await server.api('GET', '/admin/plugins')
    const plugins: { feature: string; needs: string[] }[] = body.data
    const needed = plugins.flatMap(({ needs }) => needs)[0] ?? ''
    await open(`/admin/plugins/${needed.replace('.', '/')}`)
    await page.getByRole('switch', { name: 'On' }).click()
    await page.getByText(`${needed}. Switch those off first.`).waitFor()
    expect(await page.getByRole('switch', { name: 'On' }).isChecked()).toBe(true)
  })

  it('has its settings in a form that its schema makes, and no secret in it', async () => {
    const { page, server, open } = await openDashboard({
      server: await serve({ env: { LINNET_SAFE_BROWSING_KEY: 'the-key-itself' } }),
    })
    const settings = async () => {
      const { body } = await server.api('GET', '/admin/plugins')
      const plugin = body.data.find(
        ({ feature }: { feature: string }) => feature === 'link.urlScanning',
      )
      return Object.fromEntries(
        plugin.settings.map(({ name, value }: { name: string; value: unknown }) => [name, value]),
      )
    }
    const standard = await settings()
    await open('/admin/plugins/link/urlScanning')
    await page.getByText('Set by the environment variable LINNET_SAFE_BROWSING_KEY.').waitFor()
    expect(await page.content()).not.toContain('the-key-itself')

    await page.getByLabel('Block lists').fill(`/etc/one\n/${'x'.repeat(5_000)}`)
    await page.getByRole('combobox', { name: 'Block look-alike domain names' }).click()
    await page.getByRole('option', { name: 'allow' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must have at most 4096 characters.').waitFor()
    expect(await settings()).toEqual(standard)
    await page.getByLabel('Block lists').fill('/etc/one\n/etc/two')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved and in effect.').waitFor()
    expect(await settings()).toMatchObject({
      lists: ['/etc/one', '/etc/two'],
      lookAlikes: 'allow',
    })

    await page.getByRole('button', { name: 'Reset to defaults' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(settings).toEqual(standard)
  })

  it('that nobody here has heard of has an input for each of its settings', async () => {
    const program = await bundleWith('acme.giftWrap', 'gift-plugin.ts')
    const env = { ACME_TILL_KEY: 'the-key-itself' }
    const { page, server, open } = await openDashboard({
      server: await serve({ program, env }),
      timezoneId: 'Europe/Berlin',
    })
    const settings = async () => {
      const { body } = await server.api('GET', '/admin/plugins')
      const plugin = body.data.find((it: { feature: string }) => it.feature === 'acme.giftWrap')
      return plugin.settings.filter(({ isSet, variable }: Record<string, unknown>) => {
        return isSet && variable === null
      })
    }
    const fill = (label: string, text: string) => page.getByLabel(label).fill(text)
    const saves = () => page.getByRole('button', { name: 'Save' }).click()
    await open('/admin/plugins/acme/giftWrap')
    expect(await page.content()).not.toContain('the-key-itself')

    await fill('Shop', 'Acme & Sons')
    await fill('Motto', 'Wrapped')
    await fill('Site', 'nowhere')
    await fill('Layers', '12')
    await page.getByRole('combobox', { name: 'Size' }).click()
    await page.getByRole('option', { name: 'large' }).click()
    await page.getByLabel('Express').uncheck()
    await fill('Helpers', 'Ada\nA name that is too long\n')
    await fill('Opens', '2026-12-01T10:00')
    await fill('Color', '')
    await page.getByLabel('Is round').check()
    await fill('Shelves', '[[1], ["two"]]')
    await saves()
    await around(page, 'Site').getByText('Enter a full URL').waitFor()
    await around(page, 'Layers').getByText('Must be at most 9.').waitFor()
    await around(page, 'Helpers').getByText('Must have at most 12 characters.').waitFor()
    await around(page, 'Color').getByText('Must be a text.').waitFor()
    await around(page, 'Shelves').getByText('Must be a number.').waitFor()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(5)
    expect(await settings()).toEqual([])

    await fill('Site', 'https://gifts.example/')
    await fill('Layers', '3')
    await fill('Helpers', 'Ada\nGrace\n')
    await fill('Color', 'blue')
    await fill('Shelves', '[[1], [2]]')
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
    await saves()
    await page.getByText('Saved and in effect.').waitFor()
    const stored = {
      ...{ shop: 'Acme & Sons', motto: 'Wrapped', site: 'https://gifts.example/', layers: 3 },
      ...{ size: 'large', express: false, helpers: ['Ada', 'Grace'] },
      opens: '2026-12-01T09:00:00.000Z',
      ...{ box: { color: 'blue', isRound: true }, shelves: [[1], [2]] },
    }
    const named = (await settings()).map((it: { name: string; value: unknown }) => [
      it.name,
      it.value,
    ])
    expect(Object.fromEntries(named)).toEqual(stored)

    await page.reload()
    await expect.poll(() => page.getByLabel('Helpers').inputValue()).toBe('Ada\nGrace')
    expect(await page.getByLabel('Is round').isChecked()).toBe(true)
    for (const label of ['Motto', 'Helpers', 'Layers']) await fill(label, '')
    await saves()
    await page.getByText('Saved and in effect.').waitFor()
    await expect.poll(() => page.getByLabel('Layers').inputValue()).toBe('2')
    const left = (await settings()).map((it: { name: string }) => it.name)
    expect(left).toEqual(['shop', 'site', 'size', 'express', 'helpers', 'opens', 'box', 'shelves'])
    expect((await settings())[4].value).toEqual([])
  })

  it('cannot be switched where the environment says which are on', async () => {
    const plugins = ['dashboard.web', 'developer.apiKeys', 'link.passwordProtection']
    const { page, open } = await openDashboard({ server: await startLinnet({ plugins }) })
    await open('/admin/plugins')
    await page.getByText('The environment variable PLUGINS decides which plugins are on.').waitFor()
    expect(await page.getByRole('switch').count()).toBeGreaterThan(10)
    expect(await page.locator('input[role=switch]:enabled').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Blocked links' }).count()).toBe(0)
    await open('/admin/blocked-links')
    await page.getByRole('heading', { name: 'URL scanning is off' }).waitFor()
  })
})
