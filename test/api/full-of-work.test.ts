import { expect, it } from 'vitest'
import { definePlugin, endpoint, z } from '../../core/plugin.ts'
import { boot } from '../harness.ts'

it('health is told while as many answers of the API are worked out as may be, and others are to come again', async () => {
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
  for (const path of ['health/live', 'health/ready']) {
    expect((await linnet.visit(path)).status).toBe(200)
  }
  expect((await linnet.visit(link)).status).toBe(302)
  ends.resolve()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  await linnet.stop()
})
