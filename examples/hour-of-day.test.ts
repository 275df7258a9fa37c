import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './hour-of-day.js'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

it('counts visits by hour, also of those who are not to be tracked', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const link = await linnet.create()
  const headers = { 'user-agent': browser }
  linnet.at('2026-11-20T09:59:59Z')
  await linnet.visit(link, { headers })
  linnet.at('2026-11-20T22:00:00Z')
  await linnet.visit(link, { headers: { ...headers, dnt: '1' } })
  await linnet.visit(link, { headers })
  const { visitsByHourOfDay } = await linnet.counts(link)
  assert.deepEqual(visitsByHourOfDay, { '22': 2, '09': 1 })
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
