import { describe, expect, test } from 'vitest'
import { publicId } from '../../../../core/lib/public-id.ts'
import { settingsInMemory } from '../../../open-storage.ts'
import { addAccount, testEntitlements } from '../../accounts/fixtures.ts'
import { anInstance } from './instance.ts'

async function withAdmin() {
  const settings = settingsInMemory()
  const instance = await anInstance({ settings })
  const session = await instance.sessionOf(await addAccount(instance.db, { isAdmin: true }))
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    instance.send(method, `/admin/${path}`, { session, body, ...(headers && { headers }) })
  return { ...instance, settings, send }
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

  test('name an extension in full', async () => {
    const { send } = await withAdmin()
    const message = 'Write the full name of a feature: its group, a dot and its name.'
    expect(await send('PATCH', 'plans/pro', { extensions: { urlScanning: false } })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'extensions.urlScanning', message }] },
    })
  })

  test('that do not exist are 404', async () => {
    const { send } = await withAdmin()
    expect(await send('PATCH', 'plans/golden', {})).toMatchObject({ status: 404 })
    expect(await send('PATCH', 'plans/__proto__', {})).toMatchObject({ status: 404 })
  })

  test('are shown with a version, and not changed by who saw another', async () => {
    const { send } = await withAdmin()
    const { body, headers } = await send('GET', 'plans/pro')
    expect(body.data).toMatchObject({ slug: 'pro', isBuiltIn: true, isRetired: false, accounts: 0 })
    const etag = { 'if-match': headers.get('etag') ?? '' }
    expect(await send('PATCH', 'plans/pro', { recommended: true }, etag)).toMatchObject({
      status: 200,
    })
    expect(await send('PATCH', 'plans/pro', { recommended: false }, etag)).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    })
    expect((await send('GET', 'plans/pro')).body.data.recommended).toBe(true)
  })

  test('keep their version while accounts come and go', async () => {
    const { send, db } = await withAdmin()
    const before = (await send('GET', 'plans/pro')).headers.get('etag') ?? ''
    await addAccount(db, { plan: 'pro' })
    const { headers, body } = await send('GET', 'plans/pro')
    expect([headers.get('etag') === before, body.data.accounts]).toEqual([false, 1])
    expect(
      await send('PATCH', 'plans/pro', { recommended: true }, { 'if-match': before }),
    ).toMatchObject({
      status: 200,
    })
  })
})

describe('a plan that an operator makes', () => {
  test('begins as a copy, and neither changes with the other afterwards', async () => {
    const { send, entitlements } = await withAdmin()
    await send('PATCH', 'plans/pro', { recommended: true, limits: { maxLinksCreatedPerMonth: 9 } })
    const made = await send('POST', 'plans', {
      slug: 'clubs',
      name: 'For clubs',
      copy_of: 'pro',
      limits: { maxTrackedVisitsPerMonth: 4 },
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe('/api/v1/admin/plans/clubs')
    expect(made.body.data).toMatchObject({
      slug: 'clubs',
      name: 'For clubs',
      isBuiltIn: false,
      recommended: false,
      limits: { maxLinksCreatedPerMonth: 9, maxTrackedVisitsPerMonth: 4 },
      link: { dynamicRouting: true },
    })

    await send('PATCH', 'plans/pro', { limits: { maxLinksCreatedPerMonth: 1 } })
    await send('PATCH', 'plans/clubs', { developer: { api_keys: false } })
    expect(entitlements.plan('clubs').limits.maxLinksCreatedPerMonth).toBe(9)
    expect(entitlements.check('clubs', 'developer.apiKeys')).toMatchObject({
      code: 'feature_not_in_plan',
    })
    expect(entitlements.check('pro', 'developer.apiKeys')).toBeUndefined()
    const { body } = await send('GET', 'plans')
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual([
      'free',
      'pro',
      'business',
      'unlimited',
      'clubs',
    ])
  })

  test('has the least unless it says what it is a copy of', async () => {
    const { send } = await withAdmin()
    const { body } = await send('POST', 'plans', { slug: 'small', name: 'Small' })
    expect(body.data.link.passwordProtection).toBe(false)
  })

  test('has what plugins bring later where its first original has everything', async () => {
    const settings = settingsInMemory()
    const before = testEntitlements({ settings })
    await before.changePlans.create('more', 'unlimited', { name: 'More' })
    await before.changePlans.create('most', 'more', { name: 'Most' })
    await before.changePlans.create('less', 'free', { name: 'Less' })
    const after = testEntitlements({ settings, installed: new Map([['acme.fortune', {}]]) })
    const barred = ['more', 'most', 'less'].map(slug => after.check(slug, 'acme.fortune')?.code)
    expect(barred).toEqual([undefined, undefined, 'feature_not_in_plan'])
  })

  test.each([
    [{ name: 'No slug' }, 422, 'slug'],
    [{ slug: 'no-name' }, 422, 'name'],
    [{ slug: 'Gold', name: 'Gold' }, 422, 'slug'],
    [{ slug: '__proto__', name: 'Gold' }, 422, 'slug'],
    [{ slug: '7', name: 'Gold' }, 422, 'slug'],
    [{ slug: 'gold', name: ' ' }, 422, 'name'],
    [{ slug: 'gold', name: 'Gold', copy_of: 'silver' }, 422, 'copy_of'],
    [{ slug: 'gold', name: 'Gold', copy_of: 'constructor' }, 422, 'copy_of'],
    [{ slug: 'gold', name: 'Gold', extensions: { 'acme.fortune': true } }, 422, 'extensions'],
    [{ slug: 'gold', name: 'Gold', based_on: 'pro' }, 422, 'based_on'],
    [{ slug: 'pro', name: 'Gold' }, 409, 'slug'],
  ])('%j is refused, and nothing is made', async (body, status, field) => {
    const { send, settings } = await withAdmin()
    const answer = await send('POST', 'plans', body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([status, field])
    expect(settings.read()).toEqual({})
  })

  test('may be called what objects have by nature', async () => {
    const { send } = await withAdmin()
    expect(await send('GET', 'plans/constructor')).toMatchObject({ status: 404 })
    await send('POST', 'plans', { slug: 'constructor', name: 'Builders' })
    expect((await send('GET', 'plans/constructor')).body.data.name).toBe('Builders')
  })

  test('is one of at most a hundred', async () => {
    const { send, entitlements } = await withAdmin()
    for (let made = 4; made < 100; made += 1) {
      await entitlements.changePlans.create(`plan-${made}`, 'free', { name: `Plan ${made}` })
    }
    expect(await send('POST', 'plans', { slug: 'another', name: 'Another' })).toMatchObject({
      status: 403,
      body: { code: 'limit_reached', limit: 100, used: 100 },
    })
  })

  test('is what accounts can be made with and moved to', async () => {
    const { send, entitlements } = await withAdmin()
    await send('POST', 'plans', { slug: 'clubs', name: 'Clubs', copy_of: 'pro' })
    const password = 'correct horse battery'
    const { body } = await send('POST', 'accounts', {
      email: 'a@example.com',
      password,
      plan: 'clubs',
    })
    expect(body.data.plan).toBe('clubs')
    expect(entitlements.effectivePlan('clubs').name).toBe('Clubs')
    for (const plan of ['gold', 'Clubs!']) {
      expect(await send('PATCH', `accounts/${body.data.id}`, { plan })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'plan' }] },
      })
    }
  })
})

describe('a retired plan', () => {
  async function withClub() {
    const instance = await withAdmin()
    const { send, db } = instance
    await send('POST', 'plans', { slug: 'clubs', name: 'Clubs', copy_of: 'pro' })
    const member = await addAccount(db, { email: 'member@example.com', plan: 'clubs' })
    await send('PATCH', 'plans/clubs', { is_retired: true })
    const id = publicId('acc', member.id)
    return { ...instance, member, id }
  }

  test('takes no accounts, and those on it stay and can be changed', async () => {
    const { send, id, entitlements } = await withClub()
    const password = 'correct horse battery'
    const made = await send('POST', 'accounts', { email: 'b@example.com', password, plan: 'clubs' })
    expect(made).toMatchObject({ status: 409, body: { code: 'plan_retired' } })
    const kept = await send('PATCH', `accounts/${id}`, { full_name: 'Ann', plan: 'clubs' })
    expect(kept.body.data).toMatchObject({ fullName: 'Ann', plan: 'clubs' })
    expect(entitlements.check('clubs', 'developer.apiKeys')).toBeUndefined()
    await send('PATCH', `accounts/${id}`, { plan: 'free' })
    expect(await send('PATCH', `accounts/${id}`, { plan: 'clubs' })).toMatchObject({ status: 409 })
    await send('PATCH', 'plans/clubs', { is_retired: false })
    expect(await send('PATCH', `accounts/${id}`, { plan: 'clubs' })).toMatchObject({ status: 200 })
  })

  test('has its accounts moved, whose links are looked up anew', async () => {
    const { send, id, forgotten } = await withClub()
    const move = (to: string) => send('POST', 'plans/clubs/move-accounts', { to })
    expect(await move('clubs')).toMatchObject({ status: 409, body: { code: 'plan_retired' } })
    expect(await move('gold')).toMatchObject({ status: 422, body: { errors: [{ field: 'to' }] } })
    expect(await send('POST', 'plans/gold/move-accounts', { to: 'pro' })).toMatchObject({
      status: 404,
    })
    expect((await move('business')).body.data).toEqual({ moved: 1 })
    expect((await send('GET', `accounts/${id}`)).body.data.plan).toBe('business')
    expect(forgotten.map(row => publicId('acc', row))).toEqual([id])
    expect((await move('business')).body.data).toEqual({ moved: 0 })
  })

  test('is deleted once no account is on it', async () => {
    const { send, settings } = await withClub()
    expect(await send('DELETE', 'plans/clubs')).toMatchObject({
      status: 409,
      body: { code: 'plan_in_use' },
    })
    await send('POST', 'plans/clubs/move-accounts', { to: 'free' })
    expect(await send('DELETE', 'plans/clubs', undefined, { 'if-match': '"old.1"' })).toMatchObject(
      {
        status: 412,
      },
    )
    expect(await send('DELETE', 'plans/clubs')).toMatchObject({ status: 204 })
    expect(await send('GET', 'plans/clubs')).toMatchObject({ status: 404 })
    expect(settings.read().plans).toEqual({})
  })

  test('is none that new accounts get, and none that comes with Linnet is deleted', async () => {
    const { send } = await withClub()
    const inUse = { status: 409, body: { code: 'plan_in_use' } }
    expect(await send('PATCH', 'plans/unlimited', { is_retired: true })).toMatchObject(inUse)
    await send('PATCH', 'plans/business', { is_retired: true })
    expect(await send('DELETE', 'plans/business')).toMatchObject(inUse)
    await send('POST', 'plans', { slug: 'open', name: 'Open' })
    expect(await send('DELETE', 'plans/open')).toMatchObject(inUse)
    expect(await send('DELETE', 'plans/gold')).toMatchObject({ status: 404 })
  })
})
