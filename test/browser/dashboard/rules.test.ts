import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLink, type Instance } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { type Dashboard, expectAccessible, expectToFit, openDashboard } from './dashboard.ts'

const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36'

const three = {
  rules: ['One', 'Two', 'Three'].map(name => ({
    name,
    original_url: `https://example.com/${name.toLowerCase()}`,
    conditions: [{ type: 'query_param', operator: 'exists', key: name }],
  })),
}

async function openRules(
  fields: object,
  options = {},
): Promise<Dashboard & { readonly id: string }> {
  const dashboard = await openDashboard({ timezoneId: 'Europe/Berlin', ...options })
  const { id } = await createLink(dashboard.server, { short_code: 'ruled', ...fields })
  await dashboard.open(`/links/${id}`)
  await dashboard.page.getByRole('button', { name: /^Routing rules/ }).click()
  await dashboard.page.getByRole('button', { name: 'Add rule' }).waitFor()
  return { ...dashboard, id }
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved.').first().waitFor()
}

async function choose(page: Page, input: string, word: string, place = 0): Promise<void> {
  await page.getByRole('combobox', { name: input, exact: true }).nth(place).click()
  await page.getByRole('option', { name: word, exact: true }).click()
  await page.keyboard.press('Escape')
}

async function rulesOf(server: Instance, id: string) {
  return (await server.api('GET', `/links/${id}`)).body.data.dynamicRouting?.rules
}

const names = async (server: Instance, id: string) =>
  (await rulesOf(server, id)).map(({ name }: { readonly name: string }) => name)

describe.skipIf(!hasChromium)('the editor of routing rules', () => {
  it('takes cities and networks, and says what is wrong with one', async () => {
    const { page, server, id } = await openRules({})
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Target URL', { exact: true }).fill('https://example.com/office')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'City')
    await page.getByRole('combobox', { name: 'Values' }).fill('US|Illinois|Springfield')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'Network', 1)
    await page.getByRole('combobox', { name: 'Values' }).nth(1).fill('192.0.2.0/33')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Enter an address or a network, such as 192.0.2.7').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Values' }).nth(1).click()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('192.0.2.0/24')
    await page.keyboard.press('Enter')
    await save(page)
    const [one] = await rulesOf(server, id)
    expect(one.conditions).toMatchObject([
      { type: 'city', operator: 'is', value: ['US|Illinois|Springfield'] },
      { type: 'network', operator: 'is', value: ['192.0.2.0/24'] },
    ])
    const trying = page.getByRole('region', { name: 'Test the rules' })
    await trying.getByLabel('City').fill('US|Illinois|Springfield')
    await trying.getByLabel('IP address').fill('192.0.2.7')
    await trying.getByRole('button', { name: 'Test' }).click()
    await trying.getByText('“Rule 1” applies.').waitFor()
  })

  it('makes rules that send visitors where trying them out says', async () => {
    const { page, server, id } = await openRules({})
    await page.getByRole('button', { name: 'Add rule' }).click()
    const rule = page.getByRole('listitem').filter({ hasText: 'Rule 1' })
    await rule.getByLabel('Name').fill('App')
    await page.getByLabel('Target URL', { exact: true }).fill('https://play.example.com/app')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'Operating system')
    await choose(page, 'Values', 'Android')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'Query parameter', 1)
    await page.getByLabel('Parameter', { exact: true }).fill('ref')
    await page.getByRole('combobox', { name: 'Values' }).nth(1).fill('letter')
    await page.keyboard.press('Enter')
    await save(page)
    expect(await rulesOf(server, id)).toMatchObject([
      {
        name: 'App',
        originalUrl: 'https://play.example.com/app',
        conditions: [
          { type: 'os', operator: 'is', value: ['Android'] },
          { type: 'query_param', operator: 'is', key: 'ref', value: ['letter'] },
        ],
      },
    ])

    const trying = page.getByRole('region', { name: 'Test the rules' })
    await trying.getByLabel('Operating system').fill('Android')
    await trying.getByRole('button', { name: 'Test' }).click()
    await trying.getByText('No rule applies.').waitFor()
    await trying.getByText('Query parameter ref is letter (the visitor: unknown)').waitFor()
    const without = await server.get('/ruled', { 'user-agent': android })
    expect(without.headers.get('location')).toBe('https://example.com/')

    await trying.getByLabel('Query string').fill('ref=letter')
    await page.keyboard.press('Enter')
    await trying.getByText('“App” applies.').waitFor()
    const visit = await server.get('/ruled?ref=letter', { 'user-agent': android })
    expect(visit.headers.get('location')).toBe('https://play.example.com/app')
  })

  it('names countries, languages and times as people do', async () => {
    const { page, server, id } = await openRules({ dynamic_routing: three })
    await page.getByRole('button', { name: /^1.*One/ }).click()
    await choose(page, 'Property', 'Country')
    await choose(page, 'Values', 'Germany')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'Language', 1)
    await page.getByRole('combobox', { name: 'Values' }).nth(1).fill('en-GB')
    await page.getByRole('option', { name: /British English/ }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'Time', 2)
    await page.getByLabel('From', { exact: true }).fill('22:00')
    await page.getByLabel('To', { exact: true }).fill('06:00')
    await page.getByLabel('Share of visitors').fill('30')
    await save(page)
    const [first] = await rulesOf(server, id)
    expect(first).toMatchObject({
      weight: 30,
      conditions: [
        { type: 'country', value: ['DE'] },
        { type: 'language', value: ['en-GB'] },
        { type: 'time', operator: 'between', value: '22:00-06:00 Europe/Berlin' },
      ],
    })
  })

  it('moves rules by buttons and by the keyboard, and removes them', async () => {
    const { page, server, id } = await openRules({ dynamic_routing: three })
    await page.getByRole('button', { name: 'Move Three up' }).click()
    await page.getByText('Three is now 2 of 3.').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /^1.*One/ }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('One is now 3 of 3.').waitFor({ state: 'attached' })
    await save(page)
    expect(await names(server, id)).toEqual(['Three', 'Two', 'One'])

    await page.getByText('Save your changes to test them.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove Two' }).click()
    await page.getByText('Save your changes to test them.').waitFor()
    await save(page)
    await expect.poll(() => names(server, id)).toEqual(['Three', 'One'])
    for (const name of ['Three', 'One']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click()
    }
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => rulesOf(server, id)).toBe(undefined)
  })

  it('says what is wrong where it is, deep within a rule', async () => {
    const { page } = await openRules({ dynamic_routing: three })
    await page.getByRole('button', { name: /^2.*Two/ }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByLabel('Target URL', { exact: true }).fill('nowhere')
    await page.getByRole('button', { name: /^2.*Two/ }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByLabel('Target URL', { exact: true }).waitFor()
    const condition = page.getByRole('group', { name: 'Condition 2' })
    await condition.locator('[aria-invalid="true"]').waitFor()
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(2)
    await page.getByRole('combobox', { name: 'Values' }).fill('Fran')
    await page.getByRole('option', { name: 'France' }).click()
    await page.getByLabel('Target URL', { exact: true }).fill('https://example.com/')
    await save(page)
  })
})

describe.skipIf(!hasChromium).each(['light', 'dark'] as const)('in %s', colorScheme => {
  it.each([1280, 360])('rules are open to everybody at %i px', async width => {
    const viewport = { width, height: 740 }
    const { page } = await openRules({ dynamic_routing: three }, { colorScheme, viewport })
    await page.getByRole('button', { name: /^2.*Two/ }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await choose(page, 'Property', 'Time', 1)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('No rule applies.').waitFor()
    await expectToFit(page)
    await expectAccessible(page)
  })
})
