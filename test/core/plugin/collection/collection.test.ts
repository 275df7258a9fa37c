import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collection, definePlugin, line, publicId, refuse, z } from '../../../../core/plugin.ts'
import { operationsOf, readDocument } from '../../../api/document.ts'
import { boot, type Harness } from '../../../harness.ts'
import { otherAccount } from '../../../plugins/organization/other-account.ts'

interface Note {
  readonly id: number
  readonly text: string
  readonly written_on: string | null
  readonly created_at: number
  readonly updated_at: number
}

const table = 'third_party_note_book_notes'

/** What somebody else could write, with as little as a collection takes and each part of it once. */
const notes = collection({
  path: '/notes',
  table,
  idKind: 'nte',
  scopes: { read: 'notes:read', write: 'notes:write' },
  summaries: {
    list: 'List your notes',
    create: 'Write a note',
    show: 'Read a note',
    change: 'Change a note',
    delete: 'Tear a note out',
  },
  limit: 'maxNotes',
  dated: true,
  unique: { columns: ['text'], refusal: refuse('noted', 'That is noted already.', 409, 'text') },
  body: z.strictObject({ text: line(200), writtenOn: z.string().nullable().optional() }),
  addresses: ({ text }) => (text?.startsWith('http') ? [{ field: 'text', url: text }] : []),
  order: { by: ['text', 'id'] },
  filter: {
    query: { begins: z.string().optional() },
    where: (rows, { begins }) => (begins ? rows.where('text', 'like', `${begins}%`) : rows),
  },
  item: z.strictObject({
    id: z.string(),
    text: z.string(),
    writtenOn: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  }),
  show: (rows: readonly Note[]) =>
    rows.map(row => ({
      id: publicId('nte', row.id),
      text: row.text,
      writtenOn: row.written_on,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    })),
})

const noteBook = definePlugin({
  feature: 'thirdParty.noteBook',
  about: 'Keep notes.',
  scopes: ['notes:read', 'notes:write'],
  migrations: {
    '001-notes': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('id', 'bigint', c => c.primaryKey())
        .addColumn('account_id', 'bigint', c => c.references('accounts.id').onDelete('cascade'))
        .addColumn('text', 'text', c => c.notNull())
        .addColumn('written_on', 'text')
        .addColumn('created_at', 'bigint', c => c.notNull())
        .addColumn('updated_at', 'bigint', c => c.notNull())
        .execute()
      await schema
        .createIndex(`${table}_text`)
        .unique()
        .on(table)
        .columns(['account_id', 'text'])
        .execute()
    },
  },
  validate: ({ addresses }) =>
    addresses.some(({ url }) => url.includes('evil')) ? refuse('evil', 'Not there.') : undefined,
  limits: { maxNotes: { label: 'Notes', used: 'notesCount' } },
  usage: { notesCount: notes.count },
  endpoints: notes.endpoints,
})

let linnet: Harness
beforeEach(async () => {
  linnet = await boot(noteBook)
})
afterEach(() => linnet.stop())

async function write(text: string, more: object = {}): Promise<string> {
  const { status, body } = await linnet.api('POST', '/notes', { text, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}

describe('a collection', () => {
  it('creates, shows, changes and deletes a thing, whose columns are the fields of the body', async () => {
    linnet.at('2026-11-20T09:00:00.000Z')
    const created = await linnet.api('POST', '/notes', { text: 'Milk', writtenOn: 'paper' })
    const { id } = created.body.data
    expect(created.headers.location).toBe(`/api/v1/notes/${id}`)
    expect(created.body.data).toEqual({
      id: expect.stringMatching(/^nte_/),
      text: 'Milk',
      writtenOn: 'paper',
      createdAt: '2026-11-20T09:00:00.000Z',
      updatedAt: '2026-11-20T09:00:00.000Z',
    })
    linnet.at('2026-11-20T10:00:00.000Z')
    const changed = await linnet.api('PATCH', `/notes/${id}`, { writtenOn: null })
    expect(changed.body.data).toEqual({
      ...created.body.data,
      writtenOn: null,
      updatedAt: '2026-11-20T10:00:00.000Z',
    })
    expect((await linnet.api('GET', `/notes/${id}`)).body).toEqual(changed.body)
    expect((await linnet.api('DELETE', `/notes/${id}`)).status).toBe(204)
    expect((await linnet.api('GET', `/notes/${id}`)).status).toBe(404)
    expect((await linnet.api('DELETE', `/notes/${id}`)).status).toBe(404)
  })

  it('leaves the date of a thing that a change leaves as it was', async () => {
    linnet.at('2026-11-20T09:00:00.000Z')
    const id = await write('Milk')
    linnet.at('2026-11-20T10:00:00.000Z')
    const { body } = await linnet.api('PATCH', `/notes/${id}`, { text: 'Milk', writtenOn: null })
    expect(body.data.updatedAt).toBe('2026-11-20T09:00:00.000Z')
  })

  it('refuses what an account has already, when it is created and when it is changed', async () => {
    const milk = await write('Milk')
    const bread = await write('Bread')
    const again = await linnet.api('POST', '/notes', { text: 'Milk' })
    expect([again.status, again.body.type]).toEqual([409, expect.stringContaining('noted')])
    const renamed = await linnet.api('PATCH', `/notes/${bread}`, { text: 'Milk' })
    expect([renamed.status, renamed.body.errors[0].field]).toEqual([409, 'text'])
    const kept = await linnet.api('PATCH', `/notes/${milk}`, { text: 'Milk', writtenOn: 'glass' })
    expect([kept.status, kept.body.data.writtenOn]).toEqual([200, 'glass'])
  })

  it('lists things in its order, by pages and cursors, and filters them', async () => {
    for (const text of ['Milk', 'Bread', 'Butter', 'Salt']) await write(text)
    const textsOf = ({ body }: { readonly body: { data: { text: string }[] } }) =>
      body.data.map(({ text }) => text)
    const first = await linnet.api('GET', '/notes?per_page=3')
    expect(textsOf(first)).toEqual(['Bread', 'Butter', 'Milk'])
    expect(first.body.meta.total).toBe(4)
    await write('Apples')
    const next = await linnet.api('GET', `/notes?per_page=3&cursor=${first.body.meta.nextCursor}`)
    expect(textsOf(next)).toEqual(['Salt'])
    const found = await linnet.api('GET', '/notes?begins=B')
    expect([textsOf(found), found.body.meta.total]).toEqual([['Bread', 'Butter'], 2])
    expect(found.body.links.first).toBe('/api/v1/notes?page=1&per_page=20&begins=B')
  })

  it('shows and changes nothing of another account', async () => {
    const id = await write('Milk')
    const ask = await otherAccount(linnet)
    expect((await ask('GET', '/notes')).body.meta.total).toBe(0)
    expect((await ask('GET', `/notes/${id}`)).status).toBe(404)
    expect((await ask('PATCH', `/notes/${id}`, { text: 'Mine' })).status).toBe(404)
    expect((await ask('DELETE', `/notes/${id}`)).status).toBe(404)
    expect((await ask('POST', '/notes', { text: 'Milk' })).status).toBe(201)
  })

  it('honours If-Match, and validates addresses in bodies like those of links', async () => {
    const id = await write('Milk')
    const { headers } = await linnet.api('GET', `/notes/${id}`)
    await linnet.api('PATCH', `/notes/${id}`, { text: 'Bread' })
    const stale = { 'if-match': `${headers.etag}` }
    expect((await linnet.api('PATCH', `/notes/${id}`, { text: 'Salt' }, stale)).status).toBe(412)
    expect((await linnet.api('DELETE', `/notes/${id}`, undefined, stale)).status).toBe(412)
    expect((await linnet.api('POST', '/notes', { text: 'https://evil.example/' })).status).toBe(422)
  })

  it('creates no more things than the plan allows', async () => {
    const plan = { limits: { maxNotes: 1 } }
    expect((await linnet.api('PATCH', '/admin/plans/unlimited', plan)).status).toBe(200)
    await write('Milk')
    expect((await linnet.api('GET', '/profile')).body.data.plan.usage.notesCount).toBe(1)
    const { status, body } = await linnet.api('POST', '/notes', { text: 'Bread' })
    expect([status, body.type]).toEqual([403, expect.stringContaining('limit')])
  })

  it('is described by its summaries', async () => {
    const described = operationsOf(await readDocument(linnet))
      .map(({ operation }) => operation)
      .filter(({ operationId }) => operationId.startsWith('notes.'))
      .map(({ operationId, summary }) => `${operationId}: ${summary}`)
    expect(described.sort()).toEqual([
      'notes.create: Write a note',
      'notes.destroy: Tear a note out',
      'notes.list: List your notes',
      'notes.show: Read a note',
      'notes.update: Change a note',
    ])
  })
})
