import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot, type Harness } from 'linnet/harness'
import plugin from './yourls.js'

const door = 'yourls-api.php'
const far = 'https://example.org/far?a=1&b=<2>'

async function tokenFor(linnet: Harness, ...scopes: readonly string[]): Promise<string> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'YOURLS', scopes })
  return body.data.token
}

it('makes a link, expands it and says how often it was followed', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const signature = await tokenFor(linnet, 'links:write')
  const ask = async (answers: Readonly<Record<string, string>>) => {
    const { status, text } = await linnet.visit(door, { answers: { signature, ...answers } })
    return { status, ...JSON.parse(text) }
  }
  const wish = { action: 'shorturl', url: far, keyword: 'spring', title: 'Spring', format: 'json' }
  const made = await ask(wish)
  assert.equal(made.shorturl, 'https://go.example.org/spring')
  assert.equal(made.url.keyword, 'spring')
  assert.equal(made.statusCode, '200')
  const expanded = await ask({ action: 'expand', shorturl: made.shorturl, format: 'json' })
  assert.equal(expanded.longurl, new URL(far).href)
  const stats = await ask({ action: 'url-stats', shorturl: 'spring', format: 'json' })
  assert.equal(stats.link.clicks, '0')
  assert.equal(stats.link.timestamp, '2026-11-20 12:00:00')
  assert.equal((await ask(wish)).code, 'error:keyword')
  assert.equal((await ask({ ...wish, url: 'none', keyword: '' })).code, 'error:nourl')
  assert.equal(
    (await ask({ action: 'expand', shorturl: 'none', format: 'json' })).statusCode,
    '404',
  )
})

it('finds a link by a former keyword, and none of another account', async t => {
  const linnet = await boot([plugin, 'link.editShortCode'])
  t.after(() => linnet.stop())
  const signature = await tokenFor(linnet, 'links:write')
  const { id } = await linnet.create({ originalUrl: far, shortCode: 'old' })
  await linnet.api('PATCH', `/links/${id}`, { shortCode: 'new' })
  const ask = async (shorturl: string) => {
    const asked = { signature, action: 'expand', shorturl, format: 'json' }
    return JSON.parse((await linnet.visit(door, { answers: asked })).text)
  }
  assert.equal((await ask('old')).keyword, 'new')
  assert.equal((await ask('https://go.example.org/old')).longurl, new URL(far).href)
  assert.equal((await ask('https://elsewhere.example/old')).statusCode, '404')
  await linnet.api('POST', '/admin/accounts', {
    ...{ email: 'b@example.com', password: 'a long password of hers', plan: 'free' },
  })
  await linnet.db
    .updateTable('links')
    .set({ account_id: linnet.account.rowId + 1 })
    .execute()
  assert.equal((await ask('new')).statusCode, '404')
})

it('takes user name and password in the query, and answers XML, text and JSONP', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const password = await tokenFor(linnet, 'links:write')
  const asked = { username: 'ada', password, action: 'shorturl', url: far }
  const ask = (more: Readonly<Record<string, string>>) =>
    linnet.visit(door, { query: `?${new URLSearchParams({ ...asked, ...more })}` })
  const xml = await ask({})
  assert.match(String(xml.headers['content-type']), /^application\/xml/)
  assert.match(xml.text, /<result>.*<shorturl>https:\/\/go\.example\.org\/\w+<\/shorturl>/)
  assert.match(xml.text, /b=%3C2%3E/)
  assert.match((await ask({ format: 'JSON' })).text, /^https:\/\/go\.example\.org\/\w+$/)
  assert.match((await ask({ format: 'simple' })).text, /^https:\/\/go\.example\.org\/\w+$/)
  assert.match((await ask({ format: 'jsonp', callback: 'show' })).text, /^\/\*\*\/show\(\{/)
  assert.doesNotMatch((await ask({ format: 'jsonp', callback: 'alert(1)//' })).text, /alert/)
})

it('takes a form as ShareX sends it, as if it had files', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const form = new FormData()
  const sent = { signature: await tokenFor(linnet, 'links:write'), action: 'shorturl', url: far }
  for (const [name, value] of Object.entries({ ...sent, format: 'simple' })) form.set(name, value)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const { status, text } = await linnet.visit(door, {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  })
  assert.equal(status, 200)
  assert.match(text, /^https:\/\/go\.example\.org\/\w+$/)
})

it('says in the way of YOURLS what Linnet refuses', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const answers = { url: 'x'.repeat(20_000) }
  const large = await linnet.visit(door, { answers, query: '?format=json' })
  assert.equal(large.status, 413)
  assert.equal(JSON.parse(large.text).code, 'error:payload_too_large')
  // The format is XML where nothing else is said, such as in a body that is not read.
  assert.match((await linnet.visit(door, { method: 'PUT' })).text, /<statusCode>405<\/statusCode>/)
})

it('opens nothing without a token, and no more than the token does', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const ask = async (answers: Readonly<Record<string, string>>) =>
    (await linnet.visit(door, { answers: { action: 'shorturl', url: far, ...answers } })).status
  assert.equal(await ask({}), 403)
  assert.equal(await ask({ signature: '1002a612b4' }), 403)
  assert.equal(await ask({ signature: await tokenFor(linnet, 'links:read') }), 403)
  assert.equal(await ask({ action: 'none', signature: await tokenFor(linnet, '*') }), 400)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
