import { cpSync, mkdirSync } from 'node:fs'
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
    await expectToFit(page)
  })
})
