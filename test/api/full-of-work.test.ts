import { expect, it } from 'vitest'
import { definePlugin, endpoint, z } from '../../core/plugin.ts'
import { boot } from '../harness.ts'
import { memoryShares } from '../inside.ts'
import { aPerson } from './people.ts'

it('health is told, and other accounts are answered, while one has as many answers under way as it may have', async () => {
  const ends = Promise.withResolvers<void>()
  const linnet = await boot(
    definePlugin({
      feature: 'acme.slow',
      about: 'Takes long.',
      endpoints: {
        'GET /slow': endpoint({
          summary: 'Take long',
          scope: 'links:read',
          answer: z.strictObject({}),
          async handle() {
            await ends.promise
            return {}
          },
        }),
      },
    }),
  )
  const link = await linnet.create()
  const asked = Array.from({ length: 600 }, () => linnet.api('GET', '/slow'))
  const refused = await Promise.race(asked)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)])
  expect((await linnet.api('GET', '/links')).status).toBe(503)
  const other = await (await aPerson(linnet)).session()
  expect((await linnet.api('GET', '/links', undefined, other)).status).toBe(200)
  for (const path of ['health/live', 'health/ready']) {
    expect((await linnet.visit(path)).status).toBe(200)
  }
  expect((await linnet.visit(link)).status).toBe(302)
  ends.resolve()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  await linnet.stop()
})

it.each([
  ['visits', undefined],
  ['forms that are sent', { word: 'now' }],
])(
  'others get to their links while one client has as many %s under way as it may have',
  async (_, answers) => {
    const ends = Promise.withResolvers<void>()
    let begun = 0
    const linnet = await boot(
      definePlugin({
        feature: 'acme.slow',
        about: 'Takes long.',
        guard: () => async () => {
          begun += 1
          await ends.promise
        },
      }),
    )
    const link = await linnet.create()
    const share = 6 * memoryShares.running
    const asked = Array.from({ length: share + 100 }, () =>
      linnet.visit(link, { ...(answers && { answers }) }),
    )
    const refused = await Promise.race(asked)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)])
    await expect.poll(() => begun).toBe(share)
    const others = linnet.visit(link, { ip: '192.0.2.1' })
    const nowhere = await linnet.visit('nowhere', { ip: '192.0.2.1' })
    expect(nowhere.status).toBe(404)
    ends.resolve()
    expect((await others).status).toBe(302)
    await Promise.all(asked)
    await linnet.stop()
  },
)
