import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const table =
  'code,originalUrl,visits\nspring,https://example.com/spring,12\ntaken,https://example.com/b,\n'

async function chooseCsv(page: Page, content: string) {
  await page.getByRole('combobox', { name: 'Where they come from' }).click()
  await page.getByRole('option', { name: 'CSV file' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await page.getByText('links.csv').waitFor()
}

describe.skipIf(!hasChromium)('moving in', () => {
  itAtNight('is tried first, with a report, and brings the links then', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { short_code: 'taken' })
    await open('/links/move-in')
    await chooseCsv(page, table)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('CSV file: Tried: nothing is changed').waitFor()
    await page.getByText(/Links that can come: 1, .* Left out: 1\./).waitFor()
    await page.getByRole('row', { name: /taken/i }).getByText('Left out').waitFor()
    expect((await server.get('/spring')).status).toBe(404)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import now' }).click()
    await page.getByText('CSV file: Done').waitFor()
    await page.getByText(/Links created: 1, .* Visits: 12\./).waitFor()
    expect((await server.get('/spring')).headers.get('location')).toBe('https://example.com/spring')
  })

  itAtNight(
    'can be read again and go on once it has ended, whatever page was open meanwhile',
    async () => {
      const { page, server, open } = await openDashboard()
      await createLink(server, { short_code: 'taken' })
      const begun = await server.api('POST', '/imports', { source: 'csv', fileName: 'old.csv' })
      expect(begun.status).toBe(202)
      await server.api('DELETE', `/imports/${begun.body.data.id}`)
      await open('/links/move-in')
      await chooseCsv(page, table)
      await page.getByRole('button', { name: 'Import without trying' }).click()
      await page.getByText('CSV file: Done').waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Imports before' }).waitFor()
      await page.getByText(/^CSV file .*: Stopped\. Links created: 0,/).waitFor()
      await expectAccessible(page)
      await page
        .getByRole('button', { name: /^Show the import from CSV file/ })
        .first()
        .click()
      await page.getByRole('row', { name: /taken/i }).getByText('Left out').waitFor()
      await page.getByRole('button', { name: 'Another import' }).click()
      await page
        .getByRole('button', { name: /^Show the import from CSV file/ })
        .nth(1)
        .click()
      await page.getByRole('button', { name: 'Go on' }).waitFor()
    },
  )

  itAtNight(
    'says before a file is chosen that the server has too little memory for one',
    async () => {
      const { page, open } = await openDashboard()
      const refusal = 'To read files, a server needs more memory.'
      await page.route('**/api/v1/imports/sources', async route => {
        const answer = await route.fetch()
        const { data } = await answer.json()
        for (const { file } of data) file.refusal = refusal
        await route.fulfill({ response: answer, json: { data } })
      })
      await open('/links/move-in')
      for (const [source, isOff] of [
        ['CSV file', true],
        ['Kutt', false],
      ] as const) {
        await page.getByRole('combobox', { name: 'Where they come from' }).click()
        await page.getByRole('option', { name: source }).click()
        await page.getByText(refusal).waitFor()
        expect(await page.locator('input[type=file]').count()).toBe(0)
        expect(await page.getByRole('button', { name: 'Try it' }).isDisabled()).toBe(isOff)
      }
      await expectAccessible(page)
    },
  )

  itAtNight('puts links of a domain that is not here where one says', async () => {
    const { page, server, open } = await openDashboard()
    await open('/links/move-in')
    await chooseCsv(
      page,
      'code,originalUrl,domain\nspring,https://example.com/spring,s.example.com\n',
    )
    await page.getByRole('switch', { name: 'Give links to their owners' }).waitFor()
    await page.getByRole('button', { name: 'Add a domain' }).click()
    await page.getByRole('textbox', { name: 'Links of' }).fill('S.example.com ')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import without trying' }).click()
    await page.getByText('CSV file: Done').waitFor()
    expect((await server.get('/spring')).headers.get('location')).toBe('https://example.com/spring')
    const { data } = (await server.api('GET', '/imports')).body
    expect(data[0].options).toMatchObject({ hosts: { 's.example.com': null }, keys: false })
  })

  itAtNight('fits phones, works in the dark and by keys, and its report is a file', async () => {
    const { page, open } = await openDashboard({
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    })
    await open('/links/move-in')
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Where they come from' }).focus()
    await page.keyboard.type('csv')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await expectToFit(page)
    await expectAccessible(page)
    await page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('code,originalUrl\napi,https://example.com/\n'),
    })
    await page.getByRole('button', { name: 'Import without trying' }).click()
    await page.getByText('CSV file: Done').waitFor()
    await expectToFit(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download report' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('import-csv.csv')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(
      /^\ufeff?outcome,row,link,sentence\r\nrefused,/,
    )
    await page.getByRole('button', { name: 'Another import' }).click()
    await page.getByRole('combobox', { name: 'Where they come from' }).waitFor()
  })

  itAtNight('is undone by a file with all that the account has', async () => {
    const { page, server, open } = await openDashboard()
    await createLink(server, { short_code: 'spring' })
    await open('/')
    await page.getByRole('link', { name: 'Export' }).click()
    await page.getByRole('heading', { name: 'All accounts' }).waitFor()
    await expectAccessible(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).first().click(),
    ])
    expect(file.suggestedFilename()).toBe('linnet-export.jsonl')
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines.some(line => line.includes('"code":"spring"'))).toBe(true)
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ kind: 'end', lines: lines.length - 1 })
  })
})
