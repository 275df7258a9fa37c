import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { folderWithImporter } from '../../e2e/imports.ts'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink, type Instance, type ServeOptions, serve } from '../../e2e/server.ts'
import { agents } from '../../plugins/analytics/agents.ts'
import { hasChromium } from '../chromium.ts'
import { daysAgo } from './clock.ts'
import { type DashboardOptions, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { place, visit, worldly } from './visit.ts'

const [paris, singapore] = ['81.2.70.1', '81.2.71.1'] as const

const places = {
  '81.2.69.0/24': place('Berlin', 'DE'),
  '81.2.70.0/24': place('Paris', 'FR'),
  '81.2.71.0/24': place('Singapore', 'SG'),
}

async function openWorldly(options: DashboardOptions = {}, served: ServeOptions = {}) {
  const server = await serve({ ...served, env: worldly(places) })
  return openDashboard({ timezoneId: 'Europe/Berlin', ...options, server })
}

/** Four people and a robot. */
async function visitTickets(server: Instance): Promise<void> {
  await visit(server, 'tickets', { referer: 'https://news.example.org/today' })
  await visit(server, 'tickets', { query: '?utm_source=letter&utm_medium=email' })
  await visit(server, 'tickets', { ip: paris, agent: agents.safariOnIphone, language: 'fr-FR' })
  await visit(server, 'tickets', { ip: singapore, agent: agents.chromeOnAndroid, query: '?qr' })
  await visit(server, 'tickets', { agent: agents.googlebot })
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const total = (page: Page, label: string) =>
  page
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()

/** The rows of a list, as people read them. */
async function rows(page: Page, name: string): Promise<string[]> {
  const all = card(page, name).locator('tbody tr')
  await all.first().waitFor()
  const texts = await all.allInnerTexts()
  return texts.map(text => text.replace(/\s+/g, ' ').trim())
}

const chart = (page: Page) => page.getByRole('slider', { name: 'Visits over time' })

const said = (page: Page) => chart(page).getAttribute('aria-valuetext')

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe.skipIf(!hasChromium)('the analytics of a link', () => {
  it('tell what became of it, robots and QR codes apart', async () => {
    const { page, server, open } = await openWorldly()
    const { id } = await createLink(server, { short_code: 'tickets', title: 'Tickets' })
    await visitTickets(server)
    await open(`/links/${id}/analytics`)
    await page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor()
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('4')
    expect(await total(page, 'Visits from QR codes').innerText()).toBe('1')
    expect(await total(page, 'Bots').innerText()).toBe('1')
    await page.getByText('25% by QR code, 75% by link').waitFor()

    expect(await rows(page, 'Browser')).toEqual(['Firefox 2 50%', 'Chrome 1 25%', 'Safari 1 25%'])
    expect(await rows(page, 'Country')).toEqual([
      'Germany 2 50%',
      'France 1 25%',
      'Singapore 1 25%',
    ])
    expect(await rows(page, 'City')).toContain('Berlin, Germany 2 50%')
    expect(await rows(page, 'Referer')).toEqual([
      'Direct / unknown 3 75%',
      'news.example.org 1 25%',
    ])
    expect(await said(page)).toMatch(/^\w+, \d.* 20\d\d: 4 visits/)
    await page.getByText('No data yet for: Routing rule.').waitFor()
  })

  it('show countries on a map, small ones too, and name who knows where they are', async () => {
    const { page, server, open } = await openWorldly()
    const { id } = await createLink(server, { short_code: 'tickets' })
    await visitTickets(server)
    await open(`/links/${id}/analytics`)
    const map = card(page, 'Country').getByRole('img', { name: /^World map/ })
    await map.locator('[data-country=SG]').waitFor()
    const shown = await Promise.all(
      (await map.locator('[data-country]').all()).map(land => land.getAttribute('data-country')),
    )
    expect(shown.toSorted()).toEqual(['DE', 'FR', 'SG'])
    await map.locator('[data-country=DE]').hover()
    await card(page, 'Country').getByText('Germany').nth(1).waitFor()
    for (const name of ['Country', 'City']) {
      const thanks = card(page, name).getByRole('link', { name: 'IP Geolocation by DB-IP' })
      expect(await thanks.getAttribute('href')).toBe('https://db-ip.com/')
    }
  })

  it('update automatically', async () => {
    const { page, server, open } = await openWorldly()
    const { id } = await createLink(server, { short_code: 'tickets' })
    await visit(server, 'tickets')
    await page.clock.install()
    await open(`/links/${id}/analytics`)
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('1')
    await visit(server, 'tickets')
    await page.clock.fastForward(31_000)
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('2')
  })

  it('tell the visits of the last minutes as they come, also before any other', async () => {
    const { page, server, open } = await openWorldly()
    const { id } = await createLink(server, { short_code: 'tickets' })
    await createLink(server, { short_code: 'other' })
    await page.clock.install()
    await open(`/links/${id}/analytics`)
    const live = page.getByRole('region', { name: 'Last minutes' })
    await live.getByText('0 visits in the last 5 minutes').waitFor()
    await visit(server, 'tickets')
    await visit(server, 'other')
    await visit(server, 'tickets', { agent: agents.googlebot })
    await expect
      .poll(async () => {
        await page.clock.fastForward(10_000)
        return live.innerText()
      })
      .toContain('1 visit in the last 5 minutes')
    expect(await live.getAttribute('title')).toContain('without bots')
    expect(await live.innerText()).toContain('1 in 30 minutes, since the restart at ')
    await open('/analytics')
    await live.getByText('2 visits in the last 5 minutes').waitFor()
    await expectAccessible(page)
  })

  it('teach what to do while there are none', async () => {
    const { page, server, open } = await openWorldly()
    const { id } = await createLink(server, { short_code: 'tickets' })
    await open(`/links/${id}/analytics`)
    await page.getByRole('heading', { name: 'No visits yet' }).waitFor()
    await page.getByRole('img', { name: /^QR code of / }).waitFor()
    const width = () => page.evaluate('document.querySelector("main img").naturalWidth')
    await expect.poll(width).toBeGreaterThan(0)
    await expectAccessible(page)
  })
})

describe.skipIf(!hasChromium)('the span of the numbers', () => {
  /** Three visits 40 days ago, and two now. */
  async function openLater() {
    const dataDir = temporaryFolder()
    const before = await serve({ dataDir, env: daysAgo(40) })
    await createLink(before, { short_code: 'tickets' })
    for (let times = 0; times < 3; times++) await visit(before, 'tickets')
    await before.kill('SIGTERM')
    const dashboard = await openWorldly({}, { dataDir })
    for (let times = 0; times < 2; times++) await visit(dashboard.server, 'tickets')
    return dashboard
  }

  it('is compared with the one before, unless somebody wants it not to be', async () => {
    const { page, open } = await openLater()
    await open('/analytics')
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('2')
    const tile = page.locator('dl > div').first()
    await tile.getByText('previously 3').waitFor()
    expect((await tile.innerText()).replace(/\s+/g, ' ')).toContain('down 33.3%')
    expect(await said(page)).toContain(', previous period, ')
    await page.getByRole('switch', { name: 'Compare' }).click()
    await tile.getByText('previously 3').waitFor({ state: 'detached' })
    expect(await said(page)).not.toContain(', previous period, ')
    await page.reload()
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('2')
    expect(await page.getByText('previously 3').count()).toBe(0)
  })

  it('is chosen from a list, or day by day, and stays in the address', async () => {
    const { page, open } = await openLater()
    await open('/analytics')
    await choose(page, 'Period', 'Last 90 days')
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('5')
    await page.reload()
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('5')
    expect(await page.getByRole('combobox', { name: 'Period', exact: true }).inputValue()).toBe(
      'Last 90 days',
    )

    const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)
    await open(`/analytics?from=${day}&to=${day}&timezone=UTC`)
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('3')

    await open('/analytics')
    await choose(page, 'Period', 'Custom range…')
    const first = page
      .getByRole('dialog')
      .getByRole('button', { name: /^1 \w+ \d{4}$/ })
      .first()
    await first.click()
    await first.click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/from=(\d{4}-\d\d-01)&to=\1$/)
  })

  it('is told as finely as the API does, with the visitors of days, weeks and months', async () => {
    const { page, open } = await openLater()
    const field = page.getByRole('combobox', { name: 'Granularity', exact: true })
    const offered = async () => {
      await field.click()
      const options = await page.getByRole('option').allInnerTexts()
      await page.keyboard.press('Escape')
      return options
    }
    await open('/analytics?timezone=UTC')
    expect(await field.inputValue()).toBe('Automatic')
    await choose(page, 'Granularity', 'By week')
    await page.waitForURL(/granularity=week/)
    // The text also names the span that it compares with, unless that span has a week less today.
    await expect.poll(() => said(page)).toMatch(/^Week of .* 2 visits, Daily unique visitors: 1\b/)
    await page.reload()
    await expect.poll(() => said(page)).toContain('Week of')
    expect(await field.inputValue()).toBe('By week')

    await choose(page, 'Period', 'Last 7 days')
    await page.waitForURL(url => !url.searchParams.has('granularity'))
    expect(await offered()).toEqual(['Automatic', 'By hour', 'By day'])
    const visitors = card(page, 'Visits over time').getByText('Daily unique visitors')
    await visitors.waitFor()
    await choose(page, 'Granularity', 'By hour')
    await visitors.waitFor({ state: 'detached' })
    expect(await said(page)).not.toContain('visitors')

    await open('/analytics?interval=12mo&granularity=hour')
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('5')
    expect(await offered()).toEqual(['Automatic', 'By day', 'By week', 'By month'])
  })

  it('has the days of the browser, or of any other zone', async () => {
    const { page, open } = await openLater()
    await open('/analytics?interval=7d')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    expect(await zone.inputValue()).toBe('Europe/Berlin')
    const dayIn = async (name: string) => {
      await zone.fill(name)
      await page.getByRole('option', { name, exact: true }).click()
      await page.waitForURL(url => url.searchParams.get('timezone') === name)
      await page.locator('main [data-stale]').waitFor({ state: 'detached' })
      return (await said(page))?.split(': ')[0]
    }
    // They are 25 hours apart, so never on the same day.
    expect(await dayIn('Pacific/Kiritimati')).not.toBe(await dayIn('Pacific/Pago_Pago'))
  })
})

describe.skipIf(!hasChromium)('analytics', () => {
  it('are those of the links with a tag, or in a campaign', async () => {
    const { page, server, open } = await openWorldly()
    const { body: tag } = await server.api('POST', '/tags', { name: 'Print' })
    const { body: campaign } = await server.api('POST', '/campaigns', { name: 'Autumn' })
    await createLink(server, { short_code: 'poster', tag_ids: [tag.data.id] })
    await createLink(server, { short_code: 'letter', campaign_id: campaign.data.id })
    await visit(server, 'poster')
    await visit(server, 'letter')
    await visit(server, 'letter')
    await open(`/tags/${tag.data.id}/analytics`)
    await page.getByRole('heading', { name: 'Print', level: 1 }).waitFor()
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('1')
    await open(`/campaigns/${campaign.data.id}/analytics`)
    await page.getByRole('heading', { name: 'Autumn', level: 1 }).waitFor()
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('2')
    await open('/analytics')
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('3')
  })

  it('are a file for a spreadsheet too', async () => {
    const { page, server, open } = await openWorldly()
    await createLink(server, { short_code: 'tickets' })
    await visitTickets(server)
    await open('/analytics?interval=7d')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^linnet_links_[-\d]+_[-\d]+\.csv$/)
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(lines).toContain('current,visitsByCountry,,,DE,Germany,2,0.5')
  })

  it('say what the plan does not count, and when its visits are used up', async () => {
    const { page, server, open } = await openWorldly()
    const change = {
      analytics: { visits_by_city: false },
      limits: { max_tracked_visits_per_month: 1 },
    }
    expect((await server.api('PATCH', '/admin/plans/unlimited', change)).status).toBe(200)
    await createLink(server, { short_code: 'tickets' })
    await visit(server, 'tickets')
    const used = async () => (await server.api('GET', '/profile')).body.data.plan.usage
    await expect.poll(used).toMatchObject({ visitsTrackedThisMonth: 1 })
    await open('/analytics')
    await card(page, 'Not in your plan').getByText('Count visits by city').waitFor()
    expect(await card(page, 'City').count()).toBe(0)
    await page.getByText('Monthly visit limit reached').waitFor()
    await expectAccessible(page)
  })

  it('are read with the keyboard alone', async () => {
    const { page, server, open } = await openWorldly()
    await createLink(server, { short_code: 'tickets' })
    await visitTickets(server)
    for (let number = 1; number <= 9; number++) {
      await visit(server, 'tickets', { referer: `https://site-${number}.example/` })
    }
    await open('/analytics')
    await chart(page).focus()
    const today = await said(page)
    await page.keyboard.press('ArrowLeft')
    expect(await said(page)).not.toBe(today)
    expect(await said(page)).toContain(': 0 visits')
    await page.keyboard.press('End')
    expect(await said(page)).toBe(today)

    await page.getByRole('tab', { name: 'source' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => rows(page, 'UTM')).toEqual(['None 12 92.3%', 'email 1 7.7%'])
    await card(page, 'Referer').getByRole('button', { name: 'Show all' }).focus()
    await page.keyboard.press('Enter')
    const all = page.getByRole('dialog', { name: 'Referer' }).locator('tbody tr')
    await expect.poll(() => all.count()).toBe(11)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await all.first().waitFor({ state: 'detached' })
  })
})

describe.skipIf(!hasChromium)('of two months', () => {
  /** Tickets was visited more often 40 days ago, the poster only now and once from a phone in Paris. */
  async function openMonths() {
    const dataDir = temporaryFolder()
    const before = await serve({ dataDir, env: daysAgo(40) })
    await createLink(before, { short_code: 'tickets', title: 'Tickets' })
    await createLink(before, { short_code: 'poster', title: 'Poster' })
    for (let times = 0; times < 4; times++) await visit(before, 'tickets')
    await before.kill('SIGTERM')
    const dashboard = await openWorldly({}, { dataDir })
    const { server } = dashboard
    await visit(server, 'tickets')
    for (let times = 0; times < 2; times++) await visit(server, 'poster')
    await visit(server, 'poster', { ip: paris, agent: agents.safariOnIphone })
    return dashboard
  }

  it('the most visited links are named, with what they were before, and lead to their numbers', async () => {
    const { page, open } = await openMonths()
    await open('/analytics')
    await expect
      .poll(() => rows(page, 'Top links'))
      .toEqual([
        expect.stringMatching(/^Poster \S+\/poster 3 75% new$/),
        expect.stringMatching(/^Tickets \S+\/tickets 1 25% down 75%$/),
      ])
    const browsers = ['Firefox 3 75% down 25%', 'Safari 1 25% new']
    expect(await rows(page, 'Browser')).toEqual(browsers)
    await expectAccessible(page)
    await choose(page, 'Period', 'Last 7 days')
    await card(page, 'Top links').getByRole('link', { name: 'Tickets' }).click()
    await page.waitForURL(/\/links\/lnk_\w+\/analytics\?interval=7d$/)
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('1')
    expect(await card(page, 'Top links').count()).toBe(0)
  })

  it('a value tells when it was and of which links, and what nobody can tell', async () => {
    const { page, open } = await openMonths()
    await open('/analytics')
    await card(page, 'Browser').getByRole('button', { name: 'Firefox', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Browser: Firefox' })
    await dialog.getByText('3 visits', { exact: true }).waitFor()
    await dialog.getByText('Linnet stores only totals').waitFor()
    const links = await dialog.locator('tbody tr').allInnerTexts()
    expect(links.map(text => text.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^Poster \S+ 2 66.7% new$/),
      expect.stringMatching(/^Tickets \S+ 1 33.3% down 75%$/),
    ])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Firefox')

    await card(page, 'Referer').waitFor({ state: 'detached' })
    await page.getByText(/^No data yet for: .*Referer/).waitFor()
  })

  it('a day is annotated, the last minutes are counted apart, and a public page tells the same', async () => {
    const { page, server, open } = await openMonths()
    const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)
    await server.api('POST', '/annotations', { day, text: 'Posters are up' })
    await open('/analytics?interval=90d')
    await page.getByRole('button', { name: /^Annotations of .*: Posters are up$/ }).waitFor()
    await expect.poll(() => total(page, 'Visits').innerText()).toBe('8')
    await page
      .getByRole('region', { name: 'Last minutes' })
      .getByText('4 in 30 minutes, since the restart at')
      .waitFor()

    const [tickets] = (await server.api('GET', '/links?search=tickets')).body.data
    const made = await server.api('POST', '/public-numbers', { of: tickets.id, title: 'Tickets' })
    const reader = await page.context().newPage()
    const visitsIn = async (interval: string) => {
      await reader.goto(`${made.body.data.url}?interval=${interval}`)
      return reader.getByRole('row', { name: /^Firefox / }).innerText()
    }
    expect(await visitsIn('90d')).toMatch(/^Firefox\s+5\s+100%/)
    expect(await visitsIn('7d')).toMatch(/^Firefox\s+1\s+100%/)
    await reader.close()
  })

  it('a panel is a file for spreadsheets, and a picture', async () => {
    const { page, open } = await openMonths()
    await open('/analytics')
    await card(page, 'Browser').waitFor()
    const save = async (panel: string, format: string) => {
      await page.getByRole('button', { name: `Save ${panel}`, exact: true }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format, exact: true }).click(),
      ])
      return { name: download.suggestedFilename(), file: readFileSync(await download.path()) }
    }
    const links = await save('Top links', 'Numbers (CSV)')
    expect(links.name).toMatch(/^linnet_links_[-\d]+_[-\d]+\.csv$/)
    expect(links.file.toString()).toContain(',Poster,')
    const browsers = (await save('Browser', 'Numbers (CSV)')).file.toString()
    expect(browsers).toContain('previous,visitsByBrowser,,,Firefox,Firefox,4,')
    expect(browsers).not.toContain('visitsByCountry')
    const drawn = await save('Browser', 'Image (SVG)')
    expect(drawn.name).toBe('linnet_browser.svg')
    for (const text of ['Browser', 'Safari', '75%']) {
      expect(drawn.file.toString()).toContain(`>${text}</text>`)
    }
    const painted = await save('Visits over time', 'Image (PNG)')
    expect(painted.name).toBe('linnet_visits-over-time.png')
    const { width, data } = PNG.sync.read(painted.file)
    const box = await card(page, 'Visits over time').boundingBox()
    expect(width).toBe(Math.ceil(box?.width ?? 0) * 2)
    expect(
      new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size,
    ).toBeGreaterThan(50)
  })
})

describe.skipIf(!hasChromium)('a public page', () => {
  it('is made, named, shut and revoked, and read by who has its address', async () => {
    const { page, server, open } = await openWorldly()
    const { id } = await createLink(server, { short_code: 'tickets', title: 'Tickets' })
    await visitTickets(server)
    await open(`/links/${id}/analytics`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Public page' })
    await dialog.getByRole('button', { name: 'Create public page' }).click()
    await dialog.getByRole('button', { name: 'Copy the secret address' }).waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Heading').fill('Autumn tour')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor()
    const address = await dialog.locator('code').innerText()

    const reader = await page.context().newPage()
    await reader.goto(address)
    await reader.getByRole('heading', { name: 'Autumn tour', level: 1 }).waitFor()
    await reader.getByRole('row', { name: 'Germany 2 50%', exact: true }).waitFor()
    await reader.getByRole('link', { name: '7 days' }).click()
    await reader.waitForURL(/interval=7d$/)
    // The policy of the page allows no script, not even axe.
    const copy = await page.context().newPage()
    await copy.setContent(await (await fetch(address)).text())
    for (const colorScheme of ['light', 'dark'] as const) {
      await copy.emulateMedia({ colorScheme })
      await expectAccessible(copy)
    }
    await copy.setViewportSize({ width: 360, height: 740 })
    await expectToFit(copy)

    await dialog.getByRole('switch', { name: 'Page is open' }).click()
    await dialog.getByRole('link', { name: 'Open page' }).waitFor({ state: 'detached' })
    expect((await fetch(address)).status).toBe(404)
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page
      .getByRole('dialog', { name: 'Revoke this page?' })
      .getByText('Revoke', { exact: true })
      .click()
    await dialog.getByRole('button', { name: 'Create public page' }).waitFor()
  })
})

describe.skipIf(!hasChromium)('a finger', () => {
  it('points at the chart, until it touches something else', async () => {
    const { page, server, open } = await openWorldly({ hasTouch: true })
    await createLink(server, { short_code: 'tickets' })
    await visitTickets(server)
    await open('/analytics')
    const svg = card(page, 'Visits over time').locator('svg').last()
    const { width } = (await svg.boundingBox()) ?? { width: 0 }
    await svg.tap({ position: { x: width - 30, y: 100 } })
    await page.getByText('so far').waitFor()
    await page.getByRole('heading', { level: 1 }).tap()
    await page.getByText('so far').waitFor({ state: 'detached' })
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('in %s', colorScheme => {
  it('analytics are open to everybody, and fit a phone', async () => {
    const { page, server, open } = await openWorldly({ colorScheme })
    const { id } = await createLink(server, {
      short_code: 'tickets',
      title: 'W'.repeat(120),
      original_url: `https://example.com/${'long'.repeat(100)}`,
    })
    await visitTickets(server)
    await visit(server, 'tickets', { query: `?utm_source=${'long'.repeat(30)}` })
    await open(`/links/${id}/analytics`)
    await card(page, 'UTM').waitFor()
    await page.locator('[data-country=SG]').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
    await expectAccessible(page)
  })
})

describe.skipIf(!hasChromium)('annotations', () => {
  async function openAnnotated() {
    const dashboard = await openDashboard({ timezoneId: 'UTC' })
    const { server, page, open } = dashboard
    await createLink(server, { short_code: 'tickets' })
    await visit(server, 'tickets')
    await open('/analytics')
    await chart(page).waitFor()
    return dashboard
  }

  const dialog = (page: Page) => page.getByRole('dialog', { name: /^Annotations: / })
  const marks = (page: Page) => page.getByRole('button', { name: /^Annotations of / })
  const markNames = async (page: Page) =>
    Promise.all((await marks(page).all()).map(mark => mark.getAttribute('aria-label')))

  async function annotate(page: Page, text: string) {
    await dialog(page).getByLabel('What happened').fill(text)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
  }

  it('are made where the arrow keys are, said there, changed and deleted', async () => {
    const { page } = await openAnnotated()
    await chart(page).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('No annotations for these days.').waitFor()
    await expectAccessible(page)
    await annotate(page, 'Newsletter sent')
    await marks(page).waitFor()
    await expect.poll(() => said(page)).toMatch(/, annotated: Newsletter sent$/)
    await expectAccessible(page)

    await marks(page).click()
    await dialog(page).getByRole('button', { name: 'Actions for Newsletter sent' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog(page).getByLabel('What happened').fill('Letter sent')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByText('Letter sent').waitFor()
    await dialog(page).getByRole('button', { name: 'Actions for Letter sent' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: 'Delete this annotation?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await dialog(page).getByText('No annotations for these days.').waitFor()
    await page.keyboard.press('Escape')
    await marks(page).waitFor({ state: 'detached' })
  })

  it('are made by a click into the chart, and are at their week by the week', async () => {
    const { page, server } = await openAnnotated()
    const lines = card(page, 'Visits over time').locator('svg[width]').last()
    const box = await lines.boundingBox()
    if (!box) throw new Error('There is no chart.')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    const day = await dialog(page).getByLabel('Day').inputValue()
    await annotate(page, 'Sale <b>')
    await expect.poll(() => markNames(page)).toEqual([expect.stringMatching(/: Sale <b>$/)])
    const { data } = (await server.api('GET', '/annotations')).body
    expect(data).toMatchObject([{ day, text: 'Sale <b>' }])

    await choose(page, 'Granularity', 'By week')
    await expect
      .poll(() => markNames(page))
      .toEqual([expect.stringMatching(/^Annotations of Week of .*: Sale <b>$/)])
    await page.getByRole('button', { name: 'Annotations', exact: true }).click()
    await dialog(page).getByText('Sale <b>').waitFor()
  })
})

describe.skipIf(!hasChromium)('visits that a link brought from elsewhere', () => {
  it('are in its total, and those without a date are told apart', async () => {
    const server = await serve({ dataDir: folderWithImporter() })
    const { page, open } = await openDashboard({ server })
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    const link = { url: 'https://e.org/', code: 'a', visits: 1_000, days: [{ day, visits: 12 }] }
    await server.api('POST', '/import/lines', { lines: JSON.stringify(link) })
    const { body } = await server.api('GET', '/links/lookup?short_code=a')
    await open(`/links/${body.data.id}/analytics`)
    const visits = page.locator('dl > div', { has: page.getByText('Visits', { exact: true }) })
    await visits.getByText('12', { exact: true }).waitFor()
    await visits.getByText('and 988 without a date').waitFor()
    await open(`/links/${body.data.id}`)
    await page.getByText('1,000 visits').waitFor()
    await page.getByText('988 of them without a date').waitFor()
    await open('/links')
    await page.getByTitle('988 of them without a date').waitFor()
  })
})
