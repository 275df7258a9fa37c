import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bundleWith } from '../../e2e/fixture-program.ts'
import { createLink, type Instance, serve } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import {
  around,
  type Dashboard,
  expectAccessible,
  expectToFit,
  openDashboard,
  openDoor,
} from './dashboard.ts'

const hostile = `"><img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`

const option = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}`) })

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()

async function choose(page: Page, input: string, ...words: readonly string[]): Promise<void> {
  for (const word of words) {
    await page.getByRole('combobox', { name: input, exact: true }).click()
    await page.getByRole('option', { name: word }).click()
  }
  await page.keyboard.press('Escape')
}

async function read(server: Instance, id: string) {
  return (await server.api('GET', `/links/${id}`)).body.data
}

/** The page of a new link. */
async function openLink(
  fields: object,
  options = {},
): Promise<Dashboard & { readonly id: string }> {
  const dashboard = await openDashboard({ timezoneId: 'Europe/Berlin', ...options })
  const { id } = await createLink(dashboard.server, fields)
  await dashboard.open(`/links/${id}`)
  return { ...dashboard, id }
}

describe.skipIf(!hasChromium)('a new link', () => {
  it('gets every field that the form has', async () => {
    const { page, server, open } = await openDashboard({ timezoneId: 'Europe/Berlin' })
    await server.api('POST', '/tags', { name: 'Print' })
    await open('/links/new')

    await page.getByLabel('Original URL').fill('https://example.com/tickets')
    await page.getByLabel('Short code').fill('tickets')
    await page.getByLabel('Title', { exact: true }).fill('Tickets for Berlin')
    await page.getByLabel('Notes').fill('On the poster')
    await choose(page, 'Tags', 'Print')
    await page.getByRole('combobox', { name: 'Tags' }).fill('Station')
    await page.getByRole('option', { name: 'Create tag “Station”' }).click()
    await page.getByText('Station', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Campaign' }).fill('Autumn')
    await page.getByRole('option', { name: 'Create campaign “Autumn”' }).click()
    await page
      .getByRole('combobox', { name: 'Campaign' })
      .and(page.locator('[value=Autumn]'))
      .waitFor()
    await option(page, 'UTM parameters').click()
    await page.getByLabel('Source').fill('poster')
    await option(page, 'Link expiration').click()
    await page.getByLabel('Ends at').fill('2099-07-01T12:00')
    await page.getByText('1 Jul 2099, 10:00 in UTC').waitFor()
    await page.getByLabel('Maximum visits').fill('500')
    await page.getByLabel('URL after the end').fill('example.com/over')
    await option(page, 'Password').click()
    await page.getByRole('textbox', { name: 'Password' }).fill('sesame')
    await option(page, 'Paths after the code').click()
    await choose(page, 'Paths after the code', 'Put into a template')
    await page.getByLabel('Template').fill('/in/{2}?q={query.q}')
    await page.getByText('/tickets/one/two?q=value → https://example.com/in/two?q=value').waitFor()
    await page.getByLabel('Forward query parameters').check()
    await page.getByLabel('Page before leaving').check()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('/tickets is ready.').waitFor()

    const { body } = await server.api('GET', '/links/lookup?short_code=tickets')
    expect(body.data).toMatchObject({
      originalUrl: 'https://example.com/tickets?utm_source=poster',
      title: 'Tickets for Berlin',
      notes: 'On the poster',
      tags: [{ name: 'Print' }, { name: 'Station' }],
      campaign: { name: 'Autumn' },
      expiresAt: '2099-07-01T10:00:00.000Z',
      maxVisits: 500,
      expiredUrl: 'https://example.com/over',
      hasPassword: true,
      paths: '/in/{2}?q={query.q}',
      forwardQuery: true,
      confirm: true,
      utm: { source: 'poster', medium: null },
    })
  })

  it('says at each field what is wrong with it, also behind a closed door', async () => {
    const { page, open } = await openDashboard()
    await open('/links/new')
    await page.getByLabel('Original URL').fill('nowhere')
    await page.getByLabel('Short code').fill('no spaces')
    await option(page, 'Link expiration').click()
    await page.getByLabel('URL after the end').fill('javascript:alert(1)')
    await option(page, 'Link expiration').click()
    await page.getByRole('button', { name: 'Create link' }).click()

    await page.getByLabel('URL after the end').waitFor()
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(3)
    await page.locator('input[name="original_url"]:focus').waitFor()
    await page.getByLabel('Short code').fill('fine')
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(2)
  })

  it('has the fields of a plugin that nobody here has heard of, and what it says of mistakes', async () => {
    const program = await bundleWith('acme.giftWrap', 'gift-plugin.ts')
    const { page, server, open } = await openDashboard({ server: await serve({ program }) })
    const make = () => page.getByRole('button', { name: 'Create link' }).click()
    await open('/links/new')
    await page.getByLabel('Original URL').fill('https://example.com/gift')
    await option(page, 'Gift wrap').click()
    await choose(page, 'Paper', 'striped')
    await page.getByLabel('Greeting').fill('Ask for a refund')
    await page.getByLabel('Loops').fill('12')
    await make()
    await around(page, 'Loops').getByText('Must be at most 9.').waitFor()
    await page.getByLabel('Loops').fill('3')
    await make()
    await around(page, 'Greeting').getByText('Gifts are not taken back.').waitFor()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(1)
    await page.getByLabel('Greeting').fill('For Grace')
    await make()
    await page.getByText(/is ready\./).waitFor()

    const { body } = await server.api('GET', '/links')
    const [{ id }] = body.data
    const bow = { loops: 3, isBig: false }
    expect(await read(server, id)).toMatchObject({
      giftPaper: 'striped',
      giftNote: 'For Grace',
      giftBow: bow,
    })
    await open(`/links/${id}`)
    await option(page, 'Gift wrap').click()
    expect(await page.getByRole('combobox', { name: 'Paper' }).inputValue()).toBe('striped')
    expect(await page.getByLabel('Loops').inputValue()).toBe('3')
    await page.getByLabel('Greeting').fill('')
    await page.getByLabel('Is big').check()
    await save(page)
    await page.getByText('Saved.').waitFor()
    expect(await read(server, id)).toMatchObject({
      giftPaper: 'striped',
      giftNote: null,
      giftBow: { ...bow, isBig: true },
    })
  })
})

describe.skipIf(!hasChromium)('a link that is there', () => {
  it('is changed, renamed, and its former codes are shown', async () => {
    const { page, server, id } = await openLink({ short_code: 'before', title: 'Old' })
    await page.getByLabel('Short code').fill('after')
    await page.getByLabel('Title', { exact: true }).fill('')
    await page.getByText('You have unsaved changes.').waitFor()
    await save(page)
    await page.getByText('Saved.').waitFor()
    await page.getByText('Former short codes that still lead here: before').waitFor()
    await page.getByRole('heading', { level: 1, name: /\/after$/ }).waitFor()
    expect(await read(server, id)).toMatchObject({ shortCode: 'after', title: null })
    expect((await server.get('/before')).status).toBe(302)
  })

  it('keeps, changes and removes a password that nobody reads', async () => {
    const { page, server, id } = await openLink({ password: 'sesame', title: 'Old' })
    await option(page, 'Password').click()
    await page.getByText('A password is set. Nobody can see it.').waitFor()
    await page.getByLabel('Title', { exact: true }).fill('New')
    await save(page)
    await page.getByText('Saved.').waitFor()
    expect(await read(server, id)).toMatchObject({ title: 'New', hasPassword: true })

    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill('abc')
    await save(page)
    await page.getByText('Must have at least 4 characters.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await save(page)
    await expect.poll(async () => (await read(server, id)).hasPassword).toBe(false)
  })

  it('explains what changed elsewhere, and lets people choose', async () => {
    const { page, server, id } = await openLink({ title: 'Old', notes: 'Old' })
    await page.getByLabel('Title', { exact: true }).fill('Mine')
    await page.getByLabel('Archived').check()
    await server.api('PATCH', `/links/${id}`, { title: 'Theirs', notes: 'Theirs too' })
    await save(page)

    const dialog = page.getByRole('dialog', { name: 'Changed elsewhere' })
    await dialog.getByText('Theirs too').waitFor()
    await expectAccessible(page)
    expect(await read(server, id)).toMatchObject({ title: 'Theirs', archived: false })
    await dialog.getByRole('radiogroup', { name: 'Title' }).getByText('Theirs').click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await read(server, id)).toMatchObject({
      title: 'Theirs',
      notes: 'Theirs too',
      archived: true,
    })

    await page.getByLabel('Title', { exact: true }).fill('Mine')
    await server.api('PATCH', `/links/${id}`, { title: 'Theirs again' })
    await save(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await read(server, id)).title).toBe('Mine')
  })

  it('keeps what is typed while it is being saved', async () => {
    const { page, server, id } = await openLink({ title: 'Old' })
    const { promise: typed, resolve: send } = Promise.withResolvers<void>()
    await page.route(`**/api/v1/links/${id}`, async route => {
      if (route.request().method() === 'PATCH') await typed
      await route.continue()
    })
    await page.getByLabel('Title', { exact: true }).fill('First')
    await save(page)
    await page.getByLabel('Title', { exact: true }).fill('Second')
    send()
    await page.getByText('Saved.').waitFor()
    expect((await read(server, id)).title).toBe('First')
    await save(page)
    await expect.poll(async () => (await read(server, id)).title).toBe('Second')
  })

  it('is not left by mistake while something is not saved', async () => {
    const { page } = await openLink({ title: 'Old' })
    await page.getByLabel('Title', { exact: true }).fill('New')
    await page.getByRole('link', { name: 'Tags' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('New')
    await page.getByRole('link', { name: 'Tags' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
  })

  it('is archived and deleted from its page, and what is typed stays', async () => {
    const { page, server, id } = await openLink({ title: 'Old', short_code: 'gone' })
    await page.getByLabel('Title', { exact: true }).fill('New')
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('Link archived.').waitFor()
    await expect.poll(() => page.getByLabel('Archived').isChecked()).toBe(true)
    await save(page)
    await page.getByText('Saved.').waitFor()
    expect(await read(server, id)).toMatchObject({ title: 'New', archived: true })

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
    expect((await server.get('/gone')).status).toBe(404)
    const told = page.getByRole('alert').filter({ hasText: 'Link deleted.' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'New example.com' }).waitFor()
    expect((await server.get('/gone')).status).toBe(302)
  })

  it('that is not there says so', async () => {
    const { page, open } = await openDashboard()
    await open('/links/lnk_nothing')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.getByRole('main').count()).toBe(1)
    await expectAccessible(page)
  })

  it('shows what the plan lacks, keeps it, and lets it go', async () => {
    const { page, server, open } = await openDoor()
    const api = `${server.url}/api/v1`
    const headers = { origin: server.url }
    const grace = { email: 'grace@example.org', password: 'battery staple' }
    const account = await server.api('POST', '/admin/accounts', { ...grace, plan: 'pro' })
    await page.request.post(`${api}/session`, { data: grace, headers })
    const link = { original_url: 'https://example.com/', expired_url: 'https://example.com/over' }
    const made = await page.request.post(`${api}/links`, { data: link, headers })
    const { id } = (await made.json()).data
    await server.api('PATCH', `/admin/accounts/${account.body.data.id}`, { plan: 'free' })

    await open(`/links/${id}`)
    await option(page, 'Link expiration').click()
    await page.getByText('Your plan does not include this.').waitFor()
    expect(await page.getByLabel('Ends at').isDisabled()).toBe(true)
    expect(await page.getByLabel('URL after the end').inputValue()).toBe(link.expired_url)
    await page.getByLabel('Title', { exact: true }).fill('New')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await save(page)
    await page.getByText('Saved.').waitFor()
    const { data } = await (await page.request.get(`${api}/links/${id}`)).json()
    expect(data).toMatchObject({ title: 'New', expiredUrl: null })
  })

  it('keeps words of others from being more than words', async () => {
    const { page } = await openLink({
      title: hostile,
      notes: hostile,
      original_url: `https://example.com/?q=${encodeURI(hostile)}`,
      utm: { source: hostile },
      dynamic_routing: {
        rules: [
          {
            name: hostile.slice(0, 90),
            original_url: `https://example.com/?r=${encodeURI(hostile)}`,
            conditions: [
              { type: 'query_param', operator: 'is', key: hostile.slice(0, 90), value: hostile },
              { type: 'os', operator: 'is', value: hostile.slice(0, 90) },
            ],
          },
        ],
      },
    })
    await option(page, 'UTM parameters').click()
    expect(await page.getByLabel('Source').inputValue()).toBe(hostile)
    await option(page, 'Routing rules').click()
    await page.getByRole('list').getByRole('button').first().click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('No rule applies.').waitFor()
    expect(await page.title()).not.toContain('ran')
    expect(await page.locator('main img[src="x"], main script').count()).toBe(0)
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('in %s', colorScheme => {
  it.each([1280, 360])('everything of a link is open to everybody at %i px', async width => {
    const { page, open } = await openLink(
      { title: 'W'.repeat(200), short_code: 'a'.repeat(64), password: 'sesame', maxVisits: 5 },
      { colorScheme, viewport: { width, height: 740 } },
    )
    for (const name of ['UTM parameters', 'Link expiration', 'Password']) {
      await option(page, name).click()
    }
    await page.getByRole('button', { name: 'Customise' }).click()
    await page.getByLabel('Title', { exact: true }).fill('Something else')
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Tags' }).click()
    await page.getByRole('combobox', { name: 'Tags' }).fill('New one')
    await page.getByRole('option').waitFor()
    await expectAccessible(page)
    page.on('dialog', dialog => dialog.accept())
    await open('/links/new')
    await expectToFit(page)
    await expectAccessible(page)
  })
})
