import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './business-hours.js'

it('opens a link on working days, in the time zone of the operator', async t => {
  const settings = { 'custom.businessHours': { timeZone: 'Europe/Berlin' } }
  const linnet = await boot(plugin, { settings: { plugins: { settings } } })
  t.after(() => linnet.stop())
  const link = await linnet.create({ businessHours: '09:00-17:30' })
  for (const [time, status] of [
    ['2026-11-20T07:59:59Z', 403],
    ['2026-11-20T08:00:00Z', 302],
    ['2026-11-20T16:29:59Z', 302],
    ['2026-11-20T16:30:00Z', 403],
    ['2026-11-21T12:00:00Z', 403],
    ['2026-11-23T12:00:00Z', 302],
  ] as const) {
    linnet.at(time)
    assert.equal((await linnet.visit(link)).status, status, time)
  }
  assert.match((await linnet.visit(link)).location ?? '', /^https:/)
})

it('tells everybody when a link is open, also while it is closed', async t => {
  const linnet = await boot(plugin, { at: '2026-11-21T12:00:00Z' })
  t.after(() => linnet.stop())
  const link = await linnet.create({ businessHours: '09:00-17:30' })
  assert.equal((await linnet.visit(link)).status, 403)
  const { status, text } = await linnet.visit(`${link.shortCode}~hours`)
  assert.equal(status, 200)
  assert.match(text, /Monday to Friday, 09:00-17:30/)
  const always = await linnet.create()
  assert.match((await linnet.visit(`${always.shortCode}~hours`)).text, /Always/)
})

it('refuses what are no hours, and a time zone that is none', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const draft = { originalUrl: 'https://example.com/', businessHours: '9 to 5' }
  assert.equal((await linnet.api('POST', '/links', draft)).status, 422)
  const settings = { 'custom.businessHours': { timeZone: 'Europe/Atlantis' } }
  await assert.rejects(boot(plugin, { settings: { plugins: { settings } } }), /Europe\/Atlantis/)
})

describe('what every plugin must keep to', () => {
  const samples = { businessHours: '09:00-17:30' }
  for (const { name, run } of conformance(plugin, { samples })) it(name, run)
})
