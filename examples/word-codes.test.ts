import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './word-codes.js'

const withWords = (...words: string[]) => ({
  settings: { plugins: { settings: { 'custom.wordCodes': { words } } } },
})

it('makes codes of more words when those of fewer are taken, and refuses no link', async t => {
  const linnet = await boot(plugin, withWords('ada'))
  t.after(() => linnet.stop())
  const codes: string[] = []
  for (let link = 0; link < 6; link += 1) codes.push((await linnet.create()).shortCode)
  assert.deepEqual(codes.slice(0, 4), ['ada', 'ada-ada', 'ada-ada-ada', 'ada-ada-ada-ada'])
  assert.match(codes.slice(4).join(), /^\w{7},\w{7}$/)
})

it('makes a link at each of ninety requests at once, with few words', async t => {
  const linnet = await boot(plugin, withWords('ada', 'bob', 'eve'))
  t.after(() => linnet.stop())
  const links = await Promise.all(Array.from({ length: 90 }, () => linnet.create()))
  assert.equal(new Set(links.map(({ shortCode }) => shortCode)).size, 90)
})

it('leaves a code that is chosen, and that of a link that is edited', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const link = await linnet.create({ shortCode: 'autumn' })
  assert.equal(link.shortCode, 'autumn')
  const { body } = await linnet.api('PATCH', `/links/${link.id}`, { title: 'Autumn' })
  assert.equal(body.data.shortCode, 'autumn')
})

it('does not start with a word that no code can have', async () => {
  await assert.rejects(boot(plugin, withWords('Grüße')), /Grüße is no word/)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
