import { afterEach, beforeEach, expect, it } from 'vitest'
import { definePlugin, endpoint, z } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

const moods = definePlugin({
  feature: 'acme.moods',
  about: 'Keeps the moods of an account.',
  flag: 'moodCreationEnabled',
  migrations: {
    '001-moods': async ({ schema }) => {
      await schema.createTable('acme_moods').addColumn('account_id', 'bigint').execute()
    },
  },
  limits: { maxMoods: { label: 'Moods', used: 'moodsCount' } },
  usage: {
    moodsCount: async (accountId, { db }) =>
      (await db.selectFrom('acme_moods').selectAll().where('account_id', '=', accountId).execute())
        .length,
  },
  endpoints: {
    'POST /moods': endpoint({
      summary: 'Keep a mood',
      scope: 'links:write',
      limit: 'maxMoods',
      answer: z.strictObject({ data: z.string() }),
      status: 201,
      async handle({ caller: { accountId: account_id } }, { db }) {
        await db.insertInto('acme_moods').values({ account_id }).execute()
        return { data: 'kept' }
      },
    }),
  },
})

let linnet: Harness
beforeEach(async () => {
  linnet = await boot(moods)
})
afterEach(() => linnet.stop())

const profile = async (of: Harness) => (await of.api('GET', '/profile')).body.data

it('a plugin limits, counts and switches what it brings, as the contract does', async () => {
  const unlimited = Number.MAX_SAFE_INTEGER
  expect((await profile(linnet)).plan.limits.maxMoods).toBe(unlimited)
  const changed = await linnet.api('PATCH', '/admin/plans/unlimited', { limits: { max_moods: 2 } })
  expect(changed.body.data.limits).toEqual({
    maxLinksCreatedPerMonth: unlimited,
    maxTrackedVisitsPerMonth: unlimited,
    maxMoods: 2,
  })
  const made = await Promise.all(['a', 'b', 'c'].map(() => linnet.api('POST', '/moods', {})))
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 403])
  expect(made.find(({ status }) => status === 403)?.body).toMatchObject({
    code: 'plan_limit_reached',
    limitName: 'limits.maxMoods',
    limit: 2,
    used: 2,
  })
  const { plan, features } = await profile(linnet)
  expect(plan.usage).toEqual({
    linksCreatedThisMonth: 0,
    visitsTrackedThisMonth: 0,
    tagsCount: 0,
    campaignsCount: 0,
    moodsCount: 2,
  })
  expect(features.moodCreationEnabled).toBe(true)

  await linnet.api('PATCH', '/admin/features', { mood_creation_enabled: false })
  expect(await linnet.api('POST', '/moods', {})).toMatchObject({
    status: 403,
    body: { code: 'feature_disabled' },
  })
})

it('a plugin takes its names with it when it goes, and what was set is there when it comes back', async () => {
  await linnet.api('PATCH', '/admin/plans/unlimited', { limits: { max_moods: 2 } })
  await linnet.api('PATCH', '/admin/features', { mood_creation_enabled: false })
  const without = await linnet.restart([])
  const { plan, features } = await profile(without)
  expect(plan.limits).not.toHaveProperty('maxMoods')
  expect(plan.usage).not.toHaveProperty('moodsCount')
  expect(features).not.toHaveProperty('moodCreationEnabled')
  expect((await without.api('GET', '/admin/plans')).status).toBe(200)
  for (const [path, body, field] of [
    ['/admin/plans/unlimited', { limits: { max_moods: 3 } }, 'limits.max_moods'],
    ['/admin/features', { mood_creation_enabled: true }, 'mood_creation_enabled'],
  ] as const) {
    expect(await without.api('PATCH', path, body)).toMatchObject({
      status: 422,
      body: { errors: [{ field, code: 'unknown_field' }] },
    })
  }
  linnet = await without.restart([moods])
  expect((await profile(linnet)).plan.limits.maxMoods).toBe(2)
  expect((await profile(linnet)).features.moodCreationEnabled).toBe(false)
})
