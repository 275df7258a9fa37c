import {
  collection,
  definePlugin,
  line,
  type Migration,
  publicId,
  refuse,
  z,
} from '../../core/plugin.ts'

interface Annotation {
  readonly id: number
  /** Such as `2026-11-20`. */
  readonly day: string
  readonly text: string
}

const table = 'analytics_annotations'

/** The maximum for each account: one a day for more than twenty years. */
const maxEach = 10_000

const day = z.iso.date().meta({
  description: 'A day, in the time zone in which the analytics are shown.',
  examples: ['2026-11-20'],
})
const body = z.strictObject({
  day,
  text: line(200).meta({ examples: ['Newsletter sent'] }),
})
const tooMany = refuse(
  'limit_reached',
  `You can have ${maxEach} annotations. Delete one first.`,
  403,
  undefined,
  { limit: maxEach, used: maxEach },
)

const annotations = collection({
  path: '/annotations',
  table,
  idKind: 'ann',
  scopes: { read: 'analytics:read', write: 'analytics:write' },
  summaries: {
    list: 'List your annotations, by day',
    create: 'Annotate a day',
    show: 'Show an annotation',
    change: 'Change an annotation',
    delete: 'Delete an annotation',
  },
  body,
  inTransaction: true,
  create: async (values, { count }) => ((await count()) < maxEach ? values : tooMany),
  order: { by: ['day', 'id'] },
  filter: {
    query: {
      from: day.optional().meta({ description: 'The first day.' }),
      to: day.optional().meta({ description: 'The last day, which is included.' }),
    },
    where(rows, { from, to }) {
      const since = from === undefined ? rows : rows.where('day', '>=', from)
      return to === undefined ? since : since.where('day', '<=', to)
    },
  },
  item: z.strictObject({ id: z.string(), ...body.shape }).meta({ id: 'Annotation' }),
  show: (rows: readonly Annotation[]) =>
    rows.map(({ id, day, text }) => ({ id: publicId('ann', id), day, text })),
})

const makeTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('day', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .execute()
  await schema.createIndex(`${table}_day`).on(table).columns(['account_id', 'day', 'id']).execute()
}

export default definePlugin({
  feature: 'analytics.annotations',
  about: 'Note what happened on a day, and show it in the chart of visits over time.',
  needs: ['analytics.visitsTracking'],
  migrations: { '001-annotations': makeTable },
  endpoints: annotations.endpoints,
  unstable: {
    // Notes are about the chart of an account, not about single links.
    async handOver({ from, to, links }, { db }) {
      if (links) return undefined
      const all = db.updateTable(table).set({ account_id: to }).where('account_id', '=', from)
      await all.execute()
      return undefined
    },
  },
})
