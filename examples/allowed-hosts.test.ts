import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './allowed-hosts.js'

const settings = { 'custom.allowedHosts': { hosts: ['Example.com'] } }
const options = { settings: { plugins: { settings } } }

it('lets links lead to the hosts that are allowed, and to those below them', async t => {
  const linnet = await boot(plugin, options)
  t.after(() => linnet.stop())
  for (const [originalUrl, status] of [
    ['https://example.com/a', 201],
    ['https://www.EXAMPLE.com/', 201],
    ['https://example.com.evil.test/', 422],
    ['https://badexample.com/', 422],
  ] as const) {
    assert.equal((await linnet.api('POST', '/links', { originalUrl })).status, status, originalUrl)
  }
})

it('looks at addresses in fields of other plugins too, and names the field', async t => {
  const linnet = await boot([plugin, 'link.linkExpiration'], options)
  t.after(() => linnet.stop())
  const draft = { originalUrl: 'https://example.com/', expiredUrl: 'https://example.org/' }
  const { status, body } = await linnet.api('POST', '/links', draft)
  assert.equal(status, 422)
  assert.equal(body.code, 'host_not_allowed')
  assert.deepEqual(
    body.errors?.map((error: { field: string }) => error.field),
    ['expiredUrl'],
  )
})

it('allows all while no host is named', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  await linnet.create({ originalUrl: 'https://example.org/' })
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
