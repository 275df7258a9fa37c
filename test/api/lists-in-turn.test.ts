import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { definePlugin, endpoint, listOf, listSchema, pageQuery, z } from '../../core/plugin.ts'
import { boot } from '../harness.ts'
import { otherAccount } from '../plugins/organization/other-account.ts'

it('lists of one account are made one after another, and hold up no list of another account', async () => {
  const making = new Map<number, number>()
  let most = 0
  const linnet = await boot([
    definePlugin({
      feature: 'acme.moods',
      about: 'Tell moods.',
      endpoints: {
        'GET /moods': endpoint({
          summary: 'List moods',
          scope: 'links:read',
          query: pageQuery,
          answer: listSchema(z.strictObject({ name: z.string() })),
          async handle({ caller: { accountId }, query }) {
            const now = (making.get(accountId) ?? 0) + 1
            making.set(accountId, now)
            most = Math.max(most, now)
            await pause(40)
            making.set(accountId, now - 1)
            return listOf([{ name: 'calm' }], 1, query, '/api/v1/moods', null)
          },
        }),
      },
    }),
  ])
  onTestFinished(() => linnet.stop())
  const asOther = await otherAccount(linnet)
  let answered = 0
  const all = Array.from({ length: 4 }, async () => {
    expect((await linnet.api('GET', '/moods')).status).toBe(200)
    answered += 1
  })
  expect((await asOther('GET', '/moods')).status).toBe(200)
  expect(answered).toBeLessThan(4)
  await Promise.all(all)
  expect(most).toBe(1)
})
