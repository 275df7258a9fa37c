import { describe, expect, test } from 'vitest'
import { contract } from '../../../config/contract.ts'
import type { createEntitlements } from '../../../core/settings/entitlements.ts'
import { type AnyPlans, unlimited, valuesOf } from '../../../core/settings/plan.ts'
import { settingsInMemory } from '../../open-storage.ts'
import { allOn, everyPlanFull, planWith, testEntitlements } from '../accounts/fixtures.ts'

const installed = new Map([
  ['analytics.visitsTracking', { flag: 'visitTrackingEnabled' }],
  ['analytics.visitsByCountry', { needs: ['analytics.visitsTracking'] }],
  ['analytics.visitsByCity', { needs: ['analytics.visitsByCountry'] }],
  ['link.passwordProtection', {}],
  ['developer.apiKeys', { flag: 'apiAccessEnabled' }],
  ['organization.tags', { flag: 'tagCreationEnabled' }],
])

const withTags: AnyPlans = {
  ...everyPlanFull,
  free: { ...planWith(false), extensions: { 'organization.tags': false } },
  pro: { ...planWith(true), extensions: { 'organization.tags': true } },
}

const create = (given: Partial<Parameters<typeof createEntitlements>[0]> = {}) =>
  testEntitlements({ installed, plans: withTags, ...given })

describe('a feature is on when it is installed, on for everybody and in the plan', () => {
  const table = `
    plan       switched off          feature                   verdict
    pro        -                     link.passwordProtection   on
    free       -                     link.passwordProtection   feature_not_in_plan
    pro        -                     link.dynamicRouting       feature_disabled
    free       -                     link.dynamicRouting       feature_disabled
    pro        -                     organization.tags         on
    free       -                     organization.tags         feature_not_in_plan
    pro        tagCreationEnabled    organization.tags         feature_disabled
    pro        -                     no.suchThing              feature_disabled
    pro        -                     analytics.visitsByCity    on
    free       -                     analytics.visitsByCity    feature_not_in_plan
    pro        visitTrackingEnabled  analytics.visitsByCity    feature_disabled
    pro        visitTrackingEnabled  link.passwordProtection   on
    nonsense   -                     link.passwordProtection   feature_not_in_plan`
  const [, ...rows] = table.trim().split('\n')
  test.each(rows.map(row => row.trim().split(/\s+/)))(
    '%s without %s: %s is %s',
    (plan = '', off = '', feature = '', verdict) => {
      const { check } = create({ features: { ...allOn, [off]: false } })
      const refusal = check(plan, feature)
      expect(refusal?.code ?? 'on').toBe(verdict)
      if (refusal) expect(refusal.status).toBe(403)
    },
  )

  test('what it needs must be in the plan too, however far away', () => {
    const pro = planWith(true)
    const plans = {
      ...withTags,
      pro: { ...pro, analytics: { ...valuesOf(pro, 'analytics'), visitsTracking: false } },
    }
    const { check, effectivePlan } = create({ plans })
    expect(check('pro', 'analytics.visitsByCity')).toMatchObject({ code: 'feature_not_in_plan' })
    expect(effectivePlan('pro').analytics).toMatchObject({
      visitsTracking: false,
      visitsByCountry: false,
      visitsByCity: false,
    })
  })
})

describe('the effective plan', () => {
  test('has every key of the contract, also of what is not installed', () => {
    const { effectivePlan } = create({ installed: new Map() })
    const plan = effectivePlan('pro')
    for (const [group, names] of Object.entries(contract.features)) {
      const off = Object.fromEntries(names.map(name => [name, false]))
      expect(plan[group]).toEqual(off)
    }
    expect(plan.extensions).toEqual({})
  })

  test('names only the extensions that are installed', () => {
    const plans = {
      ...withTags,
      pro: { ...planWith(true), extensions: { 'organization.tags': true, 'a.gone': true } },
    }
    const { plan, effectivePlan } = create({ plans })
    expect(effectivePlan('pro').extensions).toEqual({ 'organization.tags': true })
    expect(plan('pro').extensions).toEqual({ 'organization.tags': true, 'a.gone': true })
  })

  test('includes a plugin that no plan knows yet only where everything is included', () => {
    const more = new Map([...installed, ['acme.fortune', {}]])
    const { effectivePlan } = create({ installed: more })
    const included = (['free', 'pro', 'business', 'unlimited'] as const).map(
      slug => effectivePlan(slug).extensions['acme.fortune'],
    )
    expect(included).toEqual([false, true, true, true])
  })

  test('tells two features apart that are called alike in two groups', async () => {
    const both = new Map([...installed, ['integration.tags', {}]])
    const { changePlans, check } = create({ installed: both })
    await changePlans.update('pro', { extensions: { 'integration.tags': false } })
    expect(check('pro', 'integration.tags')).toMatchObject({ code: 'feature_not_in_plan' })
    expect(check('pro', 'organization.tags')).toBeUndefined()
  })

  test('goes on to include it when an admin takes something else out of the plan', () => {
    const more = new Map([...installed, ['acme.fortune', {}]])
    const settings = settingsInMemory({ plans: { business: { link: { dynamicRouting: false } } } })
    const { effectivePlan } = create({ installed: more, settings })
    expect(effectivePlan('business').extensions['acme.fortune']).toBe(true)
  })

  test('has the limits that plugins bring, and none of those that are gone', () => {
    const limits = [...contract.limits.limits, 'maxMoods', 'maxWords']
    const settings = settingsInMemory({ plans: { pro: { limits: { maxMoods: 7, maxGone: 8 } } } })
    const { plan, limit } = create({
      settings,
      contract: { ...contract, limits: { ...contract.limits, limits } },
    })
    expect(plan('pro').limits).toEqual({
      maxLinksCreatedPerMonth: unlimited,
      maxTrackedVisitsPerMonth: unlimited,
      maxMoods: 7,
      maxWords: unlimited,
    })
    expect(limit('pro', 'maxMoods')).toEqual({ name: 'limits.maxMoods', max: 7 })
    expect(limit('pro', 'maxWords')).toEqual({ name: 'limits.maxWords', max: unlimited })
    expect(limit('pro', 'maxTags')).toEqual({ name: 'organization.maxTags', max: unlimited })
  })

  test('is worked out once, not at each question', () => {
    const { effectivePlan, features } = create()
    expect(effectivePlan('pro')).toBe(effectivePlan('pro'))
    expect(features()).toBe(features())
  })

  test('keeps the numbers, also of what is not installed', () => {
    const { plan, effectivePlan } = create({ installed: new Map() })
    expect(effectivePlan('pro').organization).toEqual(plan('pro').organization)
    expect(effectivePlan('pro').limits).toEqual(plan('pro').limits)
  })
})

test('switches that nothing installed listens to are off', () => {
  expect(create().features()).toEqual({
    billingEnabled: false,
    linkCreationEnabled: true,
    campaignCreationEnabled: false,
    tagCreationEnabled: true,
    redirectCacheEnabled: true,
    visitTrackingEnabled: true,
    urlScanningEnabled: false,
    apiAccessEnabled: true,
  })
})

describe('a change of a plan', () => {
  test('counts at once and touches nothing else', async () => {
    const { changePlans, plan, check } = create()
    const before = plan('pro')
    await changePlans.update('pro', {
      limits: { maxLinksCreatedPerMonth: 7 },
      link: { passwordProtection: false },
    })
    expect(plan('pro')).toEqual({
      ...before,
      limits: { ...before.limits, maxLinksCreatedPerMonth: 7 },
      link: { ...valuesOf(before, 'link'), passwordProtection: false },
    })
    expect(check('pro', 'link.passwordProtection')).toMatchObject({ code: 'feature_not_in_plan' })
    expect(check('business', 'link.passwordProtection')).toBeUndefined()
  })

  test('adds to the changes before it', async () => {
    const settings = settingsInMemory()
    const { changePlans, plan } = create({ settings })
    await changePlans.update('free', { limits: { maxLinksCreatedPerMonth: 7 } })
    await changePlans.update('free', { limits: { maxTrackedVisitsPerMonth: 8 }, recommended: true })
    expect(plan('free')).toMatchObject({
      limits: { maxLinksCreatedPerMonth: 7, maxTrackedVisitsPerMonth: 8 },
      recommended: true,
    })
    expect(settings.read().plans).toEqual({
      free: {
        limits: { maxLinksCreatedPerMonth: 7, maxTrackedVisitsPerMonth: 8 },
        recommended: true,
      },
    })
  })

  test('can set a price and take it away again', async () => {
    const price = { amount: 5, currency: 'EUR' }
    const { changePlans, plan } = create()
    await changePlans.update('pro', { recommendedPricing: { monthly: price, yearly: price } })
    expect(plan('pro').recommendedPricing).toEqual({ monthly: price, yearly: price })
    await changePlans.update('pro', { recommendedPricing: null })
    expect(plan('pro')).not.toHaveProperty('recommendedPricing')
  })
})

describe('a change of the switches', () => {
  test('counts at once and is kept', async () => {
    const settings = settingsInMemory()
    const { updateFeatures, features, check } = create({ settings })
    expect(await updateFeatures({ apiAccessEnabled: false })).toEqual(features())
    expect(features().apiAccessEnabled).toBe(false)
    expect(check('pro', 'developer.apiKeys')).toMatchObject({ code: 'feature_disabled' })
    expect(settings.read()).toEqual({ features: { apiAccessEnabled: false } })
    expect(create({ settings }).features().apiAccessEnabled).toBe(false)
  })

  test('cannot switch on what is not installed', async () => {
    const { updateFeatures } = create()
    expect(await updateFeatures({ billingEnabled: true })).toMatchObject({
      status: 422,
      field: 'billingEnabled',
    })
    expect(await updateFeatures({ billingEnabled: false })).toMatchObject({ billingEnabled: false })
  })
})

test('entitlements have another version after a change, and the new answers by then', async () => {
  const { updateFeatures, features, version } = create()
  const before = version()
  expect(version()).toBe(before)
  await updateFeatures({ tagCreationEnabled: false })
  expect(version()).not.toBe(before)
  expect(features().tagCreationEnabled).toBe(false)
})
