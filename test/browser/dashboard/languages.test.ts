import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink, type Instance } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard, openDoor } from './dashboard.ts'

/** Every page, with some content. */
async function pagesOf(server: Instance): Promise<readonly string[]> {
  const { body: tag } = await server.api('POST', '/tags', { name: 'Xyzzy' })
  const { body: campaign } = await server.api('POST', '/campaigns', { name: 'Plugh' })
  await server.api('POST', '/domains', { host: 'go.example.org' })
  const link = await createLink(server, {
    short_code: 'xyzzy',
    title: 'Xyzzy',
    notes: 'Plugh',
    tag_ids: [tag.data.id],
    campaign_id: campaign.data.id,
    password: 'open sesame',
    dynamic_routing: {
      rules: [
        {
          name: 'Xyzzy',
          original_url: 'https://example.com/xyzzy',
          conditions: [{ type: 'country', operator: 'is', value: ['DE'] }],
        },
      ],
    },
  })
  await server.get('/xyzzy')
  const admin = ['accounts', 'plans', 'plans/pro', 'features', 'brand', 'plugins']
  const operating = ['plugins/packages', 'plugins/link/urlScanning', 'jobs', 'backups']
  return [
    ...[
      '/links',
      '/links/new',
      '/links/import',
      '/links/move-in',
      `/links/${link.id}`,
      '/links?q=nothing-here',
    ],
    ...['/analytics', `/links/${link.id}/analytics`, `/tags/${tag.data.id}/analytics`],
    ...[
      '/tags',
      '/campaigns',
      `/campaigns/${campaign.data.id}`,
      '/domains',
      '/tokens',
      '/tokens/apps',
      '/settings',
    ],
    ...[...admin, ...operating, 'blocked-links', 'health'].map(it => `/admin/${it}`),
  ]
}

/** The texts of a page, and the labels of elements without text. */
function textsOn(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { parentElement, data } = texts.currentNode
      if (!parentElement.closest('script, style, noscript, [lang="en"]')) found.push(data)
    }
    for (const it of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.push(it.getAttribute(name) ?? '')
    return [...new Set(found.map(it => it.trim()).filter(Boolean))]
  })()`)
}

/** Every text of a language without parameters. */
async function stringsOf(folder: string): Promise<ReadonlySet<string>> {
  const web = '../../../plugins/dashboard/web'
  const parts = [
    await import(`${web}/${folder || '.'}/texts.ts`),
    await import(`${web}/${folder || 'texts'}/rest.ts`),
  ]
  const strings = (value: unknown): readonly string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object'
        ? Object.values(value ?? {}).flatMap(strings)
        : []
  return new Set(parts.flatMap(strings))
}

/** All English texts, except the name of the plan. */
const english = new Set(await stringsOf(''))
english.delete('Unlimited')

describe.skipIf(!hasChromium).each([
  { language: 'de', locale: 'de-AT', title: 'Links', colorScheme: 'light' as const },
  { language: 'fr', locale: 'fr', title: 'Liens', colorScheme: 'dark' as const },
  { language: 'es', locale: 'es-MX', title: 'Enlaces', colorScheme: 'light' as const },
])('the dashboard in $language', async ({ language, locale, title, colorScheme }) => {
  const own = await stringsOf(`texts/${language}`)

  it('is all in that language, and fits a phone', async () => {
    const { page, server, open } = await openDashboard({ locale, colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    const strange: string[] = []
    for (const path of await pagesOf(server)) {
      await open(path)
      await page.waitForLoadState('networkidle')
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      const found = (await textsOn(page)).filter(it => english.has(it) && !own.has(it))
      strange.push(...found.map(it => `${path}: ${it}`))
      await expectToFit(page)
      if (language === 'de') await expectAccessible(page)
    }
    expect(strange).toEqual([])
  })

  it('is what the door speaks too', async () => {
    const { page, open } = await openDoor({ locale })
    await open('/sign-in')
    const strange = (await textsOn(page)).filter(it => english.has(it) && !own.has(it))
    expect(strange).toEqual([])
  })

  it('writes its dates and numbers so', async () => {
    const { page, server, open } = await openDashboard({ locale })
    await createLink(server)
    await open('/links')
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await open('/settings')
    const now = new Date()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    const options = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
    const day = new Intl.DateTimeFormat(locale, options).format(next)
    await page.getByText(day, { exact: false }).waitFor()
  })
})

describe.skipIf(!hasChromium)('the language of the browser', () => {
  it('is that of what plugins are called, and of what is wrong', async () => {
    const { page, open } = await openDashboard({ locale: 'de' })
    await open('/links/new')
    await page.getByLabel('Ziel-URL').fill('https://example.com/')
    await page.getByLabel('Kurzcode', { exact: true }).fill('api')
    await page.getByRole('button', { name: 'Link erstellen' }).click()
    await page.getByText('Der Kurzcode api ist reserviert.').first().waitFor()
    await open('/admin/jobs')
    await page.getByText('Datenbank sichern').first().waitFor()
    await open('/links/move-in')
    await page.getByRole('combobox', { name: 'Woher sie kommen' }).click()
    await page.getByRole('option', { name: 'CSV-Datei' }).click()
    await page.getByText('Liest eine Tabelle von Links').waitFor()
    await page.getByLabel('Zeitzone').waitFor()
  })
})
