import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './social-cards.js'

const card = {
  originalUrl: 'https://example.org/far',
  cardTitle: 'The "spring" sale',
  cardText: 'All <must> go.',
  cardImage: 'https://example.org/spring.png',
}
const as = (userAgent: string) => ({ headers: { 'user-agent': userAgent } })

it('shows the card to programs that show one, and leads them on', async t => {
  const linnet = await boot([plugin, 'analytics.visitsTracking'])
  t.after(() => linnet.stop())
  const link = await linnet.create(card)
  const { status, text } = await linnet.visit(link, as('facebookexternalhit/1.1'))
  assert.equal(status, 200)
  assert.match(text, /property="og:title" content="The &quot;spring&quot; sale"/)
  assert.match(text, /property="og:description" content="All &lt;must&gt; go\."/)
  assert.match(text, /property="og:image" content="https:\/\/example\.org\/spring\.png"/)
  assert.match(text, new RegExp(`property="og:url" content="${link.shortUrl}"`))
  assert.match(text, /http-equiv="refresh" content="0; url=https:\/\/example\.org\/far"/)
})

it('redirects everybody else, browsers inside of apps among them', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const link = await linnet.create(card)
  for (const person of [
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 WhatsApp',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 Snapchat/13.0',
    '',
  ]) {
    assert.equal((await linnet.visit(link, as(person))).location, card.originalUrl, person)
  }
})

it('says nothing of a link without a card, or one that is protected', async t => {
  const linnet = await boot([plugin, 'link.passwordProtection'])
  t.after(() => linnet.stop())
  const plain = await linnet.create({ originalUrl: card.originalUrl })
  assert.equal((await linnet.visit(plain, as('Twitterbot/1.0'))).location, card.originalUrl)
  const shut = await linnet.create({ ...card, password: 'open sesame' })
  const { status, text } = await linnet.visit(shut, as('Twitterbot/1.0'))
  assert.equal(status, 403)
  assert.doesNotMatch(text, /spring/)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
