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

it('lists and counts links by how they feel, and calms them down', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const [first, second] = [await linnet.create(), await linnet.create()]
  await linnet.api('PATCH', `/links/${first.id}/mood`, { mood: 'cross' })
  await linnet.api('PATCH', `/links/${second.id}/mood`, { mood: 'glad' })
  const { body } = await linnet.api('GET', '/moods')
  assert.deepEqual(
    new Set(body.data.map((it: { link: string }) => it.link)),
    new Set([first.id, second.id]),
  )
  const cross = (await linnet.api('GET', '/moods?mood=cross')).body
  assert.deepEqual([cross.meta.total, cross.data[0].link], [1, first.id])
  const { body: rows } = await linnet.api('GET', '/moods/file')
  assert.match(String(rows), new RegExp(`^link,mood\r\n(.*\r\n)?${first.id},cross\r\n`))
  assert.equal((await linnet.api('POST', '/moods/calm', { days: 1 })).status, 204)
  const numbers = async () => (await linnet.api('GET', '/moods/numbers')).body.data
  assert.deepEqual(await numbers(), [
    { mood: 'cross', links: 1 },
    { mood: 'glad', links: 1 },
  ])
  await linnet.api('POST', '/moods/calm', { days: 0 })
  assert.deepEqual(await numbers(), [
    { mood: 'calm', links: 1 },
    { mood: 'glad', links: 1 },
  ])
})

it('gives new links the mood that an account has set', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  assert.deepEqual((await linnet.api('GET', '/mood-settings')).body.data, { usual: null })
  await linnet.api('PATCH', '/mood-settings', { usual: 'glad' })
  const { id } = await linnet.create()
  await linnet.settled()
  assert.equal((await linnet.api('GET', `/links/${id}`)).body.data.mood, 'glad')
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
