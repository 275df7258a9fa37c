import { describe, expect, test } from 'vitest'
import { settingsInMemory } from '../../../../core/settings/settings-file.ts'
import { addAccount } from '../../accounts/fixtures.ts'
import { anInstance } from './instance.ts'

async function withAdmin() {
  const settings = settingsInMemory()
  const instance = await anInstance({ settings })
  const session = await instance.sessionOf(await addAccount(instance.db, { isAdmin: true }))
  const send = (method: string, path: string, body?: unknown) =>
    instance.send(method, `/admin/${path}`, { session, body })
  return { ...instance, settings, send, sendAnywhere: instance.send }
}

const price = { amount: 9.5, currency: 'EUR' }

describe('plans', () => {
  test('are listed as the operator set them, also what is not installed', async () => {
    const { send } = await withAdmin()
    const { body } = await send('GET', 'plans')
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual([
      'free',
      'pro',
      'business',
      'unlimited',
    ])
    expect(body.data[1].link.dynamicRouting).toBe(true)
    expect(body.meta).toMatchObject({ total: 4, lastPage: 1 })
    expect((await send('GET', 'plans?per_page=1&page=2')).body.data).toHaveLength(1)
  })

  test('change for all their accounts at once, and for the next start', async () => {
    const { send, settings, entitlements } = await withAdmin()
    const change = { developer: { api_keys: true }, limits: { maxLinksCreatedPerMonth: 7 } }
    const { status, body } = await send('PATCH', 'plans/free', change)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      slug: 'free',
      developer: { apiKeys: true },
      limits: { maxLinksCreatedPerMonth: 7, maxTrackedVisitsPerMonth: 9007199254740991 },
    })
    expect(entitlements.effectivePlan('free').developer).toEqual({ apiKeys: true })
    expect(settings.read()).toEqual({
      plans: { free: { developer: { apiKeys: true }, limits: { maxLinksCreatedPerMonth: 7 } } },
    })
  })

  test('are recommended and priced, and neither again', async () => {
    const { send } = await withAdmin()
    const recommended_pricing = { monthly: price, yearly: { ...price, amount: 95 } }
    const offered = await send('PATCH', 'plans/pro', { recommended: true, recommended_pricing })
    expect(offered.body.data).toMatchObject({
      recommended: true,
      recommendedPricing: { monthly: price, yearly: { amount: 95, currency: 'EUR' } },
    })
    await send('PATCH', 'plans/pro', { recommended: false, recommended_pricing: null })
    const [, pro] = (await send('GET', 'plans')).body.data
    expect(pro.recommended).toBe(false)
    expect(pro).not.toHaveProperty('recommendedPricing')
  })

  test.each([
    [{ limits: { maxLinksCreatedPerMonth: -1 } }, 'limits.maxLinksCreatedPerMonth'],
    [{ limits: { maxLinksCreatedPerMonth: 1.5 } }, 'limits.maxLinksCreatedPerMonth'],
    [{ limits: { maxLinks: 1 } }, 'limits.maxLinks'],
    [{ link: { passwordProtection: 'yes' } }, 'link.passwordProtection'],
    [{ extensions: { 'acme.fortune': true } }, 'extensions'],
    [{ extensions: JSON.parse('{"__proto__":true}') }, 'extensions.__proto__'],
    [{ slug: 'gold' }, 'slug'],
    [{ recommended: null }, 'recommended'],
    [{ recommended_pricing: { monthly: price } }, 'recommended_pricing.yearly'],
    [
      { recommended_pricing: { monthly: { ...price, amount: -1 }, yearly: price } },
      'recommended_pricing.monthly.amount',
    ],
    [
      { recommended_pricing: { monthly: price, yearly: { ...price, currency: 'euro' } } },
      'recommended_pricing.yearly.currency',
    ],
  ])('%j is 422 and changes nothing', async (change, field) => {
    const { send, settings } = await withAdmin()
    expect(await send('PATCH', 'plans/pro', change)).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    })
    expect(settings.read()).toEqual({})
  })

  test('that do not exist are 404', async () => {
    const { send } = await withAdmin()
    expect(await send('PATCH', 'plans/golden', {})).toMatchObject({ status: 404 })
    expect(await send('PATCH', 'plans/__proto__', {})).toMatchObject({ status: 404 })
  })
})

describe('switches', () => {
  test('turn the API off for every token at once, and an admin turns it on again', async () => {
    const { send, sendAnywhere, db, tokenOf } = await withAdmin()
    const token = await tokenOf(await addAccount(db))
    const read = () => sendAnywhere('GET', '/profile', { token })
    expect(await read()).toMatchObject({ status: 200 })

    const off = await send('PATCH', 'features', { api_access_enabled: false })
    expect(off.body.data).toMatchObject({ apiAccessEnabled: false, linkCreationEnabled: true })
    expect((await send('GET', 'features')).body).toEqual(off.body)
    expect(await read()).toMatchObject({ status: 403, body: { code: 'feature_disabled' } })

    await send('PATCH', 'features', { apiAccessEnabled: true })
    expect(await read()).toMatchObject({ status: 200 })
  })

  test.each([
    [{ billingEnabled: true }, 'billingEnabled'],
    [{ apiAccessEnabled: 'no' }, 'apiAccessEnabled'],
    [{ everythingEnabled: true }, 'everythingEnabled'],
  ])('%j is 422', async (change, field) => {
    const { send } = await withAdmin()
    expect(await send('PATCH', 'features', change)).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    })
  })
})
