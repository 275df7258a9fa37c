import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, temporaryFolder } from '../../e2e/program.ts'
import { createLink, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard } from './dashboard.ts'

const moods = `
import { definePlugin, endpoint, toggle, z } from 'linnet/plugin'

export default definePlugin({
  feature: 'acme.moods',
  about: 'Keeps no mood, but limits and counts them.',
  flag: 'moodCreationEnabled',
  scopes: ['office-moods:read'],
  limits: { maxMoods: { label: 'Moods', used: 'moodsCount' } },
  usage: { moodsCount: () => 1 },
  dimensions: { gladVisits: { label: 'Glad visits', chart: 'number', of: () => '' } },
  unstable: { totals: { glad: 'gladVisits' } },
  fields: { sulks: toggle({ label: 'Sulks', stored: false }) },
  migrations: {
    '001-links': async ({ schema }) => {
      await schema
        .createTable('acme_moods_links')
        .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('cascade'))
        .execute()
    },
  },
  async save({ rowId }, { sulks }, { db }) {
    if (sulks) await db.insertInto('acme_moods_links').values({ link_id: rowId }).execute()
  },
  statuses: {
    sulking: {
      label: 'Sulking',
      rank: 100,
      links: ({ db }) => db.selectFrom('acme_moods_links').select('link_id'),
    },
  },
  endpoints: {
    'GET /office-moods': endpoint({
      summary: 'Tell the mood',
      scope: 'office-moods:read',
      answer: z.strictObject({ data: z.string() }),
      handle: () => ({ data: 'glad' }),
    }),
  },
})
`

describe.skipIf(!hasChromium)('a plugin from outside', () => {
  it('has its limit, its switch and its scope among ours', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'))
    writeFileSync(join(dataDir, 'plugins/moods.js'), moods)
    const { page, server, open } = await openDashboard({ server: await serve({ dataDir }) })

    await open('/admin/plans/unlimited')
    await page.getByRole('checkbox', { name: 'Moods: unlimited' }).uncheck()
    await page.getByRole('textbox', { name: 'Moods' }).fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Plan Unlimited saved for all its accounts.').waitFor()
    await open('/settings')
    await page.getByText('1 of 2').waitFor()

    await open('/admin/features')
    await page.getByRole('switch', { name: 'Mood creation' }).uncheck()
    await page.getByText('Mood creation: off for everyone.').waitFor()
    const { plan, features } = (await server.api('GET', '/profile')).body.data
    expect([plan.limits.maxMoods, features.moodCreationEnabled]).toEqual([2, false])

    await open('/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('checkbox', { name: 'Read Office moods' }).check()
    expect(await page.getByRole('checkbox', { name: 'Write Office moods' }).count()).toBe(0)

    await server.api('PATCH', '/admin/features', { mood_creation_enabled: true })
    const { id, shortCode } = await createLink(server)
    await server.get(`/${shortCode}`)
    const visits = async () => (await server.api('GET', `/links/${id}`)).body.data.visits
    await expect.poll(visits).toEqual({ total: 1, fromQrCodes: 0, glad: 1 })
  })

  it('has its status on links and among the filters of the list', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'))
    writeFileSync(join(dataDir, 'plugins/moods.js'), moods)
    const { page, server, open } = await openDashboard({ server: await serve({ dataDir }) })
    const { id } = await createLink(server, { title: 'Sulks', sulks: true })
    expect((await server.api('GET', `/links/${id}`)).body.data.status).toBe('sulking')
    await createLink(server, { title: 'Smiles' })
    await open('/links')
    await page.getByText('Smiles').waitFor()
    await page.getByText('Sulking', { exact: true }).filter({ visible: true }).waitFor()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Sulking' }).click()
    await page.getByText('Smiles').waitFor({ state: 'hidden' })
    await page.getByText('Sulks').waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('sulking')
  })

  it('is called as it says, and has a page of its own in the menu', async () => {
    const dataDir = temporaryFolder()
    cpSync(join(root, 'examples'), join(dataDir, 'plugins'), {
      recursive: true,
      filter: path => /examples$|link-in-bio(?!\.test)/.test(path),
    })
    const { page, server, open } = await openDashboard({ server: await serve({ dataDir }) })
    await createLink(server, { title: 'My shop' })
    await open('/admin/plugins')
    await page.getByRole('link', { name: 'Link in bio' }).first().waitFor()
    const link = page.locator('section', {
      has: page.getByRole('heading', { name: 'Link', exact: true }),
    })
    await link.getByText('Show links of an account on a page').waitFor()

    await page.getByRole('navigation').getByRole('link', { name: 'Link in bio' }).first().click()
    const site = page.frameLocator('iframe[title="Link in bio"]')
    await site.getByLabel('Name in the address').fill('ada')
    await site.getByLabel('Title').fill('Ada <3')
    await site.getByRole('checkbox', { name: 'My shop' }).check()
    await site.getByRole('button', { name: 'Save' }).click()
    await site.getByText('/bio/ada.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/sites/link-in-bio')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Links', exact: true })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
    await open('/sites/nothing')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    const { status, text } = await server.get('/bio/ada')
    expect([status, text]).toEqual([200, expect.stringContaining('>My shop</a>')])
  })
})
