import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './italian.js'

/** Everything that Linnet says, in English. */
const texts: AllTexts = JSON.parse(
  readFileSync(new URL(import.meta.resolve('linnet/texts.json')), 'utf8'),
)

interface AllTexts {
  readonly visitors: readonly string[]
  /** With the paths of each text. */
  readonly dashboard: Readonly<Record<string, readonly string[]>>
  readonly server: readonly string[]
}

const italian = plugin.unstable?.languages?.it
const headers = { accept: 'text/html', 'accept-language': 'it-IT, en;q=0.5' }

it('has everything that visitors read, and a good part of the dashboard', () => {
  const missing = (all: readonly string[], here: object = {}) =>
    all.filter(text => !Object.hasOwn(here, text))
  const dashboard = Object.keys(texts.dashboard)
  assert.deepEqual(missing(texts.visitors, italian?.visitors), [])
  const share = 1 - missing(dashboard, italian?.dashboard).length / dashboard.length
  assert.ok(share > 0.25, `${Math.round(share * 100)} % of the dashboard`)
})

it('translates hardly anything that this version of Linnet does not say', () => {
  const paths = Object.values(texts.dashboard).flat()
  const known = new Set([...Object.keys(texts.dashboard), ...paths, ...texts.server])
  const all = Object.keys({ ...italian?.dashboard, ...italian?.server })
  const outdated = all.filter(text => !known.has(text))
  // A text that was reworded is English until somebody translates it again.
  assert.ok(outdated.length < all.length / 20, outdated.join('\n'))
})

it('speaks Italian to those who prefer it', async t => {
  const linnet = await boot([plugin, 'link.linkExpiration', 'link.passwordProtection'])
  t.after(() => linnet.stop())
  const none = await linnet.visit('nothing', { headers })
  assert.equal(none.status, 404)
  assert.match(none.text, /<html lang="it">[\s\S]*<h1>Qui non c’è nessun link<\/h1>/)
  const secret = await linnet.create({ password: 'sesame' })
  assert.match((await linnet.visit(secret, { headers })).text, /Questo link è protetto/)
  const later = await linnet.create({ startsAt: '2027-05-01T08:00:00Z' })
  const { text } = await linnet.visit(later, { headers })
  assert.match(text, /Questo link si apre il 1 maggio 2027 alle 08:00 UTC\./)
  assert.match((await linnet.visit('nothing')).text, /<html lang="en">/)
})

it('brings the dashboard its texts, all of which fit', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { body } = await linnet.api('GET', '/languages/it')
  assert.equal(
    Object.keys(body.data.dashboard).length,
    Object.keys(italian?.dashboard ?? {}).length,
  )
  assert.equal(body.data.problems.not_found, 'Non esiste, o non è tuo.')
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
