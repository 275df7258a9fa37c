import {
  type Context,
  definePlugin,
  endpoint,
  isRefusal,
  line,
  listOf,
  listSchema,
  type Migration,
  pageQuery,
  publicId,
  readSlice,
  refuse,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { type NamedRow, namedRows } from './named-rows.ts'

interface SavedSearch extends NamedRow {
  readonly query: string
}

const table = 'organization_saved_searches'

const searches = namedRows<SavedSearch>({ word: 'saved search', idKind: 'sea', table })

/** Maximum per account: nobody could choose from a longer list. */
const maxEach = 100

/** Parameters that select a page of the list, not which links are in it. */
const ofPages = ['page', 'per_page', 'perPage', 'cursor']

const query = z
  .string()
  .max(2_000)
  .transform((text, { addIssue }) => {
    const wanted = new URLSearchParams(text)
    for (const name of ofPages) wanted.delete(name)
    if (wanted.size > 0) return wanted.toString()
    addIssue('Must be parameters of GET /links, such as search=spring&sort=-visits.')
    return z.NEVER
  })
  .meta({
    description: 'The parameters of `GET /links`, without the page.',
    examples: ['search=spring&sort=-visits'],
  })

const body = z.strictObject({ name: line(100), query })
const shownSearch = z.strictObject({ id: z.string(), name: z.string(), query: z.string() })
const answer = z.strictObject({ data: shownSearch })

const makeTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('folded_name', 'text', c => c.notNull())
    .addColumn('query', 'text', c => c.notNull())
    .execute()
  await schema
    .createIndex(`${table}_name`)
    .unique()
    .on(table)
    .columns(['account_id', 'folded_name'])
    .execute()
}

export default definePlugin({
  feature: 'organization.savedSearches',
  about: 'Save searches of links under a name.',
  migrations: { '001-searches': makeTable },

  endpoints: {
    'GET /saved-searches': endpoint({
      summary: 'List your saved searches, by name',
      scope: 'links:read',
      query: pageQuery,
      answer: listSchema(shownSearch),
      async handle({ caller: { accountId }, query }, { db }) {
        const own = searches.ownedBy(db, accountId).selectAll()
        const { rows, next } = await readSlice(own, { by: ['folded_name'] }, sliceOf(query))
        const total = await searches.count(db, accountId)
        const data = (rows as readonly SavedSearch[]).map(shown)
        return listOf(data, total, query, '/api/v1/saved-searches', next)
      },
    }),
    'POST /saved-searches': endpoint({
      summary: 'Save a search of links',
      scope: 'links:write',
      body,
      answer,
      status: 201,
      async handle({ caller: { accountId }, body }, { db }) {
        if ((await searches.count(db, accountId)) >= maxEach) return tooMany
        const search = await searches.add(db, accountId, body)
        return isRefusal(search) ? search : { data: shown(search) }
      },
    }),
    'GET /saved-searches/:id': endpoint({
      summary: 'Show a saved search',
      scope: 'links:read',
      answer,
      version: ({ data }) => data,
      async handle({ caller: { accountId }, params: { id = '' } }, { db }) {
        const search = await findSearch(db, accountId, id)
        return search && { data: shown(search) }
      },
    }),
    'PATCH /saved-searches/:id': endpoint({
      summary: 'Change the name or the parameters of a saved search',
      scope: 'links:write',
      body: body.partial(),
      answer,
      async handle({ caller: { accountId }, params: { id = '' }, body }, { db }) {
        const before = await findSearch(db, accountId, id)
        if (!before) return
        const search = await searches.change(db, accountId, before, body)
        return isRefusal(search) ? search : { data: shown(search) }
      },
    }),
    'DELETE /saved-searches/:id': endpoint({
      summary: 'Delete a saved search',
      scope: 'links:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller: { accountId }, params: { id = '' } }, { db }) {
        return (await searches.remove(db, accountId, id)) ? {} : undefined
      },
    }),
  },
})

const tooMany = refuse(
  'limit_reached',
  `You can save ${maxEach} searches. Delete one first.`,
  403,
  undefined,
  { limit: maxEach, used: maxEach },
)

function shown({ id, name, query }: SavedSearch) {
  return { id: publicId('sea', id), name, query }
}

async function findSearch(db: Context['db'], accountId: number, id: string) {
  const row = await searches.withId(db, accountId, id).selectAll().executeTakeFirst()
  return row as SavedSearch | undefined
}
