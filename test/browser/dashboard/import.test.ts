import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../plugins/dashboard/web/shared/text/csv.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const give = (page: Page, text: string, name = 'links.csv') =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

async function download(page: Page, button: string) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByText(button).click()])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

const sheet = [
  '\ufefflong_url,slug,name,labels,clicks,valid until,max_visits',
  'example.com/a,tickets,"Tickets, early",Print,3,2099-03-01,5',
  'https://example.com/b,fresh,"Two\r\nlines","print, Fair",,,',
  'nowhere,x,,,,,',
  'https://example.com/c,api,,,,,',
].join('\r\n')

describe.skipIf(!hasChromium)('many links at once', () => {
  it('are made of pasted lines, with and without a short code', async () => {
    const { page, server, open } = await openDashboard()
    await open('/links/import')
    await page.getByLabel('URLs').fill('example.com/one\n\ntwo https://example.com/two\n')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('2 links can be created.').waitFor()
    await page.getByRole('button', { name: 'Create 2 links' }).click()
    await page.getByText('2 of 2 created.').waitFor()
    expect((await server.get('/two')).headers.get('location')).toBe('https://example.com/two')
    const { text } = await download(page, 'Download short URLs')
    const [head, one, two] = readCsv(text)
    expect(head).toEqual(['short_url', 'original_url', 'title'])
    expect(one?.[1]).toBe('https://example.com/one')
    expect(two).toEqual([`${server.url}/two`, 'https://example.com/two', ''])
    await page.getByRole('link', { name: 'Show all links' }).click()
    await page.getByText('example.com/one').waitFor()
  })

  it('are made of a CSV file, whose problems are shown before and can be saved after', async () => {
    const { page, server, open } = await openDashboard({ colorScheme: 'dark' })
    await createLink(server, { short_code: 'tickets' })
    await open('/links/import')
    await expectAccessible(page)
    await give(page, sheet)
    await page.getByText('1 link can be created, 3 cannot.').waitFor()
    expect(await page.getByRole('combobox', { name: 'slug' }).inputValue()).toBe('Short code')
    expect(await page.getByRole('combobox', { name: 'clicks' }).inputValue()).toBe('')
    await page
      .getByRole('row', { name: /tickets/ })
      .getByText('Already taken.')
      .waitFor()
    await page.getByRole('row', { name: /api/ }).getByText('Reserved by Linnet.').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)

    await page.getByText('Use another code').click()
    await page.getByText('Instead of tickets, which is taken').waitFor()
    await page.getByRole('button', { name: 'Create 3 links' }).click()
    await page.getByText('3 of 3 created, 1 row failed.').waitFor()
    await expectAccessible(page)
    const { body } = await server.api('GET', '/links?search=example.com&sort=created_at')
    expect(body.data.slice(1)).toMatchObject([
      {
        originalUrl: 'https://example.com/a',
        shortCode: 'tickets-2',
        title: 'Tickets, early',
        tags: [{ name: 'Print' }],
        maxVisits: 5,
      },
      { shortCode: 'fresh', title: 'Two lines', tags: [{ name: 'Fair' }, { name: 'Print' }] },
      { shortCode: 'api-2' },
    ])
    const { name, text } = await download(page, 'Download these as CSV')
    expect(name).toBe('links-failed.csv')
    expect(readCsv(text)).toEqual([
      ['long_url', 'slug', 'name', 'labels', 'clicks', 'valid until', 'max_visits', 'Problem'],
      ['nowhere', 'x', '', '', '', '', '', expect.stringContaining('http://')],
    ])
  })

  it('are mapped as people say', async () => {
    const { page, server, open } = await openDashboard()
    await open('/links/import')
    await give(page, 'site,remark\nhttps://example.com/a,Poster')
    await page.getByText('1 link can be created.').waitFor()
    await page.getByRole('combobox', { name: 'remark' }).click()
    await page.getByRole('option', { name: 'Title' }).click()
    await page.getByRole('button', { name: 'Create 1 link' }).click()
    await page.getByText('1 of 1 created.').waitFor()
    expect((await server.api('GET', '/links')).body.data).toMatchObject([{ title: 'Poster' }])
  })

  it('can be stopped, and gone on with, and none is made twice for a lost answer', async () => {
    const { page, server, open, complaints } = await openDashboard()
    await open('/links/import')
    const addresses = Array.from({ length: 120 }, (_, n) => `example.com/${n}`)
    await page.getByLabel('URLs').fill(addresses.join('\n'))
    await page.getByRole('button', { name: 'Preview' }).click()
    let requests = 0
    await page.route('**/api/v1/links/bulk', async route => {
      requests += 1
      if (requests === 1) await page.getByRole('button', { name: 'Stop' }).click()
      const answer = await route.fetch()
      return requests === 2 ? route.abort('connectionreset') : route.fulfill({ response: answer })
    })
    await page.getByRole('button', { name: 'Create 120 links' }).click()
    await page.getByText('50 of 120 created').waitFor()
    await page.getByRole('button', { name: 'Continue with the remaining 70' }).click()
    await page.getByText('The server does not answer.').first().waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
    await page.getByRole('button', { name: 'Continue with the remaining 70' }).click()
    await page.getByText('120 of 120 created.').waitFor()
    expect((await server.api('GET', '/links')).body.meta.total).toBe(120)
  })

  it.each([
    ['lines', 'example.com/a\\nexample.com/b'],
    ['addresses', 'https://example.com/a https://example.com/b'],
  ])('are offered where several %s are pasted into the form of one', async (_, pasted) => {
    const { page, open } = await openDashboard({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await open('/links/new')
    await page.evaluate(`navigator.clipboard.writeText('${pasted}')`)
    await page.getByLabel('Original URL').focus()
    await page.keyboard.press('Control+V')
    await page.getByText('You pasted 2 links.').waitFor()
    await page.getByRole('link', { name: 'Create a link for each' }).click()
    await page.getByText('2 links can be created.').waitFor()
  })
})

describe.skipIf(!hasChromium)('the links of a list', () => {
  it.each(['CSV', 'JSON'])(
    'are saved as %s, all that are found, and can be brought in again',
    async format => {
      const { page, server, open } = await openDashboard()
      for (let from = 0; from < 130; from += 65) {
        const links = Array.from({ length: 65 }, (_, n) => ({
          original_url: `https://example.com/${from + n}`,
          title: from + n === 0 ? '=1+1, "quoted"' : `Page ${from + n}`,
        }))
        await server.api('POST', '/links/bulk', { links })
      }
      await createLink(server, { original_url: 'https://elsewhere.example.org/' })
      await open('/links?q=example.com&page=2')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      const { name, text } = await download(page, `Export as ${format}`)
      expect(name).toMatch(new RegExp(`^links-\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`))
      await page.getByText('Exported 130 links.').waitFor()
      if (format === 'JSON') {
        const links = JSON.parse(text)
        expect(new Set(links.map(({ id }: { id: string }) => id)).size).toBe(130)
        return
      }
      const [head = [], ...rows] = readCsv(text)
      expect([rows.length, rows.at(-1)?.[head.indexOf('title')]]).toEqual([130, '=1+1, "quoted"'])
      await open('/links/import')
      await give(page, text)
      await page.getByText('0 links can be created, 130 cannot.').waitFor()
    },
  )
})
