import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import type { FetchOptions } from 'linnet/plugin'
import plugin from './webhook.js'

const key = Buffer.alloc(24, 7)
const url = 'http://n8n.lan:5678/hook'

/** Linnet, and another program whose answers the test sets. */
async function start(t: TestContext) {
  const sent: FetchOptions[] = []
  const other = { status: 200 }
  const linnet = await boot([plugin, 'organization.tags'], {
    at: '2026-11-20T12:00:00Z',
    env: { WEBHOOK_SECRET: `whsec_${key.toString('base64')}` },
    settings: { plugins: { settings: { 'custom.webhook': { url } } } },
    async fetch(asked, options = {}) {
      assert.equal(asked, url)
      sent.push(options)
      return {
        status: other.status,
        url,
        headers: new Headers(),
        body: new Uint8Array(),
        isWhole: true,
      }
    },
  })
  t.after(() => linnet.stop())
  return { linnet, sent, other }
}

it('sends what happened, once, in order, and signed', async t => {
  const { linnet, sent } = await start(t)
  const link = await linnet.create()
  await linnet.api('PATCH', `/links/${link.id}`, { title: 'Autumn' })
  await linnet.api('POST', '/tags', { name: 'new' })
  await linnet.api('DELETE', `/links/${link.id}`)
  await linnet.settled()
  const bodies = sent.map(({ body }) => JSON.parse(String(body)))
  assert.deepEqual(
    bodies.map(({ type }) => type),
    ['link.created', 'link.updated', 'tag.created', 'link.deleted'],
  )
  const { id, shortUrl } = link
  assert.equal(bodies[0].data.id, id)
  assert.equal(bodies[0].data.shortUrl, shortUrl)
  assert.deepEqual(bodies[1].changed, ['title'])
  assert.equal(bodies[1].previous.title, null)
  assert.equal(bodies[1].actor.by, 'session')
  const [{ headers = {}, body } = {}] = sent
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signature}`)
})

it('sends the same again until it is taken, also after a restart', async t => {
  const { linnet, sent, other } = await start(t)
  other.status = 503
  await linnet.create()
  await linnet.settled()
  assert.equal(sent.length, 1)
  assert.match((await linnet.visit('health/ready')).text, /The other program answered 503/)
  other.status = 204
  const after = await linnet.restart([plugin])
  await after.settled()
  assert.equal(sent.length, 2)
  const [first, second] = sent.map(({ headers }) => headers?.['webhook-id'])
  assert.equal(first, second)
})

it('sends nothing without an address', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  await linnet.create()
  await linnet.settled()
  assert.doesNotMatch((await linnet.visit('health/ready')).text, /webhook/)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
