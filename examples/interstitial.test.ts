import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './interstitial.js'

it('tells where a link leads, and leads there after a click', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const link = await linnet.create({ originalUrl: 'https://example.org/far', announced: true })
  const told = await linnet.visit(link)
  assert.equal(told.status, 403)
  assert.match(told.text, /<h1>This link leads to example\.org<\/h1>/)
  assert.match(told.text, /<dd>https:\/\/example\.org\/far<\/dd>/)
  const answers = { ...told.hidden, continue: 'yes' }
  assert.equal((await linnet.visit(link, { answers })).location, 'https://example.org/far')
})

it('comes before a password, and each is asked once', async t => {
  const linnet = await boot([plugin, 'link.passwordProtection'])
  t.after(() => linnet.stop())
  const link = await linnet.create({ announced: true, password: 'open sesame' })
  const told = await linnet.visit(link)
  const asked = await linnet.visit(link, { answers: { ...told.hidden, continue: 'yes' } })
  assert.match(asked.text, /This link is protected/)
  const answers = { ...asked.hidden, password: 'open sesame', continue: 'yes' }
  assert.equal((await linnet.visit(link, { answers })).location, 'https://example.com/')
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
