import {
  collection,
  definePlugin,
  line,
  type Migration,
  publicId,
  refuse,
  z,
} from '../../core/plugin.ts'
import { byName, type NamedRow, namedColumns } from './named-things.ts'

interface SavedSearch extends NamedRow {
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

const tooMany = refuse(
  'limit_reached',
  `You can save ${maxEach} searches. Delete one first.`,
  403,
  undefined,
  { limit: maxEach, used: maxEach },
)

const searches = collection({
  ...byName('saved search'),
  path: '/saved-searches',
  table,
  idKind: 'sea',
  scopes: { read: 'links:read', write: 'links:write' },
  summaries: {
    list: 'List your saved searches, by name',
    create: 'Save a search of links',
    show: 'Show a saved search',
    change: 'Change the name or the parameters of a saved search',
    delete: 'Delete a saved search',
  },
  body: z.strictObject({ name: line(100), query }),
  inTransaction: true,
  create: async ({ name, query }, { count }) =>
    (await count()) < maxEach ? { ...namedColumns(name), query } : tooMany,
  change: ({ name, query }) => ({ ...namedColumns(name), query }),
  item: z.strictObject({ id: z.string(), name: z.string(), query: z.string() }),
  show: (rows: readonly SavedSearch[]) =>
    rows.map(({ id, name, query }) => ({ id: publicId('sea', id), name, query })),
})

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
  endpoints: searches.endpoints,
})
