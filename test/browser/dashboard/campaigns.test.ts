import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, expectToFit, openDashboard } from './dashboard.ts'
import { expectOnlyWords, hostile } from './hostile.ts'

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.skipIf(!hasChromium)('the campaigns', () => {
  it('are made with dates, changed and deleted, and their links stay', async () => {
    const { page, server, open } = await openDashboard({ timezoneId: 'Europe/Berlin' })
    await open('/campaigns')
    await page.getByRole('heading', { name: 'Create your first campaign' }).waitFor()
    await page.getByRole('button', { name: 'New campaign' }).click()
    await page.getByLabel('Name').fill('Autumn')
    await page.getByLabel('Description').fill('The new edition')
    await page.getByLabel('Starts').fill('2099-11-01T10:00')
    await page.getByLabel('Ends').fill('2099-10-01T10:00')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await page.getByText('Must be after starts_at.').waitFor()
    await page.getByLabel('Ends').fill('2099-12-01T10:00')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await row(page, 'Autumn').getByText('Upcoming').waitFor()
    const made = (await server.api('GET', '/campaigns')).body.data[0]
    expect(made).toMatchObject({
      name: 'Autumn',
      description: 'The new edition',
      startsAt: '2099-11-01T09:00:00.000Z',
      endsAt: '2099-12-01T09:00:00.000Z',
    })

    const link = await createLink(server, { campaign_id: made.id })
    await choose(page, 'Autumn', 'Edit')
    await page.getByLabel('Starts').fill('')
    await page.getByLabel('Ends').fill('2020-01-01T00:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Autumn').getByText('Ended').waitFor()
    await choose(page, 'Autumn', 'Delete')
    await page.getByText('Its link stays, with its statistics').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Create your first campaign' }).waitFor()
    expect((await server.api('GET', `/links/${link.id}`)).body.data.campaign).toBeNull()
  })

  it('sum up the visits of their links, and lead to them', async () => {
    const { page, server, open } = await openDashboard()
    const { id } = (await server.api('POST', '/campaigns', { name: 'Autumn' })).body.data
    const fields = { campaign_id: id }
    await createLink(server, { ...fields, short_code: 'poster', title: 'Poster' })
    await createLink(server, { ...fields, short_code: 'letter', title: 'Letter' })
    for (const code of ['letter', 'letter', 'poster']) await server.get(`/${code}`)
    await expect
      .poll(async () => (await server.api('GET', `/campaigns/${id}`)).body.data.visits)
      .toBe(3)

    await open('/campaigns')
    await row(page, 'Autumn').getByText('3 visits').waitFor()
    await page.getByRole('link', { name: 'Autumn' }).click()
    await page.getByRole('heading', { name: 'Autumn' }).waitFor()
    const links = page.getByRole('region', { name: 'Most visited links' })
    await links.getByRole('link', { name: 'Letter' }).waitFor()
    expect(await links.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Letter[\s\S]*2 visits$/),
      expect.stringMatching(/^Poster[\s\S]*1 visit$/),
    ])
    await links.getByRole('link', { name: 'All links in this campaign' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe(`?campaign=${id}`)
    await page.goBack()
    await page.getByRole('link', { name: 'Analytics' }).last().click()
    await expect.poll(() => page.url()).toContain(`/campaigns/${id}/analytics`)
  })

  it('are deleted from their own page, which is gone then', async () => {
    const { page, server, open } = await openDashboard()
    const { id } = (await server.api('POST', '/campaigns', { name: 'Autumn' })).body.data
    await open(`/campaigns/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Winter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Winter' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Create your first campaign' }).waitFor()
  })

  it('are words and nothing more', async () => {
    const { page, server, open } = await openDashboard()
    for (const name of hostile) {
      await server.api('POST', '/campaigns', { name, description: `About ${name}` })
    }
    await open('/campaigns')
    await expectOnlyWords(page, [...hostile, ...hostile.map(name => `About ${name}`)])
    await page.getByRole('link', { name: hostile[1] }).click()
    await page.getByRole('heading', { name: hostile[1] }).waitFor()
    await expectOnlyWords(page, [hostile[1], `About ${hostile[1]}`])
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)(
  'the campaigns in %s',
  colorScheme => {
    it('are open to everybody, on a phone too', async () => {
      const viewport = { width: 360, height: 740 }
      const { page, server, open } = await openDashboard({ colorScheme, viewport })
      const [name, description] = ['W'.repeat(100), 'w'.repeat(2_000)]
      const span = { starts_at: '2020-01-01T00:00:00Z', ends_at: '2099-01-01T00:00:00Z' }
      const { id } = (await server.api('POST', '/campaigns', { name, description, ...span })).body
        .data
      await server.api('POST', '/campaigns', { name: 'Over', ends_at: span.starts_at })
      await server.api('POST', '/campaigns', { name: 'Later', starts_at: span.ends_at })
      await createLink(server, { campaign_id: id, title: 'W'.repeat(200) })
      await open('/campaigns')
      await row(page, 'Later').waitFor()
      await expectToFit(page)
      await expectAccessible(page)
      await open(`/campaigns/${id}`)
      await page.getByRole('region', { name: 'Most visited links' }).waitFor()
      await expectToFit(page)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('button', { name: 'Save' }).waitFor()
      await expectToFit(page)
      await expectAccessible(page)
    })
  },
)
