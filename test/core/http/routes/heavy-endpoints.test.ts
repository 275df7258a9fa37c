import { expect, it, onTestFinished } from 'vitest'
import { memoryShares } from '../../../../core/lib/memory/memory-shares.ts'
import { definePlugin, endpoint, z } from '../../../../core/plugin.ts'
import { boot } from '../../../harness.ts'

const asked = 12

it.each([
  ['heavy: only so many run at once', true, Math.ceil(memoryShares.computations / 2)],
  ['control: not heavy: all run at once', undefined, asked],
] as const)('endpoints that are %s', async (_, isHeavy, expected) => {
  let running = 0
  let most = 0
  const everybodyCame = Promise.withResolvers<void>()
  const plugin = definePlugin({
    feature: 'test.images',
    about: 'Draw.',
    endpoints: {
      'GET /images': endpoint({
        summary: 'Draw an image',
        scope: '*',
        answer: z.strictObject({ data: z.string() }),
        ...(isHeavy && { unstable: { isHeavy } }),
        async handle() {
          running += 1
          most = Math.max(most, running)
          await everybodyCame.promise
          running -= 1
          return { data: 'drawn' }
        },
      }),
    },
  })
  const linnet = await boot(plugin)
  onTestFinished(() => linnet.stop())
  const answers = Array.from({ length: asked }, () => linnet.api('GET', '/images'))
  await expect.poll(() => most).toBe(expected)
  // Who asks for something else is not kept waiting.
  expect((await linnet.api('GET', '/profile')).status).toBe(200)
  everybodyCame.resolve()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual(Array(asked).fill(200))
  expect(most).toBe(expected)
})
