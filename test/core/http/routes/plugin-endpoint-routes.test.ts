import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { definePlugin, endpoint, pageQuery, z } from '../../../../core/plugin.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import apiKeys from '../../../../plugins/developer/api-keys.ts'
import campaigns from '../../../../plugins/organization/campaigns.ts'
import tags from '../../../../plugins/organization/tags.ts'
import { operationsOf, readDocument } from '../../../api/document.ts'
import { boot, type Harness } from '../../../harness.ts'

const note = z.strictObject({ id: z.string(), word: z.string(), reads: z.int() })
type Note = z.output<typeof note>
const answer = z.strictObject({ data: note })

/** What somebody else could bring: a note for everybody, that knows how often it was read. */
const noteBook = definePlugin({
  feature: 'thirdParty.noteBook',
  about: 'Keep one note.',
  migrations: {
    '1': async ({ schema }) => {
      await schema
        .createTable('third_party_note_book_notes')
        .addColumn('id', 'text', c => c.primaryKey())
        .addColumn('word', 'text', c => c.notNull())
        .addColumn('reads', 'integer', c => c.notNull())
        .execute()
    },
  },
  endpoints: {
    'POST /notes': endpoint({
      summary: 'Write a note',
      scope: '*',
      body: z.strictObject({ name: z.string() }),
      answer,
      status: 201,
      async handle({ body: { name } }, { db }) {
        const row = { id: 'not_1', word: name, reads: 0 }
        await db.insertInto('third_party_note_book_notes').values(row).execute()
        return { data: row }
      },
    }),
    'GET /notes/:note': endpoint({
      summary: 'Read a note',
      scope: '*',
      answer,
      version: ({ data: { word } }) => word,
      async handle({ params }, { db }) {
        const row = await db
          .updateTable('third_party_note_book_notes')
          .set(({ eb }) => ({ reads: eb('reads', '+', 1) }))
          .where('id', '=', params.note)
          .returningAll()
          .executeTakeFirst()
        return row && { data: row as Note }
      },
    }),
    'PATCH /notes/:note': endpoint({
      summary: 'Change a note',
      scope: '*',
      body: z.strictObject({ name: z.string() }),
      answer,
      async handle({ params, body: { name } }, { db }) {
        const row = await db
          .updateTable('third_party_note_book_notes')
          .set({ word: name })
          .where('id', '=', params.note)
          .returningAll()
          .executeTakeFirst()
        return row && { data: row as Note }
      },
    }),
    'DELETE /notes/:note': endpoint({
      summary: 'Throw a note away',
      scope: '*',
      status: 204,
      async handle({ params }, { db }) {
        await db.deleteFrom('third_party_note_book_notes').where('id', '=', params.note).execute()
      },
    }),
    'GET /notes/:note/copies': endpoint({
      summary: 'Copy any word 200,000 times',
      scope: '*',
      answer: z.strictObject({ data: z.string() }),
      handle: ({ params: { note = '' } }) => ({ data: note.repeat(200_000) }),
    }),
    'GET /pages': endpoint({
      summary: 'List long texts',
      scope: '*',
      query: pageQuery,
      answer: z.strictObject({ data: z.array(z.string()) }),
      handle: ({ query: { perPage } }) => ({ data: Array(perPage).fill('x'.repeat(30_000)) }),
    }),
    'GET /notes/:note/zeros': endpoint({
      summary: 'List so many zeros',
      scope: '*',
      answer: z.strictObject({ data: z.array(z.int()) }),
      handle: ({ params: { note } }) => ({ data: Array<number>(Number(note)).fill(0) }),
    }),
    'GET /notes/:note/letters': endpoint({
      summary: 'Count the letters of any word',
      scope: '*',
      answer: z.strictObject({ data: z.int() }),
      handle: ({ params: { note = '' } }) => ({ data: note.length }),
    }),
  },
})

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([visitsTracking, tags, campaigns, apiKeys, noteBook])
})
afterEach(() => linnet.stop())

const stale = { status: 412, body: { code: 'stale' } }

describe.each([
  ['/tags', { name: 'Spring' }],
  ['/campaigns', { name: 'Spring' }],
  ['/api-tokens', { name: 'Spring', scopes: ['links:write'] }],
  ['/notes', { name: 'Spring' }],
])('one of %s', (path, draft) => {
  async function make() {
    const { status, headers, body } = await linnet.api('POST', path, draft)
    expect(status).toBe(201)
    return { etag: String(headers.etag), location: headers.location, ...body.data }
  }
  const at = (id: string) => `${path}/${id}`
  const change = (id: string, name: string, etag?: string) =>
    linnet.api('PATCH', at(id), { name }, etag === undefined ? {} : { 'if-match': etag })

  it('is found at its Location', async () => {
    const { id, location } = await make()
    expect(location).toBe(`/api/v1${at(id)}`)
    expect(await linnet.api('GET', at(id))).toMatchObject({ status: 200 })
  })

  it('has one version in its ETag wherever it is shown, and another after a change', async () => {
    const { id, etag } = await make()
    expect(etag).toMatch(/^"[\da-f]{32}\.[\da-f]{16}"$/)
    const read = await linnet.api('GET', at(id))
    expect(versionIn(read.headers.etag)).toBe(versionIn(etag))
    const changed = await change(id, 'Summer', etag)
    expect(changed.status).toBe(200)
    expect(versionIn(changed.headers.etag)).not.toBe(versionIn(etag))
    const again = await linnet.api('GET', at(id))
    expect(versionIn(again.headers.etag)).toBe(versionIn(changed.headers.etag))
  })

  it('is not changed by who knows another version, and is by who does not say', async () => {
    const { id, etag } = await make()
    await change(id, 'Summer')
    expect(await change(id, 'Autumn', etag)).toMatchObject(stale)
    expect(await linnet.api('DELETE', at(id), undefined, { 'if-match': etag })).toMatchObject(stale)
    const { headers } = await linnet.api('GET', at(id))
    expect(await change(id, 'Winter', `"other", ${headers.etag}`)).toMatchObject({ status: 200 })
    expect(await change(id, 'Autumn', '*')).toMatchObject({ status: 200 })
  })

  it('is deleted by who knows its version', async () => {
    const { id, etag } = await make()
    const removed = await linnet.api('DELETE', at(id), undefined, { 'if-match': etag })
    expect([removed.status, removed.headers.etag]).toEqual([204, undefined])
    expect(await change(id, 'Autumn', etag)).toMatchObject({ status: 404 })
  })

  it('is changed once, when many who know one version change it at the same moment', async () => {
    const { id, etag } = await make()
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`)
    const answers = await Promise.all(names.map(name => change(id, name, etag)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.filter(status => status === 412)).toHaveLength(19)
  })
})

it('a thing of a plugin keeps its version while it is only used', async () => {
  const tag = (await linnet.api('POST', '/tags', { name: 'News' })).body.data
  const campaign = (await linnet.api('POST', '/campaigns', { name: 'Spring' })).body.data
  const link = { tag_ids: [tag.id], campaign_id: campaign.id }
  const before = await Promise.all([etagOf(`/tags/${tag.id}`), etagOf(`/campaigns/${campaign.id}`)])
  const { shortCode } = await linnet.create(link)
  await linnet.visit(shortCode)
  expect((await linnet.api('GET', '/links')).body.data[0].visits.total).toBe(1)
  const shown = await linnet.api('GET', `/campaigns/${campaign.id}`)
  expect(shown.body.data).toMatchObject({ linksCount: 1, visits: 1 })
  const after = [await etagOf(`/tags/${tag.id}`), shown.headers.etag]
  expect(after.map(versionIn)).toEqual(before.map(versionIn))
  // What is shown is another, so that nobody is told that it is as it was.
  expect(after).not.toEqual(before)
  const change = { name: 'Summer' }
  const ifMatch = { 'if-match': String(before[1]) }
  expect(await linnet.api('PATCH', `/campaigns/${campaign.id}`, change, ifMatch)).toMatchObject({
    status: 200,
  })
})

it('an answer of more than 2 MiB of JSON fails, and says so', async () => {
  expect((await linnet.api('GET', '/notes/tenletters/copies')).status).toBe(200)
  expect((await linnet.api('GET', '/notes/elevenchars/copies')).status).toBe(500)
  expect(linnet.log.at(-1)).toMatch(/notes\/:note\/copies failed: .* more than 2097152 bytes/)
  expect((await linnet.api('GET', `/notes/${'%22'.repeat(8)}/copies`)).status).toBe(500)
  expect(linnet.log.at(-1)).toMatch(/copies failed: .* has 3200011 bytes, more than the 2097152/)
})

it('an answer of more than 100,000 values fails, however small they are', async () => {
  expect((await linnet.api('GET', '/notes/99999/zeros')).status).toBe(200)
  expect((await linnet.api('GET', '/notes/100000/zeros')).status).toBe(500)
  expect(linnet.log.at(-1)).toMatch(/zeros failed: .* or 100000 values/)
})

it('a page of large rows is refused, as often as somebody asks, and smaller pages are not', async () => {
  for (let asked = 0; asked < 25; asked += 1)
    expect(await linnet.api('GET', '/pages?per_page=100')).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', detail: expect.stringContaining('per_page') },
    })
  expect((await linnet.api('GET', '/pages?per_page=50')).status).toBe(200)
  expect(linnet.log).toEqual([])
})

it('an answer that is repeated keeps its ETag and its Location', async () => {
  const key = { 'idempotency-key': 'once' }
  const first = await linnet.api('POST', '/tags', { name: 'News' }, key)
  const again = await linnet.api('POST', '/tags', { name: 'News' }, key)
  expect(again.headers).toMatchObject({
    'idempotent-replayed': 'true',
    etag: first.headers.etag,
    location: first.headers.location,
  })
})

it('a thing of a plugin has no version where none is declared', async () => {
  const { headers } = await linnet.api('GET', '/notes/not_1/letters')
  expect([headers.etag, headers.location]).toEqual([undefined, undefined])
})

it('endpoints that differ by parameters alone have a name each, also of two plugins, and beside those of Linnet', async () => {
  const day = endpoint({
    summary: 'Show it',
    scope: 'links:read',
    answer: z.strictObject({ data: z.record(z.string(), z.string()) }),
    handle: ({ params }) => ({ data: params }),
  })
  const [days, others] = [
    { 'GET /days/:day': day, 'GET /days/:year/:month': day, 'GET /links/:id/:which': day },
    { 'GET /days/:a/:b/:c': day },
  ].map((endpoints, index) =>
    definePlugin({ feature: `thirdParty.days${index}`, about: 'Shows days.', endpoints }),
  )
  const linnet = await boot([days as never, others as never])
  onTestFinished(() => linnet.stop())
  const operations = operationsOf(await readDocument(linnet))
  const names = operations.map(({ operation }) => operation.operationId)
  expect(names.filter(name => name.startsWith('days.'))).toEqual([
    ...['days.show', 'days.show2', 'days.show3'],
  ])
  expect(names.filter(name => name.startsWith('links.show'))).toEqual(['links.show', 'links.show2'])
  expect((await linnet.api('GET', '/days/2026/11')).body).toEqual({
    data: { year: '2026', month: '11' },
  })
})

it('OpenAPI says where versions are', async () => {
  const operations = operationsOf(await readDocument(linnet))
  const of = (wanted: string) => {
    const found = operations.find(({ method, path }) => `${method} ${path}` === wanted)
    if (!found) throw new Error(`There is no ${wanted}.`)
    const { parameters, responses } = found.operation
    const headers = (status: number) => Object.keys(responses[status]?.headers ?? {})
    return { names: parameters.map(({ name }) => name), statuses: Object.keys(responses), headers }
  }
  expect(of('PATCH /api/v1/notes/{note}').names).toEqual([
    'note',
    'Idempotency-Key',
    'If-Match',
    'dry_run',
  ])
  const read = of('GET /api/v1/notes/{note}')
  expect(read.names).toEqual(['note', 'If-None-Match'])
  expect(read.headers(200)).toEqual(['X-Request-Id', 'ETag'])
  expect(read.statuses).toContain('304')
  expect(of('POST /api/v1/notes').headers(201)).toEqual([
    ...['X-Request-Id', 'Idempotent-Replayed', 'ETag', 'Location'],
  ])
  expect(of('DELETE /api/v1/notes/{note}').statuses).toContain('412')
  expect(of('GET /api/v1/notes/{note}/letters').headers(200)).toEqual(['X-Request-Id'])
})

async function etagOf(path: string): Promise<unknown> {
  return (await linnet.api('GET', path)).headers.etag
}

function versionIn(etag: unknown): string | undefined {
  return /^"([^".]+)\./.exec(String(etag))?.[1]
}
