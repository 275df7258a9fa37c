import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Harness } from '../harness.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness

beforeAll(async () => {
  linnet = await bootAll({ plan: 'free' })
})
afterAll(() => linnet.stop())

const make = (fields: object) =>
  linnet.api('POST', '/links', { original_url: 'https://example.com/', ...fields })

it('a refusal names every feature that the plan does not have, for programs too', async () => {
  const wish = { password: 'secret', expires_at: '2027-01-01T00:00:00Z', title: 'Fine' }
  const { status, body } = await make(wish)
  expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
  expect([...body.features].sort()).toEqual(['link.linkExpiration', 'link.passwordProtection'])
  expect(body.feature).toBe(body.features[0])
  for (const feature of body.features) expect(body.detail).toContain(feature)
})

it('a refusal names the feature of every dimension that the plan does not have', async () => {
  const dimensions = 'visitsOverTime,visitsByCity,utmSource,utmMedium'
  const { status, body } = await linnet.api('GET', `/analytics?dimensions=${dimensions}`)
  expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
  expect([...body.features].sort()).toEqual(['analytics.utmTracking', 'analytics.visitsByCity'])
})

it('a refusal names what is switched off for everybody before what the plan does not have', async () => {
  await linnet.api('PATCH', '/admin/features', { tag_creation_enabled: false })
  const { body } = await make({ password: 'secret', tag_ids: ['tag_1'] })
  expect(body).toMatchObject({ code: 'feature_disabled', features: ['organization.tags'] })
  await linnet.api('PATCH', '/admin/features', { tag_creation_enabled: true })
})

it('a refusal says which limit of the plan is reached', async () => {
  const limits = { maxLinksCreatedPerMonth: 0 }
  const organization = { maxTags: 0 }
  await linnet.api('PATCH', '/admin/plans/free', { limits, organization })
  expect((await make({})).body).toMatchObject({
    code: 'plan_limit_reached',
    limitName: 'limits.maxLinksCreatedPerMonth',
    limit: 0,
    used: 0,
  })
  expect((await linnet.api('POST', '/tags', { name: 'Red' })).body).toMatchObject({
    code: 'plan_limit_reached',
    limitName: 'organization.maxTags',
    limit: 0,
    used: 0,
  })
})
