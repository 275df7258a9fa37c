import {
  type Context,
  definePlugin,
  endpoint,
  line,
  listOf,
  listSchema,
  type Migration,
  newRowId,
  pageQuery,
  publicId,
  readPublicId,
  readSlice,
  refuse,
  sliceOf,
  z,
} from '../../core/plugin.ts'

type Db = Context['db']

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
const shownAnnotation = z.strictObject({ id: z.string(), ...body.shape }).meta({ id: 'Annotation' })
const answer = z.strictObject({ data: shownAnnotation })

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
  endpoints: {
    'GET /annotations': endpoint({
      summary: 'List your annotations, by day',
      scope: 'analytics:read',
      query: pageQuery.extend({
        from: day.optional().meta({ description: 'The first day.' }),
        to: day.optional().meta({ description: 'The last day, which is included.' }),
      }),
      answer: listSchema(shownAnnotation),
      async handle({ caller, query }, { db }) {
        const found = between(ofAccount(db, caller.accountId), query)
        const { rows, next } = await readSlice(
          found.selectAll(),
          { by: ['day', 'id'] },
          sliceOf(query),
        )
        const shownRows = (rows as readonly Annotation[]).map(shown)
        return listOf(shownRows, await count(found), query, '/api/v1/annotations', next)
      },
    }),
    'POST /annotations': endpoint({
      summary: 'Annotate a day',
      scope: 'analytics:write',
      body,
      answer,
      status: 201,
      async handle({ caller: { accountId }, body }, { db }) {
        const used = await count(ofAccount(db, accountId))
        if (used >= maxEach) return tooMany
        const row = { id: newRowId(), ...body }
        await db
          .insertInto(table)
          .values({ ...row, account_id: accountId })
          .execute()
        return { data: shown(row) }
      },
    }),
    'GET /annotations/:id': endpoint({
      summary: 'Show an annotation',
      scope: 'analytics:read',
      answer,
      version: ({ data }) => data,
      async handle({ caller, params: { id = '' } }, { db }) {
        const annotation = await find(db, caller.accountId, id)
        return annotation && { data: shown(annotation) }
      },
    }),
    'PATCH /annotations/:id': endpoint({
      summary: 'Change an annotation',
      scope: 'analytics:write',
      body: body.partial(),
      answer,
      async handle({ caller, params: { id = '' }, body }, { db }) {
        const before = await find(db, caller.accountId, id)
        if (!before) return
        const { day = before.day, text = before.text } = body
        await db.updateTable(table).set({ day, text }).where('id', '=', before.id).execute()
        return { data: shown({ ...before, day, text }) }
      },
    }),
    'DELETE /annotations/:id': endpoint({
      summary: 'Delete an annotation',
      scope: 'analytics:write',
      answer: z.strictObject({}),
      status: 204,
      async handle({ caller, params: { id = '' } }, { db }) {
        const annotation = await find(db, caller.accountId, id)
        if (!annotation) return
        await db.deleteFrom(table).where('id', '=', annotation.id).execute()
        return {}
      },
    }),
  },
})

const tooMany = refuse(
  'limit_reached',
  `You can have ${maxEach} annotations. Delete one first.`,
  403,
  undefined,
  { limit: maxEach, used: maxEach },
)

function shown({ id, day, text }: Annotation) {
  return { id: publicId('ann', id), day, text }
}

function ofAccount(db: Db, accountId: number) {
  return db.selectFrom(table).where('account_id', '=', accountId)
}

interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function between(annotations: ReturnType<typeof ofAccount>, { from, to }: Span) {
  const since = from === undefined ? annotations : annotations.where('day', '>=', from)
  return to === undefined ? since : since.where('day', '<=', to)
}

async function count(annotations: ReturnType<typeof ofAccount>): Promise<number> {
  const { all } = await annotations
    .select(({ fn }) => fn.countAll().as('all'))
    .executeTakeFirstOrThrow()
  return Number(all)
}

async function find(db: Db, accountId: number, id: string): Promise<Annotation | undefined> {
  const rowId = readPublicId('ann', id)
  if (rowId === undefined) return undefined
  const row = await ofAccount(db, accountId).selectAll().where('id', '=', rowId).executeTakeFirst()
  return row as Annotation | undefined
}
