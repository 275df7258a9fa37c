import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot } from 'linnet/harness'
import plugin from './link-in-bio.js'

it('shows chosen links to anybody, and those that are gone no more', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const [first, second] = [await linnet.create(), await linnet.create()]
  const links = [
    { id: first.id, label: 'My <shop>' },
    { id: second.id, label: 'My talks' },
  ]
  assert.equal((await linnet.visit('bio/ada')).status, 404)
  const made = await linnet.api('PATCH', '/bio/ada', { title: 'Ada', links })
  assert.deepEqual(made.body, { data: { title: 'Ada', links } })
  const { status, text, headers } = await linnet.visit('bio/ada')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.match(text, new RegExp(`<a href="${first.shortUrl}">My &#60;shop&#62;</a>`))
  await linnet.api('DELETE', `/links/${first.id}`)
  assert.doesNotMatch((await linnet.visit('bio/ada')).text, /shop/)
  await linnet.api('DELETE', `/links/${second.id}`)
  assert.equal((await linnet.visit('bio/ada')).status, 404)
  await linnet.run('custom.linkInBio.forgetEmpty')
  assert.equal((await linnet.api('GET', '/bio/ada')).status, 404)
})

it('keeps a page from being overwritten by who has not seen it', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { id } = await linnet.create()
  const body = (title: string) => ({ title, links: [{ id, label: 'Here' }] })
  const { headers } = await linnet.api('PATCH', '/bio/ada', body('First'))
  const match = { 'if-match': String(headers.etag) }
  assert.equal((await linnet.api('PATCH', '/bio/ada', body('Second'), match)).status, 200)
  assert.equal((await linnet.api('PATCH', '/bio/ada', body('Third'), match)).status, 412)
  assert.equal((await linnet.api('DELETE', '/bio/ada')).status, 204)
  assert.equal((await linnet.visit('bio/ada')).status, 404)
})

it('has a page in the menu of the dashboard', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { body } = await linnet.api('GET', '/plugins')
  assert.deepEqual(body.data[0].site, { path: '/link-in-bio/', label: 'Link in bio' })
  assert.match((await linnet.visit('link-in-bio/')).text, /<script type="module" src="page\.js">/)
})

it('refuses links of others, and what is no name', async t => {
  const linnet = await boot(plugin)
  t.after(() => linnet.stop())
  const { id } = await linnet.create()
  const page = { title: 'Ada', links: [{ id, label: 'Here' }] }
  assert.equal((await linnet.api('PATCH', '/bio/A%2FB', page)).status, 422)
  const others = { title: 'Ada', links: [{ id: 'lnk_none', label: 'Here' }] }
  assert.equal((await linnet.api('PATCH', '/bio/ada', others)).status, 422)
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
