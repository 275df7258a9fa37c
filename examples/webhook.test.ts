import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import type { FetchOptions } from 'linnet/plugin'
import plugin from './webhook.js'

const key = Buffer.alloc(24, 7)
const url = 'http://n8n.lan:5678/hook'
const job = 'custom.webhook.send'
const list = '/admin/webhook/messages'

/** Linnet, and another program whose answers the test sets. */
async function start(t: TestContext) {
  const sent: FetchOptions[] = []
  const other = { status: 200 }
  const linnet = await boot(plugin, {
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

it('sends what happened to a link, once, and signed', async t => {
  const { linnet, sent } = await start(t)
  const link = await linnet.create()
  await linnet.api('PATCH', `/links/${link.id}`, { title: 'Autumn' })
  await linnet.api('DELETE', `/links/${link.id}`)
  await linnet.settled()
  await linnet.run(job)
  await linnet.run(job)
  const bodies = sent.map(({ body }) => JSON.parse(String(body)))
  assert.deepEqual(
    bodies.map(({ type }) => type),
    ['link.created', 'link.updated', 'link.deleted'],
  )
  const { id, shortUrl } = link
  assert.deepEqual(bodies[0].data, { id, shortUrl, originalUrl: 'https://example.com/' })
  const [{ headers = {}, body } = {}] = sent
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signature}`)
})

it('tries again later and later, lists what waits, and gives up in the end', async t => {
  const { linnet, sent, other } = await start(t)
  other.status = 500
  await linnet.create()
  await linnet.settled()
  await linnet.run(job)
  await linnet.run(job)
  assert.equal(sent.length, 1)
  const { body } = await linnet.api('GET', list)
  assert.equal(body.data[0].attempts, 1)
  assert.equal(body.data[0].problem, 'It answered 500.')
  for (let day = 21; day < 30; day += 1) {
    linnet.at(`2026-11-${day}T12:00:00Z`)
    await linnet.run(job)
  }
  assert.equal(sent.length, 8)
  assert.match(linnet.log.join(), /A message is given up/)
})

it('goes on when the other program is back', async t => {
  const { linnet, sent, other } = await start(t)
  other.status = 503
  await linnet.create()
  await linnet.settled()
  await linnet.run(job)
  other.status = 204
  linnet.at('2026-11-20T12:01:00Z')
  await linnet.run(job)
  assert.equal(sent.length, 2)
  const [first, second] = sent.map(({ headers }) => headers?.['webhook-id'])
  assert.equal(first, second)
  assert.deepEqual((await linnet.api('GET', list)).body.data, [])
})

it('keeps nothing without an address', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  await linnet.create()
  await linnet.settled()
  assert.deepEqual((await linnet.api('GET', list)).body.data, [])
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
