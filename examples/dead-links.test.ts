import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot, type HarnessOptions } from 'linnet/harness'
import { definePlugin, type Event, type Fetch, FetchFailed } from 'linnet/plugin'
import plugin from './dead-links.js'

/** The internet: what answers to an address, and who was asked, by method. */
function internet(answers: Record<string, number | string>) {
  const asked: string[] = []
  const busy = new Set<string>()
  const fetch: Fetch = async (url, { method = 'GET', redirect } = {}) => {
    const { host } = new URL(url)
    assert.equal(redirect, 'manual')
    assert.ok(!busy.has(host), `${host} is asked twice at the same time`)
    busy.add(host)
    asked.push(`${method} ${url}`)
    await new Promise(done => setImmediate(done))
    busy.delete(host)
    const answer = answers[url] ?? 200
    if (answer === 'nothing') throw new FetchFailed(`${host} does not answer`)
    if (answer === 'private') throw new FetchFailed('not allowed', { isForbidden: true })
    const headers = new Headers(typeof answer === 'string' ? { location: answer } : {})
    const status = typeof answer === 'string' ? 301 : answer
    return { status, url, headers, body: new Uint8Array(), isWhole: true }
  }
  return { answers, asked, fetch }
}

const heard: string[] = []
const listener = definePlugin({
  feature: 'custom.hears',
  about: 'Hears of dead links.',
  events: {
    kinds: ['deadLink'],
    handle: ({ type, before, after }: Event) =>
      void heard.push(`${type} ${(after ?? before)?.originalUrl}`),
  },
})

async function start(answers: Record<string, number | string>, options: HarnessOptions = {}) {
  heard.splice(0)
  const { fetch, asked } = internet(answers)
  const linnet = await boot([plugin, listener, 'link.editOriginalUrl'], {
    fetch,
    at: '2026-11-20T04:23:00Z',
    ...options,
  })
  const lookOn = async (...days: readonly number[]) => {
    for (const day of days) {
      linnet.at(`2026-11-${day}T04:23:00Z`)
      await linnet.run('custom.deadLinks.look')
    }
    await linnet.settled()
  }
  const statusOf = async ({ id }: { readonly id: string }) =>
    (await linnet.api('GET', `/links/${id}`)).body.data.status
  return { linnet, asked, lookOn, statusOf }
}

const gone = 'https://gone.example/a'

it('marks a link whose address failed three times in three days, and tells of it', async t => {
  const answers: Record<string, number | string> = { [gone]: 404 }
  const { linnet, lookOn, statusOf } = await start(answers)
  t.after(() => linnet.stop())
  const link = await linnet.create({ originalUrl: gone })
  await lookOn(20, 21, 22)
  assert.equal(await statusOf(link), 'active')
  await lookOn(23)
  assert.equal(await statusOf(link), 'dead')
  assert.equal((await linnet.api('GET', '/links?status=dead')).body.data.length, 1)
  await lookOn(24)
  assert.deepEqual(heard, [`deadLink.created ${gone}`])
  answers[gone] = 200
  await lookOn(25)
  assert.equal(await statusOf(link), 'active')
  assert.deepEqual(heard, [`deadLink.created ${gone}`, `deadLink.deleted ${gone}`])
})

it('marks none that failed less often, or in less time', async t => {
  const { linnet, lookOn, statusOf } = await start({ [gone]: 'nothing' })
  t.after(() => linnet.stop())
  const link = await linnet.create({ originalUrl: gone })
  await lookOn(20, 20, 20, 20)
  assert.equal(await statusOf(link), 'active')
  const later = await start({ [gone]: 503 })
  t.after(() => later.linnet.stop())
  const other = await later.linnet.create({ originalUrl: gone })
  await later.lookOn(20, 27)
  assert.equal(await later.statusOf(other), 'active')
  await later.lookOn(28)
  assert.equal(await later.statusOf(other), 'dead')
})

it('does not know of what it may not see', async t => {
  const answers = {
    'https://a.example/': 401,
    'https://b.example/': 403,
    'https://c.example/': 429,
    'https://d.example/': 'private',
  }
  const { linnet, lookOn, statusOf } = await start(answers)
  t.after(() => linnet.stop())
  const made = Object.keys(answers).map(originalUrl => linnet.create({ originalUrl }))
  const links = await Promise.all(made)
  await lookOn(20, 21, 22, 23, 24)
  for (const link of links) assert.equal(await statusOf(link), 'active', `${link.originalUrl}`)
})

it('asks each host one address at a time, and none that says that it is too much', async t => {
  const urls = Array.from({ length: 5 }, (_, place) => `https://one.example/${place}`)
  const { linnet, lookOn, asked } = await start({ [urls[2] ?? '']: 429 })
  t.after(() => linnet.stop())
  for (const originalUrl of [...urls, 'https://two.example/']) await linnet.create({ originalUrl })
  await lookOn(20)
  assert.deepEqual(asked.toSorted(), [
    ...urls.slice(0, 3).map(url => `HEAD ${url}`),
    'HEAD https://two.example/',
  ])
})

it('asks again by GET before it counts a failure', async t => {
  const { linnet, lookOn, asked } = await start({ [gone]: 405 })
  t.after(() => linnet.stop())
  await linnet.create({ originalUrl: gone })
  await lookOn(20)
  assert.deepEqual(asked, [`HEAD ${gone}`, `GET ${gone}`])
})

it('begins anew with another address', async t => {
  const { linnet, lookOn, statusOf } = await start({ [gone]: 404, 'https://other.example/': 404 })
  t.after(() => linnet.stop())
  const link = await linnet.create({ originalUrl: gone })
  await lookOn(20, 21, 22, 23)
  await linnet.api('PATCH', `/links/${link.id}`, { originalUrl: 'https://other.example/' })
  await linnet.settled()
  assert.equal(await statusOf(link), 'active')
  await lookOn(24)
  assert.equal(await statusOf(link), 'active')
})

it('lets links follow an address that moved for good, if it may', async t => {
  const moved = { 'https://old.example/a': '/b' }
  const { linnet, lookOn } = await start(moved)
  t.after(() => linnet.stop())
  const link = await linnet.create({ originalUrl: 'https://old.example/a' })
  const leadsTo = async () => (await linnet.visit(link)).location
  await lookOn(20)
  assert.equal(await leadsTo(), 'https://old.example/a')
  await linnet.api('PATCH', '/admin/plugins/custom.deadLinks', { settings: { mend: true } })
  await lookOn(21)
  assert.equal(await leadsTo(), 'https://old.example/b')
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
