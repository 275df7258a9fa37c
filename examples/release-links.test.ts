import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './release-links.js'

const secret = 'shared with GitHub'
const far = 'https://github.com/ada/engine/releases/tag/v1.0'
const told = (action: string) =>
  JSON.stringify({ action, release: { id: 1, html_url: far, name: null, tag_name: 'v1.0' } })
const published = told('published')

/** As GitHub sends it. */
const signed = (body: string, event = 'release', key = secret) => ({
  body,
  headers: {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  },
})

/** A Linnet whose operator gave the plugin a token. */
async function withToken(t: TestContext) {
  const env = { RELEASES_SECRET: secret, RELEASES_TOKEN: '' }
  const before = await boot(plugin, { env })
  t.after(() => before.stop())
  const wish = { name: 'Releases', scopes: ['links:write'] }
  env.RELEASES_TOKEN = (await before.api('POST', '/api-tokens', wish)).body.data.token
  return before.restart([plugin])
}

it('deletes the link of a release that is withdrawn, and restores it with the release', async t => {
  const linnet = await withToken(t)
  const { text: first } = await linnet.visit('github-releases', signed(published))
  const code = new URL(first).pathname.slice(1)
  assert.equal((await linnet.visit(code)).status, 302)
  assert.equal((await linnet.visit('github-releases', signed(told('unpublished')))).status, 200)
  assert.equal((await linnet.visit(code)).status, 404)
  const { status, text } = await linnet.visit('github-releases', signed(published))
  assert.deepEqual([status, text], [201, first])
  assert.equal((await linnet.visit(code)).location, far)
})

it('makes a link to a release, for the account of the token', async t => {
  const linnet = await withToken(t)
  const { status, text } = await linnet.visit('github-releases', signed(published))
  assert.equal(status, 201)
  const { body } = await linnet.api('GET', '/links')
  assert.deepEqual(
    body.data.map((it: { shortUrl: string; originalUrl: string; title: string }) => [
      it.shortUrl,
      it.originalUrl,
      it.title,
    ]),
    [[text, far, 'v1.0']],
  )
})

it('does nothing for what is not signed with the secret, or changed on its way', async t => {
  const linnet = await boot(plugin, { env: { RELEASES_SECRET: secret } })
  t.after(() => linnet.stop())
  const ask = async (visit: ReturnType<typeof signed>) =>
    (await linnet.visit('github-releases', visit)).status
  assert.equal(await ask(signed(published, 'release', 'another')), 401)
  assert.equal(await ask({ ...signed(published), body: `${published} ` }), 401)
  assert.equal(await ask(signed(published, 'star')), 200)
  assert.equal(await ask(signed('{}')), 422)
  // It has a signature, but the operator gave no token.
  assert.equal(await ask(signed(published)), 401)
  assert.equal((await linnet.api('GET', '/links')).body.data.length, 0)
})

it('does nothing without a secret', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { status } = await linnet.visit('github-releases', signed(published, 'release', ''))
  assert.equal(status, 401)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
