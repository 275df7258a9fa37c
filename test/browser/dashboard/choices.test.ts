import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { openDashboard } from './dashboard.ts'

/** A new link that is ready to send. */
async function openNewLink(tags: readonly string[] = []) {
  const dashboard = await openDashboard()
  const { page, server, open } = dashboard
  for (const name of tags) await server.api('POST', '/tags', { name })
  await open('/links/new')
  await page.getByLabel('Original URL').fill('https://example.com/')
  return { ...dashboard, ...inputs(page), sent: changesOf(page, '/links') }
}

function inputs(page: Page) {
  const input = (name: string) => page.getByRole('combobox', { name, exact: true })
  return {
    input,
    /** The option that Enter takes. */
    highlighted: page.locator('[role="option"][data-combobox-selected]'),
    async type(name: string, text: string) {
      await input(name).click()
      await input(name).pressSequentially(text)
    },
  }
}

/** The bodies of all requests that change something below a path. */
function changesOf(page: Page, path: string): unknown[] {
  const sent: unknown[] = []
  page.on('request', request => {
    const isBelow = new URL(request.url()).pathname.startsWith(`/api/v1${path}`)
    if (isBelow && request.method() !== 'GET') sent.push(request.postDataJSON())
  })
  return sent
}

describe.skipIf(!hasChromium)('Enter in a list', () => {
  it('takes the tag that is highlighted, and sends no form', async () => {
    const { page, server, input, type, highlighted, sent } = await openNewLink(['Newsletter'])
    await type('Tags', 'New')
    await highlighted.getByText('Newsletter').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.mantine-Pill-root', { hasText: 'Newsletter' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect([sent, await input('Tags').inputValue()]).toEqual([[], ''])
    expect(await page.locator('.mantine-Pill-root').count()).toBe(1)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByText('is ready.').waitFor()
    expect((await server.api('GET', '/links')).body.data).toMatchObject([
      { tags: [{ name: 'Newsletter' }] },
    ])
  })

  it('makes a tag that is not there, and keeps the focus', async () => {
    const { page, type, highlighted, sent } = await openNewLink()
    await type('Tags', 'Station')
    await highlighted.getByText('Create tag “Station”').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.mantine-Pill-root', { hasText: 'Station' }).waitFor()
    await page.keyboard.type('Print')
    await highlighted.getByText('Create tag “Print”').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.mantine-Pill-root', { hasText: 'Print' }).waitFor()
    expect(sent).toEqual([])
  })

  it('takes what is highlighted also when it was found late', async () => {
    const many = Array.from({ length: 100 }, (_, place) => `A ${place}`)
    const { page, type, highlighted } = await openNewLink([...many, 'Zebra'])
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/v1/tags?*search=Zeb*', async route => {
      asked.resolve()
      await answer.promise
      await route.continue()
    })
    await type('Tags', 'Zeb')
    await asked.promise
    // Whether the option is highlighted meanwhile depends on the speed of typing.
    await page.getByRole('option', { name: 'Create tag “Zeb”' }).waitFor()
    answer.resolve()
    await highlighted.getByText('Zebra').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.mantine-Pill-root', { hasText: 'Zebra' }).waitFor()
  })

  it('loses nothing that is entered while tags are still looked for, and the form waits for it', async () => {
    const { page, server, open } = await openDashboard()
    const many = Array.from({ length: 100 }, (_, place) => `A ${place}`)
    for (const name of [...many, 'Zebra']) await server.api('POST', '/tags', { name })
    await open('/links/new')
    await page.getByLabel('Original URL').fill('https://example.com/')
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/v1/tags?*search=*', async route => {
      await answer.promise
      await route.continue()
    })
    const sent = changesOf(page, '/links')
    await page.getByRole('combobox', { name: 'Tags', exact: true }).click()
    for (const name of ['zebra', 'Station', 'station', 'Zebra']) {
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    }
    const pills = page.locator('.mantine-Pill-root')
    await expect.poll(() => pills.allInnerTexts()).toEqual(['zebra', 'Station'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    expect(sent).toEqual([])
    answer.resolve()
    await page.getByText('is ready.').waitFor()
    expect((await server.api('GET', '/links')).body.data).toMatchObject([
      { tags: [{ name: 'Station' }, { name: 'Zebra' }] },
    ])
    expect((await server.api('GET', '/tags')).body.meta.total).toBe(102)
  })

  it('takes the campaign that is entered while campaigns are still looked for', async () => {
    const { page, server, open, sent, type } = await openNewLink()
    const many = Array.from({ length: 100 }, (_, place) => `A ${place}`)
    for (const name of [...many, 'Zebra']) await server.api('POST', '/campaigns', { name })
    await open('/links/new')
    await page.getByLabel('Original URL').fill('https://example.com/')
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/v1/campaigns?*search=*', async route => {
      await answer.promise
      await route.continue()
    })
    await type('Campaign', 'zebra')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create link' }).click()
    expect(sent).toEqual([])
    answer.resolve()
    await page.getByText('is ready.').waitFor()
    expect((await server.api('GET', '/links')).body.data).toMatchObject([
      { campaign: { name: 'Zebra' } },
    ])
  })

  it('takes the campaign that is highlighted', async () => {
    const { page, server, open, input, type, highlighted, sent } = await openNewLink()
    await server.api('POST', '/campaigns', { name: 'Autumn' })
    await open('/links/new')
    await page.getByLabel('Original URL').fill('https://example.com/')
    await type('Campaign', 'Aut')
    await highlighted.getByText('Autumn').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => input('Campaign').inputValue()).toBe('Autumn')
    await type('Campaign', 'x')
    await page.getByRole('option', { name: 'Create campaign “Autumnx”' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    expect(sent).toEqual([])
  })

  it('takes the values of a rule, and saves nothing meanwhile', async () => {
    const { page, server, open } = await openDashboard()
    const conditions = ['country', 'language', 'os', 'device'].map(type => ({
      type,
      operator: 'is',
      value: { country: 'FR', language: 'fr', os: 'iOS', device: 'tablet' }[type],
    }))
    const { id } = await createLink(server, {
      dynamic_routing: {
        rules: [{ name: 'Some', original_url: 'https://example.com/de', conditions }],
      },
    })
    const sent = changesOf(page, '/links')
    await open(`/links/${id}`)
    await page.getByRole('button', { name: /^Routing rules/ }).click()
    await page.getByRole('list').getByRole('button').first().click()
    const values = page.getByRole('combobox', { name: 'Values' })
    for (const [place, text] of ['germ', 'de', 'andr'].entries()) {
      await values.nth(place).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
    }
    await values.nth(3).focus()
    await page.keyboard.press('Space')
    await page.getByRole('option', { name: 'Tablet' }).waitFor()
    await page.keyboard.press('Enter')
    const pills = page.locator('main .mantine-Pill-root')
    await expect
      .poll(() => pills.allInnerTexts())
      .toEqual(['France', 'Germany', 'French', 'German', 'iOS', 'Android', 'Tablet'])
    expect(sent).toEqual([])
  })
})
