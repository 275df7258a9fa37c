import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './random-words.js'

it('makes up a code of words, unless one is chosen', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const made = await linnet.create()
  assert.match(made.shortCode, /^[a-z]+-[a-z]+-\d{1,3}$/)
  assert.equal((await linnet.visit(made)).location, 'https://example.com/')
  const chosen = await linnet.create({ shortCode: 'autumn' })
  assert.equal(chosen.shortCode, 'autumn')
})

it('leaves the code of a link that is edited', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const link = await linnet.create()
  const { body } = await linnet.api('PATCH', `/links/${link.id}`, { title: 'Autumn' })
  assert.equal(body.data.shortCode, link.shortCode)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
