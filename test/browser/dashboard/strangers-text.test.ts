import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../e2e/program.ts'
import { createLink, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectToFit, openDashboard } from './dashboard.ts'

/** A plugin that says one text in every place of the dashboard. */
const saying = (said: string) => `
import { choice, definePlugin, endpoint, refuse, text, z } from 'linnet/plugin'

const said = ${JSON.stringify(said)}
const schema = z.strictObject({ id: z.string(), said: z.string(), count: z.number() })
const one = { id: said, said, count: 1 }
const answer = z.strictObject({ data: schema })
const list = z.strictObject({ data: z.array(schema) })
const reads = { summary: 'Read it', scope: 'links:read' }
const writes = { summary: 'Write it', scope: 'links:write' }
const rows = { said: { label: said }, id: { label: 'Words', words: { [said]: { label: said } } } }
const fields = {
  note: text({ label: said, hint: said, max: 200 }),
  kind: choice(['other'], { label: said, hint: said, labels: { other: said } }),
}

export default definePlugin({
  feature: 'acme.strangers',
  label: 'Strangers',
  about: 'Says one text.',
  computed: {
    schema: { said: z.string().nullable() },
    of: links => links.map(() => ({ said })),
  },
  endpoints: {
    'GET /strangers': endpoint({ ...reads, answer, handle: () => ({ data: one }) }),
    'GET /strangers/all': endpoint({ ...reads, answer: list, handle: () => ({ data: [one, one] }) }),
    'GET /links/:link/strangers': endpoint({ ...reads, answer, handle: () => ({ data: one }) }),
    'POST /strangers': endpoint({ ...writes, answer, handle: () => ({ data: one }) }),
    'PATCH /strangers': endpoint({
      ...writes,
      body: z.strictObject({ note: z.string().nullable(), kind: z.string().nullable() }).partial(),
      status: 204,
      handle: () => refuse('too_strange', said, 409),
    }),
  },
  unstable: {
    dashboard: {
      columns: { said: { label: said } },
      linkPanel: { title: said, lead: said, from: 'GET /links/:link/strangers', rows },
      page: {
        label: said,
        lead: said,
        panels: [
          { title: said, lead: said, from: 'GET /strangers', rows },
          {
            title: said,
            from: 'GET /strangers',
            form: { call: 'PATCH /strangers', fields, submit: said },
            buttons: [{ label: said, call: 'POST /strangers', confirm: said, show: rows }],
          },
          {
            title: said,
            from: 'GET /strangers/all',
            table: {
              columns: rows,
              buttons: [{ label: said, call: 'POST /strangers' }],
            },
          },
          { title: said, from: 'GET /strangers/all', chart: { kind: 'bars', label: 'said', value: 'count' } },
          { title: said, from: 'GET /strangers/all', chart: { kind: 'line', label: 'said', value: 'count' } },
        ],
      },
    },
  },
})
`

/** The dashboard of an instance on which everything that the plugin shows is `said`, with one link. */
async function openWith(said: string) {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/strangers.js'), saying(said))
  const dashboard = await openDashboard({ server: await serve({ dataDir }) })
  return { ...dashboard, link: await createLink(dashboard.server, { title: 'Bread' }) }
}

/** The places that a plugin has, one after another; `look` is called at each, with its dialogs open. */
async function visitAll(
  { page, open, link }: Awaited<ReturnType<typeof openWith>>,
  look: () => Promise<void>,
): Promise<void> {
  await open('/plugins/acme/strangers')
  await page.getByRole('table').nth(1).waitFor()
  await look()
  await page.getByRole('table').getByRole('button').first().click()
  await page.getByRole('menuitem').waitFor()
  await look()
  await page.keyboard.press('Escape')
  const form = page.getByRole('region').filter({ has: page.locator('form') })
  await form.locator('button[type=submit]').click()
  await page.getByRole('alert').first().waitFor()
  await look()
  await form.locator('button:not([type=submit])').last().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await look()
  await dialog.getByRole('button').last().click()
  await dialog.getByText('This is shown only now.').waitFor()
  await look()
  for (const path of ['/links', `/links/${link.id}`]) {
    await open(path)
    await page.getByText('Bread').or(page.getByLabel('Title')).first().waitFor()
    await look()
  }
}

/** Everything that is shown or read out and has a character in it that nobody sees. */
const unseen = `(() => {
  const hidden = /(?![\\t\\n\\r])[\\p{Cc}\\u200b\\u2028-\\u202e\\u2060\\u2066-\\u2069\\ufeff]/u
  const attributes = ['title', 'aria-label', 'alt', 'placeholder', 'data-label']
  const shown = [document, ...document.querySelectorAll('*')].flatMap(it => [
    ...Array.from(it.childNodes).filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
    ...attributes.map(name => it.getAttribute?.(name) ?? ''),
  ])
  return [document.title, ...shown].filter(text => hidden.test(text))
})()`

describe.skipIf(!hasChromium)('texts of strangers', () => {
  it('show what nobody would see in them, wherever they are', async () => {
    const dashboard = await openWith('gpj\u202eexe\u200b\u0007')
    const { page } = dashboard
    await visitAll(dashboard, async () => {
      await page.getByText('gpj\ufffdexe\ufffd\ufffd').first().waitFor({ state: 'attached' })
      expect(await page.evaluate(unseen)).toEqual([])
    })
  })

  it('fit a phone, however long a word', async () => {
    const dashboard = await openWith('Donaudampfschiff'.repeat(9))
    await dashboard.page.setViewportSize({ width: 360, height: 800 })
    await visitAll(dashboard, () => expectToFit(dashboard.page))
  })
})
