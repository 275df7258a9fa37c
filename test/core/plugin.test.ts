import { expect, it } from 'vitest'
import { type Context, definePlugin, endpoint, refuse, text, z } from '../../core/plugin.ts'
import { boot } from '../harness.ts'

interface Tables {
  readonly a_notes: { readonly link_id: number; readonly note: string }
}

const settings = { greeting: text({ label: 'Greeting', default: 'Hello' }) }

/** Its types are a part of the test: what they must refuse is marked. */
const notes = definePlugin<Tables>()({
  feature: 'a.notes',
  about: 'Keep a note with a link.',
  settings,
  fields: { note: text({ label: 'Note', stored: false }) },
  migrations: {
    '001-notes': async ({ schema }) => {
      await schema
        .createTable('a_notes')
        .addColumn('link_id', 'bigint', it => it.primaryKey().references('links.id'))
        .addColumn('note', 'text', it => it.notNull())
        .execute()
    },
  },
  setup: () => ({ most: 2 }),
  async save({ rowId }, { note }, { db, state }) {
    if (!note) return undefined
    const kept = await db.selectFrom('a_notes').select('note').execute()
    if (kept.length >= state.most) return refuse('full', 'There are too many notes.')
    // @ts-expect-error There is no such column.
    const wrong = () => db.insertInto('a_notes').values({ link_id: rowId, text: note }).execute()
    expect(wrong).toBeDefined()
    await db.insertInto('a_notes').values({ link_id: rowId, note }).execute()
    return undefined
  },
  filter: {
    query: { note: z.string().optional() },
    where: ({ note }, { db }) =>
      typeof note === 'string'
        ? db.selectFrom('a_notes').select('link_id').where('note', '=', note)
        : undefined,
  },
  endpoints: {
    'GET /notes': endpoint({
      summary: 'List notes',
      scope: 'links:read',
      answer: z.object({ data: z.array(z.string()) }),
      async handle(_, { db, settings: { greeting } }: Context<typeof settings, unknown, Tables>) {
        const rows = await db.selectFrom('a_notes').select('note').execute()
        // @ts-expect-error A greeting is a text.
        const wrong: number = greeting
        return { data: rows.map(({ note }) => `${wrong} ${note}`) }
      },
    }),
  },
})

it('a plugin knows the types of its columns, its settings and its state', async () => {
  const linnet = await boot(notes)
  const { id } = await linnet.create({ note: 'first' })
  await linnet.create({ note: 'second' })
  expect((await linnet.api('GET', '/notes')).body.data).toEqual(['Hello first', 'Hello second'])
  const { body } = await linnet.api('GET', '/links?note=first')
  expect(body.data.map((link: { id: string }) => link.id)).toEqual([id])
  const third = { originalUrl: 'https://example.com/', note: 'third' }
  expect(await linnet.api('POST', '/links', third)).toMatchObject({ body: { code: 'full' } })
  await linnet.stop()
})
