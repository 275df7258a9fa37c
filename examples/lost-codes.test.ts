import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './lost-codes.js'

it('finds the link that was meant, with its password', async t => {
  const linnet = await boot([plugin, 'link.customShortCode', 'link.passwordProtection'])
  t.after(() => linnet.stop())
  await linnet.create({ shortCode: 'spring' })
  assert.equal((await linnet.visit('SPRING.')).location, 'https://example.com/')
  await linnet.create({ shortCode: 'secret', password: 'open sesame' })
  assert.match((await linnet.visit('Secret')).text, /This link is protected/)
})

it('leads all other unknown codes to one page, if there is one', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  assert.equal((await linnet.visit('nowhere')).status, 404)
  const fallback = 'https://example.com/links'
  const settings = { 'custom.lostCodes': { fallback } }
  const led = await boot(plugin, { settings: { plugins: { settings } } })
  t.after(() => led.stop())
  assert.equal((await led.visit('Nowhere')).location, fallback)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
