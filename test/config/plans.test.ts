import { describe, expect, test } from 'vitest'
import { contract } from '../../config/contract.ts'
import { plans } from '../../config/plans.ts'
import { featuresSchema } from '../../core/settings/contract.ts'
import {
  builtInSlugs,
  includes,
  type Plan,
  type Plans,
  unlimited,
} from '../../core/settings/plan.ts'
import { planPatch } from '../../core/settings/plan-schema.ts'
import { registry } from '../../plugins/index.ts'

const features = Object.keys(registry)

describe('the plans that come with Linnet', () => {
  test.each(builtInSlugs)('%s is what the API could set it to', slug => {
    expect(planPatch(contract).parse(plans[slug])).toEqual(plans[slug])
  })

  test('unlimited, which new accounts get, has every feature and no limit', () => {
    expect(features.filter(feature => !includes(plans.unlimited, feature))).toEqual([])
    const { limits, organization } = plans.unlimited
    expect(new Set(Object.values({ ...limits, ...organization }))).toEqual(new Set([unlimited]))
  })

  test('API keys are there on Pro and Business, as the contract says, and not on Free', () => {
    const withKeys = builtInSlugs.filter(slug => plans[slug].developer.apiKeys)
    expect(withKeys).toEqual(['pro', 'business', 'unlimited'])
  })

  test('each has at least what the one before has', () => {
    const order = [plans.free, plans.pro, plans.business, plans.unlimited]
    const numbers = order.map(({ limits, organization }) => ({ ...limits, ...organization }))
    const counts = order.map(plan => features.filter(feature => includes(plan, feature)).length)
    for (const key of Object.keys(numbers[0] ?? {}) as (keyof (typeof numbers)[number])[]) {
      expect(sorted(numbers.map(limits => limits[key]))).toBe(true)
    }
    expect(sorted(counts)).toBe(true)
  })
})

test('a plan is typed by the registry: what is forgotten or misnamed does not compile', () => {
  const { analytics, developer, link, limits, name, organization } = plans.unlimited
  const rest = { name, analytics, developer, limits, organization }
  const { passwordProtection: _, ...forgetful } = link
  type PlanOf<Feature extends string = never> = Plan<typeof contract, Feature>
  type Tags = 'organization.tags'

  const whole = { ...rest, link }
  const right: PlanOf<Tags> = { ...whole, extensions: { 'organization.tags': true } }
  // @ts-expect-error: link.passwordProtection is missing.
  const forgotten: PlanOf = { ...rest, link: forgetful, extensions: {} }
  // @ts-expect-error: link.pasword does not exist.
  const misnamed: PlanOf = { ...rest, link: { ...link, pasword: true }, extensions: {} }
  // @ts-expect-error: the extension of organization.tags is missing.
  const noTags: PlanOf<Tags> = { ...whole, extensions: {} }
  const wrong: PlanOf<Tags> = {
    ...whole,
    // @ts-expect-error: no plugin provides tgas.
    extensions: { 'organization.tags': true, 'organization.tgas': true },
  }
  // @ts-expect-error: no plugin provides an extension.
  const unknown: PlanOf = { ...whole, extensions: { 'organization.tags': true } }
  const twice: PlanOf<'link.linkExpiration'> = {
    ...whole,
    // @ts-expect-error: a feature of the contract is no extension.
    extensions: { 'link.linkExpiration': true },
  }
  const four = { free: right, pro: right, business: right, unlimited: right }
  // @ts-expect-error: there is no plan gold.
  const gold: Plans<typeof contract, Tags> = { ...four, gold: right }

  expect([forgotten, misnamed, noTags, wrong, unknown, twice, gold]).not.toContain(right)
})

test('a patch of switches cannot name one that is not there', () => {
  const featuresPatch = featuresSchema(contract).partial()
  expect(featuresPatch.safeParse({ linkCreationEnabled: false }).success).toBe(true)
  expect(featuresPatch.safeParse({ linkCreation: false }).success).toBe(false)
})

function sorted(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => number >= (numbers[index - 1] ?? 0))
}
