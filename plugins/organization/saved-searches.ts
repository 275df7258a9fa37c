import {
  type Context,
  definePlugin,
  endpoint,
  isRefusal,
  line,
  listOf,
  listSchema,
  type Migration,
  newRowId,
  pageQuery,
  publicId,
  type Refusal,
  readPublicId,
  readSlice,
  refuse,
  sliceOf,
  z,
} from '../../core/plugin.ts'
import { foldName } from './name-and-color.ts'

type Db = Context['db']

interface SavedSearch {
  readonly id: number
  readonly name: string
  readonly query: string
}

const table = 'organization_saved_searches'

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
        const own = db.selectFrom(table).selectAll().where('account_id', '=', accountId)
        const { rows, next } = await readSlice(own, { by: ['folded_name'] }, sliceOf(query))
        const total = await countSearches(db, accountId)
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
        if ((await countSearches(db, accountId)) >= maxEach) return tooMany
        const search = await addSearch(db, accountId, body)
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
        const { name = before.name, query = before.query } = body
        const after = { ...before, name, query }
        return (await changeSearch(db, accountId, after)) ? { data: shown(after) } : nameTaken
      },
    }),
    'DELETE /saved-searches/:id': endpoint({
      summary: 'Delete a saved search',
      scope: 'links:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller: { accountId }, params: { id = '' } }, { db }) {
        const search = await findSearch(db, accountId, id)
        if (!search) return
        await db.deleteFrom(table).where('id', '=', search.id).execute()
        return {}
      },
    }),
  },
})

const nameTaken = refuse(
  'name_taken',
  'You already have a saved search with this name.',
  409,
  'name',
)

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

async function countSearches(db: Db, accountId: number): Promise<number> {
  const { searches } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('searches'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(searches)
}

async function addSearch(
  db: Db,
  accountId: number,
  { name, query }: z.output<typeof body>,
): Promise<SavedSearch | Refusal> {
  const row = await db
    .insertInto(table)
    .values({
      id: newRowId(),
      account_id: accountId,
      name,
      folded_name: foldName(name),
      query,
    })
    .onConflict(conflict => conflict.columns(['account_id', 'folded_name']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ? (row as SavedSearch) : nameTaken
}

/** Finds a saved search of the account by its public id. */
async function findSearch(db: Db, accountId: number, id: string): Promise<SavedSearch | undefined> {
  const rowId = readPublicId('sea', id)
  if (rowId === undefined) return undefined
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', rowId)
    .executeTakeFirst()
  return row as SavedSearch | undefined
}

/** Returns false if another saved search has that name. */
async function changeSearch(
  db: Db,
  accountId: number,
  { id, name, query }: SavedSearch,
): Promise<boolean> {
  const folded_name = foldName(name)
  const namesakes = db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where('folded_name', '=', folded_name)
    .where('id', '!=', id)
  // Checked in the same statement, so that no other request can come in between.
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ name, folded_name, query })
    .where('id', '=', id)
    .where(({ exists, not }) => not(exists(namesakes)))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
