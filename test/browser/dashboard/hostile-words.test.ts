import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { dataUri } from '../../core/http/logos.ts'
import { serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard } from './dashboard.ts'
import { hostile } from './hostile.ts'
import { fillInstance, hostileLogo, hostileStart } from './hostile-instance.ts'

const [first, second] = hostile

/** Everything that a user can read: text, and the values of inputs. */
const readable = `[
  document.title,
  document.body.innerText,
  ...Array.from(document.querySelectorAll('input, textarea'), it => it.value),
].join('\\n')`

/** Elements that only executed words could have made; the bookmarklet in the settings is ours. */
const markup = `document.querySelectorAll(
  'img[src="x"], svg[onload], script:not([src]), a[href^="javascript:" i]:not([href^="javascript:void open("])',
).length`

/** Expects every word to be readable on the page, and none of them to be markup. */
async function expectWords(page: Page, ...words: readonly string[]): Promise<void> {
  const missing = async () => {
    const text = await page.evaluate<string>(readable)
    return words.filter(word => !text.includes(word))
  }
  await expect.poll(missing, { message: page.url() }).toEqual([])
  expect(await page.evaluate(markup), page.url()).toBe(0)
}

/** Records every word that runs on any page, even if the page changes its title right after. */
async function listen(context: BrowserContext): Promise<string[]> {
  const ran: string[] = []
  await context.exposeFunction('tellRan', (where: string) => ran.push(where))
  await context.addInitScript(`
    const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'title')
    Object.defineProperty(document, 'title', {
      get,
      set(title) {
        if (title === 'ran') tellRan(location.href)
        set.call(this, title)
      },
    })
    globalThis.alert = () => tellRan(location.href)
  `)
  return ran
}

/** A visitor, and the complaints of their browser. */
async function visitorIn(context: BrowserContext) {
  const visitor = await context.newPage()
  const complaints: string[] = []
  visitor.on('console', message => {
    // These pages are refusals, so that complaint is expected.
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text())
  })
  return { visitor, complaints }
}

/** A page of the app, opened by its own navigation. */
const go = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/dashboard${path}`)})`)

/** Enters a hostile brand: it shows as written, and a logo is a picture, in the preview too. */
async function tryBrand(page: Page): Promise<void> {
  const preview = page.frameLocator('iframe')
  await go(page, '/admin/brand')
  await expectWords(page, first)
  await preview.getByText(first, { exact: true }).waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: `${first}.svg`,
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(hostileLogo),
  })
  await preview.locator('header img').waitFor()
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill(second)
  await page.getByText('Must be a colour').waitFor()
  await expectWords(page, first, second)
}

/** The headings of the visitor pages, by path. */
const visitorPages = [
  ['/everything+', 'Where this link leads'],
  ['/locked', 'This link is protected'],
  ['/over', 'No longer available'],
  ['/blocked', 'This link is blocked'],
  [`/${encodeURIComponent(first)}`, 'No link here'],
] as const

describe.skipIf(!hasChromium)('words of others', () => {
  it('are words and nothing more, on every page that shows them', async () => {
    const { page, server, open } = await openDashboard({ server: await serve(hostileStart()) })
    const ran = await listen(page.context())
    const { link, tagId, campaignId, list, picture, sites } = await fillInstance(server)

    await open('/links')
    await expectWords(page, ...hostile, second)
    await go(page, `/links?q=${encodeURIComponent(first)}`)
    await expectWords(page, first)

    await go(page, `/links/${link.id}`)
    await expectWords(page, ...hostile, link.originalUrl)
    for (const name of ['UTM parameters', 'Link expiration', 'Routing rules']) {
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    }
    await page.getByRole('listitem').getByRole('button', { expanded: false }).first().click()
    await expectWords(page, ...hostile, 'https://rule.example/', link.expiredUrl)
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByLabel('Foreground', { exact: true }).fill(second)
    await page.getByLabel('Background', { exact: true }).fill(second)
    await page.getByText('Must be').first().waitFor()
    await expectWords(page, ...hostile, second)

    const cities = hostile.map(word => `${word}, Germany`)
    for (const scope of [
      '/analytics',
      `/links/${link.id}/analytics`,
      `/tags/${tagId}/analytics`,
      `/campaigns/${campaignId}/analytics`,
    ]) {
      await go(page, scope)
      await expectWords(page, ...hostile, ...cities, ...sites)
    }

    for (const [path, ...words] of [
      ['/tags', ...hostile],
      ['/campaigns', ...hostile.map(word => `On ${word}`)],
      [`/campaigns/${campaignId}`, first, `On ${first}`],
      ['/domains', 'https://root.example/'],
      ['/tokens', ...hostile],
      ['/settings', second],
      ['/admin/accounts', first, "o'hara@example.org"],
      ['/admin/plugins/link/urlScanning', ...hostile],
      ['/admin/plugins/analytics/visitsFromQrCodesTracking', picture],
      ['/admin/blocked-links', 'https://harmful.example/', list],
    ] as const) {
      await go(page, path)
      await expectWords(page, ...words)
    }

    await tryBrand(page)
    const { visitor, complaints } = await visitorIn(page.context())
    for (const [path, heading] of visitorPages) {
      await visitor.goto(`${server.url}${path}`)
      await expectWords(visitor, first, `${heading} · ${first}`)
    }
    expect(complaints).toEqual([])

    await server.api('PATCH', '/admin/brand', { logo: dataUri('image/svg+xml', hostileLogo) })
    await visitor.goto(`${server.url}/over`)
    const logo = visitor.locator('header img')
    await logo.waitFor()
    await visitor.goto(String(await logo.getAttribute('src')))
    expect(await visitor.locator('svg').count()).toBe(1)
    expect(ran).toEqual([])

    // Anything that ran would be recorded.
    await visitor.goto('about:blank')
    await visitor.setContent(hostile.join(''))
    await expect.poll(() => ran).not.toEqual([])
  })
})
