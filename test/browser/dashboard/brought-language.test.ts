import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { root, temporaryFolder } from '../../e2e/program.ts'
import { createLink, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard, openDoor } from './dashboard.ts'

/** A server with the example for a language as a single file, and with a plugin that brings a strange one. */
async function serveLanguages() {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  cpSync(join(root, 'examples/italian.ts'), join(dataDir, 'plugins/italian.ts'))
  writeFileSync(join(dataDir, 'plugins/strange.js'), strange)
  return serve({ dataDir })
}

const strange = `
import { definePlugin } from 'linnet/plugin'

export default definePlugin({
  feature: 'acme.strange',
  about: 'Brings a language that is written from right to left, with texts that do not fit.',
  unstable: {
    languages: {
      ar: {
        name: 'العربية',
        dir: 'rtl',
        dashboard: {
          Links: 'الروابط',
          Settings: '<script>alert(1)</script>',
          'texts.common.range': '{1} {2} {3} {4}',
          'Create your first link': { other: 'إنشاء' },
        },
      },
    },
  },
})
`

describe.skipIf(!hasChromium)('a language of a plugin in the dashboard', () => {
  itAtNight('is that of a browser that asks for it, from the first page on', async () => {
    const server = await serveLanguages()
    const { page, open } = await openDashboard({ server, locale: 'it-IT' })
    await createLink(server, { title: 'Xyzzy' })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const [path, heading] of [
      ['/links', 'Link'],
      ['/links/new', 'Nuovo link'],
      ['/analytics', 'Statistiche'],
      ['/tags', 'Etichette'],
      ['/settings', 'Impostazioni'],
    ]) {
      await open(`${path}`)
      await page.getByRole('heading', { level: 1, name: `${heading}` }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe('it')
      await expectToFit(page)
    }
    await open('/links')
    await page.getByText('Xyzzy').waitFor()
    await expectAccessible(page)
  })

  itAtNight(
    'says in it what the server says and what is wrong, and the rest in English',
    async () => {
      const { page, open } = await openDashboard({ server: await serveLanguages(), locale: 'it' })
      await open('/links/new')
      await page.getByLabel('URL di destinazione').fill('https://example.com/')
      await page.getByLabel('Codice breve', { exact: true }).fill('api')
      await page.getByRole('button', { name: 'Crea link' }).click()
      await page.getByText('Il codice breve api è riservato.').first().waitFor()
      await open('/admin/backups')
      await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor()
    },
  )

  itAtNight('is chosen in the account menu, kept, and gone with the plugin', async () => {
    const server = await serveLanguages()
    const { page, open } = await openDashboard({ server })
    await open('/links')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitemradio', { name: 'Italiano' }).click()
    await page.getByRole('link', { name: 'Campagne' }).first().waitFor()
    await open('/settings')
    const choice = page.getByRole('combobox', { name: 'Lingua' })
    await expect.poll(() => choice.inputValue()).toBe('it')
    await server.api('PATCH', '/admin/plugins/custom.italian', { enabled: false })
    await open('/settings')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await server.api('PATCH', '/admin/plugins/custom.italian', { enabled: true })
    await open('/settings')
    await page.getByRole('heading', { level: 1, name: 'Impostazioni' }).waitFor()
    await page.getByRole('combobox', { name: 'Lingua' }).selectOption('Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
  })

  itAtNight('may be written from right to left, and what does not fit stays English', async () => {
    const { page, open } = await openDashboard({ server: await serveLanguages(), locale: 'ar' })
    await open('/links')
    const html = page.locator('html')
    expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl'])
    await page.getByRole('heading', { level: 1, name: 'الروابط' }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).first().waitFor()
  })

  itAtNight('is asked for by nobody whose language comes with the dashboard', async () => {
    const server = await serveLanguages()
    const asked: string[] = []
    for (const [locale, isAsked] of [
      ['de', false],
      ['en-GB', false],
      ['nl', true],
    ] as const) {
      const { page, open } = await openDoor({ server, locale })
      page.on('request', request => asked.push(new URL(request.url()).pathname))
      await open('/sign-in')
      expect(asked.some(path => /speak-brought|languages/.test(path))).toBe(isAsked)
    }
  })
})
