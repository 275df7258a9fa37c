import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './link-moods.js'

it('shows how links feel, and finds those that feel alike', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { id } = await linnet.create()
  await linnet.create()
  const feel = (mood: string) => linnet.api('PATCH', `/links/${id}/mood`, { mood })
  assert.equal((await feel('glad')).status, 200)
  assert.equal((await feel('cross')).status, 200)
  assert.equal((await feel('hungry')).status, 422)
  const moodsOf = async (query = '') =>
    (await linnet.api('GET', `/links${query}`)).body.data.map(
      (link: { mood: string | null }) => link.mood,
    )
  assert.deepEqual(new Set(await moodsOf()), new Set(['cross', null]))
  assert.deepEqual(await moodsOf('?mood=cross'), ['cross'])
  assert.deepEqual(await moodsOf('?mood=glad'), [])
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
