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
  assert.equal(made.statusCode, 200)
  const expanded = await ask({ action: 'expand', shorturl: made.shorturl, format: 'json' })
  assert.equal(expanded.longurl, new URL(far).href)
  const stats = await ask({ action: 'url-stats', shorturl: 'spring', format: 'json' })
  assert.equal(stats.link.clicks, 0)
  assert.equal(stats.link.timestamp, '2026-11-20 12:00:00')
  assert.equal((await ask(wish)).code, 'error:short_code_taken')
  assert.equal((await ask({ action: 'expand', shorturl: 'none', format: 'json' })).statusCode, 404)
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
  assert.match((await ask({ format: 'simple' })).text, /^https:\/\/go\.example\.org\/\w+$/)
  assert.match((await ask({ format: 'jsonp', callback: 'show' })).text, /^\/\*\*\/show\(\{/)
  assert.doesNotMatch((await ask({ format: 'jsonp', callback: 'alert(1)//' })).text, /alert/)
})

it('opens nothing without a token, and no more than the token does', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const ask = async (answers: Readonly<Record<string, string>>) =>
    (await linnet.visit(door, { answers: { action: 'shorturl', url: far, ...answers } })).status
  assert.equal(await ask({}), 403)
  assert.equal(await ask({ signature: '1002a612b4' }), 403)
  assert.equal(await ask({ signature: await tokenFor(linnet, 'links:read') }), 403)
  assert.equal(await ask({ action: 'db-stats' }), 400)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
