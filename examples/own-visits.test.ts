import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './own-visits.js'

const withNetworks = (...networks: string[]) => ({
  settings: { plugins: { settings: { 'custom.ownVisits': { networks } } } },
})

it('leaves out visits from its networks and of its programs, and counts all others', async t => {
  const options = withNetworks('192.0.2.0/24', '2001:db8::1')
  const linnet = await boot([plugin, 'analytics.visitsByLanguage'], options)
  t.after(() => linnet.stop())
  const link = await linnet.create()
  for (const ip of ['192.0.2.9', '2001:db8::1', '203.0.113.7', '2001:db8::2']) {
    const headers = { 'accept-language': 'de' }
    assert.equal((await linnet.visit(link, { ip, headers })).status, 302)
  }
  const program = 'Mozilla/5.0 (compatible; UptimeRobot/2.0)'
  const headers = { 'user-agent': program, 'accept-language': 'de' }
  assert.equal((await linnet.visit(link, { headers })).status, 302)
  assert.deepEqual((await linnet.counts(link)).visitsByLanguage, { de: 2 })
})

it('does not start with a network that is none', async () => {
  await assert.rejects(boot(plugin, withNetworks('our office')), /our office/)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
