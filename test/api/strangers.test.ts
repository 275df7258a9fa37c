import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { address, definePlugin, endpoint, page, z } from '../../core/plugin.ts'
import { oneOf } from '../at-night.ts'
import type { Harness, Headers } from '../harness.ts'
import { boot } from '../harness.ts'
import { publicId } from '../inside.ts'
import { operationsOf, readDocument } from './document.ts'
import { aPerson } from './people.ts'
import { filesFolder, plugins } from './whole-instance.ts'

const trap = 'https://example.com/trap'

function springs(text: string | null | undefined): undefined {
  if (text?.includes('trap')) throw new Error('It cannot bear this.')
}

/** Throws on a certain word, wherever it comes from, like a plugin whose author did not think of some input. */
const brittle = definePlugin({
  feature: 'link.brittle',
  about: 'Fail of some input.',
  fields: { aim: address({ label: 'Aim' }) },
  prepare: ({ originalUrl }) => springs(originalUrl),
  validate: ({ fields }) => springs(fields.aim),
  guard:
    ({ aim }) =>
    visit =>
      springs(aim ?? visit.query.get('word')),
  target: () => (visit, url) => springs(visit.query.get('aim')) ?? url,
  views: {
    '+why': (visit, url) => {
      springs(visit.query.get('view'))
      return page({ heading: 'Why', link: { label: 'On', url } })
    },
  },
  endpoints: {
    'GET /words/:word': endpoint({
      summary: 'Show a word',
      scope: '*',
      answer: z.strictObject({ data: z.string() }),
      handle: ({ params: { word = '' } }) => {
        springs(word)
        return { data: word }
      },
    }),
  },
})

let linnet: Harness
let ada: Headers
let eve: Headers

beforeEach(async () => {
  linnet = await boot([...plugins, brittle], { filesFolder })
  const [one, other] = [await aPerson(linnet, { isAdmin: true }), await aPerson(linnet)]
  for (const person of [one, other]) await person.moveTo('unlimited')
  ada = await one.session()
  eve = await other.session()
})
afterEach(() => linnet.stop())

const forged = (kind: string) => `${kind}_hx4rxtj6Pf8jv9RTZB7tDb6zXgfW7s`
const url = 'https://example.com/'
const call = (who: Headers, method: string, path: string, body?: unknown) =>
  linnet.api(method, path, body, { 'sec-fetch-site': 'same-origin', ...who })

describe('a forged id', () => {
  it('in a path is not found, of whatever it is', async () => {
    const operations = operationsOf(await readDocument(linnet))
    const onOne = operations.filter(
      // What PUT has in its path is made if it is not there.
      ({ method, path }) => method !== 'PUT' && (path.endsWith('{id}') || path.includes('{id}/')),
    )
    expect(onOne.length).toBeGreaterThan(25)
    for (const [place, { method, path, operation }] of onOne.entries()) {
      const body = operation.requestBody && sampleOf(path)
      for (const kind of oneOf(['lnk', 'tag', 'cmp', 'tok', 'dom', 'acc', 'ses'], place)) {
        const at = path.slice('/api/v1'.length).replace('{id}', forged(kind))
        const { status } = await call(ada, method, at, body)
        expect([method, at, status]).toEqual([method, at, 404])
      }
    }
    expect(linnet.log).toEqual([])
  })

  /** A body that each route accepts, by its subject. */
  function sampleOf(path: string) {
    if (path.endsWith('/replay'))
      return { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
    if (path.endsWith('/hand-over')) return { to: forged('acc') }
    if (path.includes('/passkeys/')) return { name: 'Red' }
    return path.startsWith('/api/v1/campaigns') || path.startsWith('/api/v1/tags')
      ? { name: 'Red' }
      : {}
  }

  it.each([
    ['campaign_id', { campaign_id: forged('cmp') }],
    ['tag_ids[0]', { tag_ids: [forged('tag')] }],
  ])('in a body is refused at %s', async (field, body) => {
    const made = await call(ada, 'POST', '/links', { original_url: url, ...body })
    expect(made).toMatchObject({ status: 422, body: { errors: [{ field }] } })
    const link = await linnet.create()
    const changed = await linnet.api('PATCH', `/links/${link.id}`, body)
    expect(changed).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  it.each([
    [`campaign_id=${forged('cmp')}`, 'campaign_id'],
    [`tag_ids=${forged('tag')}`, 'tag_ids'],
    [`tag_ids=${publicId('tag', 1)},${forged('tag')}`, 'tag_ids'],
  ])('in a filter is refused, as ?%s', async (query, field) => {
    const answer = await call(ada, 'GET', `/links?${query}`)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  it('among many is one that is not there', async () => {
    const ids = [forged('lnk')]
    const { status, body } = await call(ada, 'DELETE', '/links/bulk', { ids })
    expect([status, body.data[0].status]).toEqual([200, 404])
  })
})

describe('a hundred requests of one account that a plugin fails of', () => {
  it('leave every endpoint, every write and every list to the other', async () => {
    const link = (await call(eve, 'POST', '/links', { original_url: url })).body.data
    for (let round = 0; round < 100; round++) {
      const answers = await Promise.all([
        call(eve, 'GET', '/words/trap'),
        call(eve, 'POST', '/links', { original_url: trap }),
        call(eve, 'POST', '/links', { original_url: url, aim: trap }),
        call(eve, 'PATCH', `/links/${link.id}`, { aim: trap }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([500, 503, 503, 503])
    }
    expect((await call(eve, 'GET', '/words/calm')).status).toBe(500)

    expect((await call(ada, 'GET', '/words/calm')).status).toBe(200)
    const made = await call(ada, 'POST', '/links', { original_url: url, aim: url })
    expect(made.status).toBe(201)
    const at = `/links/${made.body.data.id}`
    expect((await call(ada, 'PATCH', at, { aim: null })).status).toBe(200)
    for (const { method, path } of operationsOf(await readDocument(linnet))) {
      if (method !== 'GET') continue
      const address = path
        .slice('/api/v1'.length)
        .replace('/links/{id}', at)
        .replace('{id}', 'calm')
      expect([path, (await call(ada, method, address)).status]).toSatisfy(
        ([, status]: [string, number]) => status < 500,
      )
    }
  })
})

describe('a hundred visits that a plugin fails of', () => {
  it('leave the link to everybody else, and those of others too', async () => {
    const [link, other] = [await linnet.create(), await linnet.create()]
    for (let round = 0; round < 100; round++) {
      expect(await linnet.visit(link, { query: '?word=trap' })).toMatchObject({ status: 503 })
      expect(await linnet.visit(link, { query: '?aim=trap' })).toMatchObject({ location: url })
      const view = await linnet.visit(`${link.shortCode}+why`, { query: '?view=trap' })
      expect(view.status).toBe(503)
    }
    for (const it of [link, other]) {
      expect(await linnet.visit(it)).toMatchObject({ status: 302, location: url })
      expect((await linnet.visit(`${it.shortCode}+why`)).status).toBe(200)
    }
  })

  it('never open what a guard keeps shut', async () => {
    const link = await linnet.create({ aim: url })
    await linnet.db
      .updateTable('links')
      .set({ fields: JSON.stringify({ 'link.brittle': { aim: trap } }) })
      .execute()
    linnet.app.cache.forgetAll()
    for (let round = 0; round < 100; round++) {
      expect(await linnet.visit(link)).toMatchObject({ status: 503, location: undefined })
    }
    // The log has only as many lines as help to find the mistake, each with the link.
    expect(linnet.log).toHaveLength(20)
  })
})
