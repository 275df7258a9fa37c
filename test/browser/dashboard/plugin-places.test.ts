import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, temporaryFolder } from '../../e2e/program.ts'
import { createLink, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { type Dashboard, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

/** The dashboard of an instance with the example of moods, and what it says of two links. */
async function openMoods(locale = 'en-GB') {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  cpSync(join(root, 'examples/link-moods.ts'), join(dataDir, 'plugins/link-moods.ts'))
  const dashboard = await openDashboard({ server: await serve({ dataDir }), locale })
  const { server } = dashboard
  const feel = async (title: string, mood: string) => {
    const { id } = await createLink(server, { title })
    expect((await server.api('PATCH', `/links/${id}/mood`, { mood })).status).toBe(200)
    return id
  }
  const bread = await feel('Bread', 'glad')
  await feel('Butter', 'cross')
  await createLink(server, { title: 'Milk' })
  return { ...dashboard, bread }
}

const row = ({ page }: Pick<Dashboard, 'page'>, title: string) =>
  page.getByRole('listitem').filter({ hasText: title })

describe.skipIf(!hasChromium)('what a plugin computes of links', () => {
  it('is on each link of the list and on its page, and can be hidden', async () => {
    const dashboard = await openMoods()
    const { page, bread, open } = dashboard
    await open('/links')
    await row(dashboard, 'Bread').getByText('Glad', { exact: true }).waitFor()
    await row(dashboard, 'Butter').getByText('Cross', { exact: true }).waitFor()
    await row(dashboard, 'Milk').waitFor()
    expect(await row(dashboard, 'Milk').getByText('Mood').count()).toBe(0)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Mood' }).click()
    await page
      .getByText('Glad', { exact: true })
      .filter({ visible: true })
      .waitFor({ state: 'detached' })
    await page.reload()
    await row(dashboard, 'Bread').waitFor()
    expect(await page.getByText('Glad', { exact: true }).filter({ visible: true }).count()).toBe(0)

    await open(`/links/${bread}`)
    await page.getByRole('region', { name: 'About this link' }).getByText('Glad').waitFor()
  })

  it('is filtered by, in the address, in a saved search, and in the language of who asks', async () => {
    const dashboard = await openMoods('de-DE')
    const { page, server, open } = dashboard
    await open('/links')
    await page.getByRole('combobox', { name: 'Stimmung' }).click()
    await page.getByRole('option', { name: 'Verärgert' }).click()
    await row(dashboard, 'Bread').waitFor({ state: 'detached' })
    await row(dashboard, 'Butter').getByText('Verärgert').waitFor()
    expect(new URL(page.url()).searchParams.get('by')).toBe('mood=cross')

    const saved = { name: 'Ärger', query: 'mood=cross' }
    expect((await server.api('POST', '/saved-searches', saved)).status).toBe(201)
    await open('/links')
    await row(dashboard, 'Bread').waitFor()
    await page.getByRole('button', { name: 'Gespeicherte Suchen' }).click()
    await page.getByRole('menuitem', { name: 'Ärger' }).click()
    await row(dashboard, 'Bread').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Stimmung' }).inputValue())
      .toBe('Verärgert')

    await page.setViewportSize({ width: 360, height: 800 })
    await open('/links?by=mood%3Dcross')
    await row(dashboard, 'Butter').waitFor()
    await expectToFit(page)
  })
})

/** A plugin whose panels show what its endpoints do wrong. */
const faulty = `
import { definePlugin, endpoint, refuse, z } from 'linnet/plugin'

const answer = z.strictObject({ data: z.strictObject({ mood: z.string() }).nullable() })
const list = z.strictObject({ data: z.array(z.strictObject({ mood: z.string() })) })
const reads = { summary: 'Read a mood', scope: 'links:read', answer }

export default definePlugin({
  feature: 'acme.faulty',
  about: 'Answers as it should not.',
  endpoints: {
    'GET /links/:link/boom': endpoint({ ...reads, handle: () => { throw new Error('boom') } }),
    'GET /faulty-list': endpoint({
      ...reads,
      answer: list,
      handle: () => ({ data: ['<b>sad</b>', 'x'.repeat(5_000), 'javascript:alert(1)'].map(mood => ({ mood })) }),
    }),
    'GET /faulty-boom': endpoint({ ...reads, answer: list, handle: () => ({ data: [{ mood: 5 }] }) }),
    'POST /links/:link/refusal': endpoint({
      summary: 'Refuse',
      scope: 'links:write',
      status: 204,
      handle: () => refuse('too_sad', 'It is <b>too</b> sad.', 409),
    }),
  },
  unstable: {
    dashboard: {
      page: {
        label: 'Faulty <i>page</i>',
        panels: [
          { title: 'Rows', from: 'GET /faulty-list', table: { columns: { mood: { label: 'Mood' } } } },
          { title: 'Chart', from: 'GET /faulty-list', chart: { kind: 'line', label: 'mood', value: 'mood' } },
          { title: 'Boom', from: 'GET /faulty-boom', table: { columns: { mood: { label: 'Mood' } } } },
        ],
      },
      linkPanel: {
        title: 'Faulty <i>mood</i>',
        from: 'GET /links/:link/boom',
        rows: { mood: { label: 'Mood' } },
        buttons: [{ label: 'Cheer', call: 'POST /links/:link/refusal' }],
      },
    },
  },
})
`

describe.skipIf(!hasChromium)('a panel on the page of a link', () => {
  it('shows what the plugin answers, changes it and asks before it deletes', async () => {
    const dashboard = await openMoods()
    const { page, server, bread, open } = dashboard
    await open(`/links/${bread}`)
    const panel = page.getByRole('region', { name: 'Mood' })
    const facts = page.getByRole('region', { name: 'About this link' })
    await panel.getByText('Glad', { exact: true }).waitFor()
    await expectAccessible(page)

    await panel.getByRole('combobox', { name: 'Mood' }).click()
    await page.getByRole('option', { name: 'Cross' }).click()
    await panel.getByRole('textbox', { name: 'Reason' }).fill('<b>Nobody</b> reads it.')
    await panel.getByRole('button', { name: 'Save mood' }).click()
    await facts.getByText('Cross', { exact: true }).waitFor()
    await panel.getByText('Cross', { exact: true }).waitFor()
    const { data } = (await server.api('GET', `/links/${bread}/mood`)).body
    expect([data.mood, data.reason]).toEqual(['cross', '<b>Nobody</b> reads it.'])

    await panel.getByRole('button', { name: 'Forget mood' }).click()
    const question = page.getByRole('dialog', { name: 'Forget mood' })
    await question.getByText('The mood of this link and its reason are deleted.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await server.api('GET', `/links/${bread}/mood`)).status).toBe(200)
    await panel.getByRole('button', { name: 'Forget mood' }).click()
    await question.getByRole('button', { name: 'Forget mood' }).click()
    await page.getByText('Mood forgotten.').waitFor()
    await panel.getByText('Nothing here yet.').waitFor()
    expect(await panel.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('')

    await panel.getByRole('button', { name: 'Save mood' }).click()
    await panel.getByText('Is required.').waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    await open(`/links/${bread}`)
    await panel.getByText('Nothing here yet.').waitFor()
    await expectToFit(page)
  })

  it('says in a line what fails, and the rest of the page works', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'))
    writeFileSync(join(dataDir, 'plugins/faulty.js'), faulty)
    const { page, server, open, complaints } = await openDashboard({
      server: await serve({ dataDir }),
    })
    const { id } = await createLink(server, { title: 'Bread' })
    await open(`/links/${id}`)
    const panel = page.getByRole('region', { name: 'Faulty <i>mood</i>' })
    await panel.getByRole('alert').getByText('This cannot be shown:').waitFor()
    await panel.getByRole('button', { name: 'Cheer' }).click()
    await page.getByText('It is <b>too</b> sad.').waitFor()
    await page.getByLabel('Title').fill('Butter')
    await page.getByLabel('Title').press('Enter')
    await expect
      .poll(async () => (await server.api('GET', `/links/${id}`)).body.data.title)
      .toBe('Butter')
    // Chromium reports each answer with 500.
    expect(complaints.splice(0).filter(it => !/status of 500/.test(it))).toEqual([])
  })
})

describe.skipIf(!hasChromium)('a page of a plugin', () => {
  it('is in the menu and among the commands, with a chart, a form and a table', async () => {
    const dashboard = await openMoods()
    const { page, server, bread, open } = dashboard
    await open('/links')
    await page.getByRole('navigation').getByRole('link', { name: 'Moods' }).click()
    await page.getByRole('heading', { level: 1, name: 'Moods' }).waitFor()
    const table = page.getByRole('table', { name: 'Links with a mood' })
    await table.getByText('Cross', { exact: true }).waitFor()
    const chart = page.getByRole('table', { name: 'Chart: All moods' })
    await chart.getByRole('row', { name: 'Glad 1' }).waitFor()
    await expectAccessible(page)

    const form = page.getByRole('region', { name: 'Calm links down' })
    await form.getByRole('button', { name: 'Calm them down' }).click()
    await form.getByText('Is required.').waitFor()
    await form.getByRole('textbox').fill('0')
    await form.getByRole('button', { name: 'Calm them down' }).click()
    await table.getByText('Calm', { exact: true }).waitFor()
    await chart.getByRole('row', { name: 'Calm 1' }).waitFor()

    const filter = page.getByRole('combobox', { name: 'Mood' })
    await filter.click()
    await page.getByRole('option', { name: 'Glad' }).click()
    await table.getByText('Calm', { exact: true }).waitFor({ state: 'detached' })
    await table.getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit' })
    await expect.poll(() => edit.getByRole('combobox', { name: 'Mood' }).inputValue()).toBe('Glad')
    await expectAccessible(page)
    await edit.getByRole('textbox', { name: 'Reason' }).fill('It is read.')
    await edit.getByRole('button', { name: 'Save mood' }).click()
    await edit.waitFor({ state: 'detached' })
    await table.getByRole('cell', { name: 'It is read.' }).waitFor()
    const { data: glad } = (await server.api('GET', `/links/${bread}/mood`)).body
    expect([glad.mood, glad.reason]).toEqual(['glad', 'It is read.'])
    await filter.click()
    await page.getByRole('option', { name: 'Glad' }).click()
    await table.getByText('Calm', { exact: true }).waitFor()

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    expect(readFileSync(await saved.path(), 'utf8')).toContain(`${bread},glad\r\n`)

    await table
      .getByRole('row', { name: 'Calm' })
      .getByRole('button', { name: 'Actions for' })
      .click()
    await page.getByRole('menuitem', { name: 'Forget mood' }).click()
    await table.getByText('Calm', { exact: true }).waitFor({ state: 'detached' })
    expect((await server.api('GET', '/moods')).body.meta.total).toBe(1)

    await page.setViewportSize({ width: 360, height: 800 })
    await open('/plugins/custom/linkMoods')
    await table.waitFor()
    await expectToFit(page)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Moods' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Moods')
    await page.getByRole('option', { name: 'Moods' }).waitFor()
  })

  it('shows anything as text, and what fails in a line', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'plugins'))
    writeFileSync(join(dataDir, 'plugins/faulty.js'), faulty)
    const server = await serve({ dataDir })
    const { page, open, complaints } = await openDashboard({ server })
    await open('/plugins/acme/faulty')
    await page.getByRole('table', { name: 'Rows' }).getByText('<b>sad</b>').waitFor()
    const failed = page.getByRole('region', { name: 'Boom' }).getByRole('alert')
    await failed.getByText('This cannot be shown:').waitFor()
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    await open('/plugins/acme/faulty')
    await failed.waitFor()
    await expectToFit(page)
    await open('/plugins/acme/absent')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    // Chromium reports each answer with 500.
    expect(complaints.splice(0).filter(it => !/status of 500/.test(it))).toEqual([])
  })
})

it.skipIf(!hasChromium)(
  'a section of the settings shows and changes what a plugin keeps',
  async () => {
    const { page, server, open } = await openMoods()
    await open('/settings')
    const section = page.getByRole('region', { name: 'Moods' })
    await section.getByText('How new links feel, until somebody says otherwise.').waitFor()
    await section.getByRole('combobox', { name: 'Mood of new links' }).click()
    await page.getByRole('option', { name: 'Glad' }).click()
    await section.getByRole('button', { name: 'Save mood' }).click()
    await page.getByText('Saved.').waitFor()
    expect((await server.api('GET', '/mood-settings')).body.data).toEqual({ usual: 'glad' })
    await page.reload()
    const choice = section.getByRole('combobox', { name: 'Mood of new links' })
    await expect.poll(() => choice.inputValue()).toBe('Glad')
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 800 })
    await open('/settings')
    await choice.waitFor()
    await expectToFit(page)
  },
)

/** A plugin whose endpoint never answers. */
const silent = `
import { definePlugin, endpoint, z } from 'linnet/plugin'

export default definePlugin({
  feature: 'acme.silent',
  about: 'Says nothing.',
  endpoints: {
    'GET /silent': endpoint({
      summary: 'Wait',
      scope: 'links:read',
      answer: z.strictObject({ data: z.strictObject({ count: z.int() }) }),
      handle: () => new Promise(() => {}),
    }),
  },
  unstable: { dashboard: { settings: [{ title: 'Silent', from: 'GET /silent', rows: { count: { label: 'Count' } } }] } },
})
`

it.skipIf(!hasChromium)('a form waits for no panel of another plugin', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins'))
  writeFileSync(join(dataDir, 'plugins/silent.js'), silent)
  const { page, open, complaints } = await openDashboard({ server: await serve({ dataDir }) })
  await open('/settings')
  await page.getByRole('region', { name: 'Silent' }).waitFor()
  const notices = page.getByRole('region', { name: 'Notices', exact: true })
  const save = notices.getByRole('button', { name: 'Save notices' })
  const choice = notices.getByRole('switch').first()
  // The second time with what the first one made the newest version.
  for (const isOn of [await choice.isChecked(), !(await choice.isChecked())]) {
    await choice.press('Space')
    await save.click()
    // The silent one is asked three times, and given up each time after ten seconds.
    await expect.poll(() => save.isDisabled(), { timeout: 5_000 }).toBe(false)
    expect(await choice.isChecked()).toBe(!isOn)
    await page.getByText('Saved.').last().waitFor()
  }
  // Chromium reports each answer with 503.
  expect(complaints.splice(0).filter(it => !/status of 503/.test(it))).toEqual([])
})
