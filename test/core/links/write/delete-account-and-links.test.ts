import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { definePlugin } from '../../../../core/plugin.ts'
import { boot } from '../../../harness.ts'
import { otherAccount } from '../../../plugins/organization/other-account.ts'

/** A plugin that remembers what it was told, and takes its time over each link. */
function aWitness() {
  const told: string[] = []
  const most = { atOnce: 0 }
  let underWay = 0
  const plugin = definePlugin({
    feature: 'third.witness',
    about: 'Remember links that are gone.',
    on: {
      async deleted({ id, addresses }, { links }) {
        underWay += 1
        most.atOnce = Math.max(most.atOnce, underWay)
        expect(await links.find(id)).toBeUndefined()
        told.push(`${id} ${addresses[0]?.url}`)
        underWay -= 1
      },
    },
  })
  return { told, most, plugin }
}

async function untilLength(list: readonly unknown[], length: number): Promise<void> {
  while (list.length < length) await turn()
}

test('plugins are told of every link that goes with its account, after it, some at a time', async () => {
  const { told, most, plugin } = aWitness()
  const house = await boot(plugin)
  onTestFinished(() => house.stop())
  const call = await otherAccount(house)
  const mine = await house.create()
  const urls = Array.from({ length: 120 }, (_, index) => `https://example.com/${index}`)
  const made = []
  for (const original_url of urls) {
    made.push((await call('POST', '/links', { original_url })).body.data.id)
  }

  expect(await call('DELETE', '/profile')).toMatchObject({ status: 204 })
  await untilLength(told, made.length)
  expect([...told].sort()).toEqual(made.map((id, index) => `${id} ${urls[index]}`).sort())
  expect(most.atOnce).toBeLessThanOrEqual(50)
  expect((await house.visit(mine)).status).toBe(302)
})

test('an account that stays keeps its links, and nobody is told', async () => {
  const { told, plugin } = aWitness()
  const house = await boot(plugin)
  onTestFinished(() => house.stop())
  const link = await house.create()
  expect(await house.api('DELETE', '/profile')).toMatchObject({
    status: 409,
    body: { code: 'last_admin' },
  })
  await house.api('DELETE', `/links/${link.id}`)
  await untilLength(told, 1)
  expect(told).toEqual([`${link.id} https://example.com/`])
})
