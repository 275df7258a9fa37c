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

it('says why a link feels so, and forgets it', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { id } = await linnet.create()
  const path = `/links/${id}/mood`
  assert.equal((await linnet.api('GET', path)).status, 404)
  await linnet.api('PATCH', path, { mood: 'glad', reason: 'It is read.' })
  const { body } = await linnet.api('PATCH', path, { mood: 'calm' })
  assert.deepEqual([body.data.mood, body.data.reason], ['calm', 'It is read.'])
  assert.equal((await linnet.api('DELETE', path)).status, 204)
  assert.equal((await linnet.api('GET', path)).status, 404)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
