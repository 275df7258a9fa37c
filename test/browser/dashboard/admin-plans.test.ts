import { describe, expect, it } from 'vitest'
import { createLink } from '../../e2e/server.ts'
import { hasChromium } from '../chromium.ts'
import { expectAccessible, openDashboard } from './dashboard.ts'

describe.skipIf(!hasChromium)('a plan', () => {
  it('has its limits and features changed at once, and nothing else of it', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/plans')
    await page.getByRole('link', { name: 'Unlimited' }).click()
    await page.getByRole('heading', { name: 'Unlimited', level: 1 }).waitFor()
    const links = page.getByRole('textbox', { name: 'New links per month' })
    expect(await links.isDisabled()).toBe(true)

    await page.getByRole('checkbox', { name: 'New links per month: unlimited' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a whole number').waitFor()
    await links.and(page.locator(':focus')).waitFor()
    await links.fill('1')
    await page.getByRole('switch', { name: 'Password protection' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Plan Unlimited saved for all its accounts.').waitFor()

    const { body } = await server.api('GET', '/admin/plans')
    const before = body.data.find((plan: { slug: string }) => plan.slug === 'business')
    const unlimited = Number.MAX_SAFE_INTEGER
    expect(body.data.find((plan: { slug: string }) => plan.slug === 'unlimited')).toEqual({
      slug: 'unlimited',
      name: 'Unlimited',
      isBuiltIn: true,
      isRetired: false,
      accounts: 1,
      limits: { maxLinksCreatedPerMonth: 1, maxTrackedVisitsPerMonth: unlimited },
      organization: { maxTags: unlimited, maxCampaigns: unlimited },
      analytics: before.analytics,
      link: { ...before.link, passwordProtection: false },
      developer: before.developer,
      extensions: before.extensions,
    })
    const secret = { original_url: 'https://example.com/', password: 'sesame' }
    expect((await server.api('POST', '/links', secret)).body.code).toBe('feature_not_in_plan')
    await createLink(server)
    const { status, body: refused } = await server.api('POST', '/links', {
      original_url: 'https://example.com/',
    })
    expect([status, refused.code]).toEqual([403, 'plan_limit_reached'])

    await page.getByRole('link', { name: 'All plans' }).click()
    await page
      .getByRole('article')
      .filter({ hasText: 'Default for new accounts' })
      .getByText('1', {
        exact: true,
      })
      .waitFor()
  })

  it('is recommended and priced, and free of charge again', async () => {
    const { page, server, open } = await openDashboard()
    const offerOf = async (slug: string) => {
      const { body } = await server.api('GET', '/admin/plans')
      const plan = body.data.find((plan: { slug: string }) => plan.slug === slug)
      return { recommended: plan.recommended, pricing: plan.recommendedPricing }
    }
    await open('/admin/plans/business')
    await page.getByRole('switch', { name: 'Recommended' }).check()
    await page.getByRole('switch', { name: 'Has a price' }).check()
    await page.getByRole('textbox', { name: 'Price per month' }).fill('9.5')
    await page.getByRole('textbox', { name: 'Currency of the monthly price' }).fill('eur')
    await page.getByRole('textbox', { name: 'Currency of the yearly price' }).fill('euro')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter an amount, 0 or more.').waitFor()
    const yearly = page.getByRole('textbox', { name: 'Price per year' })
    await yearly.and(page.locator(':focus')).waitFor()
    await yearly.fill('95')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a currency of ISO 4217, such as EUR.').waitFor()
    expect(await offerOf('business')).toEqual({})
    await page.getByRole('textbox', { name: 'Currency of the yearly price' }).fill('EUR')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Plan Business saved for all its accounts.').waitFor()
    expect(await offerOf('business')).toEqual({
      recommended: true,
      pricing: {
        monthly: { amount: 9.5, currency: 'EUR' },
        yearly: { amount: 95, currency: 'EUR' },
      },
    })

    await page.getByRole('link', { name: 'All plans' }).click()
    const card = page.getByRole('article').filter({ hasText: 'Business' })
    await card.getByText('Recommended').waitFor()
    await card.getByText('€9.50 per month, €95 per year').waitFor()
    await card.getByRole('link', { name: 'Business' }).click()
    await page.getByRole('switch', { name: 'Has a price' }).uncheck()
    await page.getByRole('switch', { name: 'Recommended' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => offerOf('business')).toEqual({ recommended: false })
  })

  it('is copied, takes an account, is retired, and deleted when its accounts have moved', async () => {
    const { page, server, open } = await openDashboard()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await open('/admin/plans')
    await button('New plan').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Für Vereine')
    await dialog.getByRole('combobox', { name: 'Start with a copy of' }).click()
    await page.getByRole('option', { name: 'Pro' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create plan' }).click()
    await page.getByRole('heading', { name: 'Für Vereine', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/admin/plans/fur-vereine')
    expect(await page.getByRole('textbox', { name: 'New links per month' }).inputValue()).toBe(
      '1,000',
    )
    await page.getByRole('textbox', { name: 'Name' }).fill('Vereine')
    await button('Save').click()
    await page.getByRole('heading', { name: 'Vereine', level: 1 }).waitFor()

    await open('/admin/accounts')
    await button('New account').click()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('member@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('combobox', { name: 'Plan' }).click()
    await page.getByRole('option', { name: 'Vereine' }).click()
    await button('Create account').click()
    await page.getByRole('listitem').getByText('Vereine').waitFor()

    await open('/admin/plans/fur-vereine')
    await button('Retire plan').click()
    await page.getByText('Plan Vereine retired.').waitFor()
    await button('Take accounts again').waitFor()
    await expectAccessible(page)
    expect(await button('Delete plan').count()).toBe(0)
    await button('Move accounts').click()
    await dialog.getByRole('combobox', { name: 'Move to' }).click()
    await page.getByRole('option', { name: 'Business' }).click()
    await dialog.getByRole('button', { name: 'Move accounts' }).click()
    await page.getByText('1 account moved to Business.').waitFor()
    await button('Delete plan').click()
    await dialog.getByRole('button', { name: 'Delete plan' }).click()
    await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor()
    await page.getByText('Plan Vereine deleted.').waitFor()
    const { body } = await server.api('GET', '/admin/plans')
    expect(
      body.data.map(({ slug, accounts }: { slug: string; accounts: number }) => [slug, accounts]),
    ).toEqual([
      ['free', 0],
      ['pro', 0],
      ['business', 1],
      ['unlimited', 1],
    ])
  })

  it('whose short name is taken says so, and keeps what is typed', async () => {
    const { page, open } = await openDashboard()
    await open('/admin/plans/business')
    await page.getByRole('button', { name: 'Copy plan' }).click()
    const slug = page.getByRole('textbox', { name: 'Short name' })
    expect(await slug.inputValue()).toBe('business-copy')
    await slug.fill('pro')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await page.getByText('Another plan has this slug.').waitFor()
    expect(
      await page
        .getByRole('dialog')
        .getByRole('textbox', { name: 'Name', exact: true })
        .inputValue(),
    ).toBe('Business (copy)')
  })

  it('that was changed elsewhere meanwhile is shown anew', async () => {
    const { page, server, open } = await openDashboard()
    await open('/admin/plans/pro')
    await page.getByRole('textbox', { name: 'Tags', exact: true }).fill('7')
    await server.api('PATCH', '/admin/plans/pro', { name: 'Professional' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This was changed elsewhere in the meantime.').waitFor()
    await page.getByRole('heading', { name: 'Professional', level: 1 }).waitFor()
  })

  it('that does not exist is not found', async () => {
    const { page, open } = await openDashboard()
    await open('/admin/plans/gold')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})

describe.skipIf(!hasChromium)('a feature', () => {
  it('is switched off and on for everybody, at once', async () => {
    const { page, server, open } = await openDashboard()
    const make = () => server.api('POST', '/links', { original_url: 'https://example.com/' })
    await open('/admin/features')
    const links = page.getByRole('switch', { name: 'New links' })
    await links.uncheck()
    await page.getByText('New links: off for everyone.').waitFor()
    const { status, body } = await make()
    expect([status, body.code]).toEqual([403, 'feature_disabled'])
    await links.check()
    await page.getByText('New links: on for everyone.').waitFor()
    expect((await make()).status).toBe(201)
  })

  it('stays off, and says why, where nothing brings it', async () => {
    const { page, open } = await openDashboard()
    await open('/admin/features')
    const billing = page.getByRole('switch', { name: 'Billing' })
    await billing.click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Billing' })
      .getByText('No installed plugin')
      .waitFor()
    expect(await billing.isChecked()).toBe(false)
  })
})
