import {
  type Caller,
  type Context,
  choice,
  type Dashboard,
  definePlugin,
  endpoint,
  type Fields,
  file,
  line,
  listOf,
  listSchema,
  notFound,
  number,
  pageQuery,
  publicId,
  readSlice,
  type Store,
  sliceOf,
  text,
  z,
} from 'linnet/plugin'

const table = 'custom_link_moods'

interface Tables {
  readonly [table]: Feeling
}

interface Feeling {
  readonly link_id: number
  readonly account_id: number
  readonly mood: Mood
  readonly reason: string | null
  /** Milliseconds since 1970 UTC. */
  readonly changed_at: number
}

type OwnContext = Context<Fields, unknown, Tables>

const moods = ['calm', 'glad', 'cross'] as const
const mood = z.enum(moods)
type Mood = z.output<typeof mood>

/** What people read, where programs read `calm`. */
const words = {
  calm: { label: 'Calm' },
  glad: { label: 'Glad', tone: 'good' },
  cross: { label: 'Cross', tone: 'bad' },
} as const

/** The same in forms. */
const labels = { calm: 'Calm', glad: 'Glad', cross: 'Cross' }

const feelingFields = {
  mood: choice(moods, { label: 'Mood', labels }),
  reason: text({ label: 'Reason', max: 200 }),
}

/** The dashboard draws this. What it shows and sends goes through the endpoints below. */
const dashboard: Dashboard = {
  columns: { mood: { label: 'Mood', words } },
  filters: { mood: { label: 'Mood', words } },
  linkPanel: {
    title: 'Mood',
    lead: 'How this link feels, and why.',
    from: 'GET /links/:link/mood',
    rows: {
      mood: { label: 'Mood', words },
      changedAt: { label: 'Since', as: 'date' },
    },
    form: {
      call: 'PATCH /links/:link/mood',
      fields: feelingFields,
      submit: 'Save mood',
    },
    buttons: [
      {
        label: 'Forget mood',
        call: 'DELETE /links/:link/mood',
        confirm: 'The mood of this link and its reason are deleted.',
        done: 'Mood forgotten.',
      },
    ],
  },
  settings: [
    {
      title: 'Moods',
      lead: 'How new links feel, until somebody says otherwise.',
      from: 'GET /mood-settings',
      form: {
        call: 'PATCH /mood-settings',
        fields: { usual: choice(moods, { label: 'Mood of new links', labels }) },
        submit: 'Save mood',
      },
    },
  ],
  page: {
    label: 'Moods',
    icon: 'megaphone',
    lead: 'How your links feel.',
    panels: [
      {
        title: 'All moods',
        from: 'GET /moods/numbers',
        chart: { kind: 'bars', label: 'mood', words, value: 'links' },
      },
      {
        title: 'Calm links down',
        form: {
          call: 'POST /moods/calm',
          fields: { days: number({ label: 'Cross for at least so many days' }) },
          submit: 'Calm them down',
        },
      },
      {
        title: 'Links with a mood',
        from: 'GET /moods',
        table: {
          columns: {
            shortUrl: { label: 'Link', as: 'address' },
            mood: { label: 'Mood', words },
            reason: { label: 'Reason' },
            changedAt: { label: 'Since', as: 'date' },
          },
          filters: { mood: { label: 'Mood', words } },
          edit: { call: 'PATCH /links/:link/mood', fields: feelingFields, submit: 'Save mood' },
          buttons: [{ label: 'Forget mood', call: 'DELETE /links/:link/mood' }],
        },
        buttons: [{ label: 'Download as CSV', call: 'GET /moods/file' }],
      },
    ],
  },
}

const feeling = z.strictObject({
  mood,
  reason: z.string().nullable(),
  changedAt: z.iso.datetime(),
})
const answer = z.strictObject({ data: feeling })
const usual = z.strictObject({ usual: mood.nullable() })
const felt = feeling.extend({ link: z.string(), shortUrl: z.url() })

export default definePlugin<Tables>()({
  feature: 'custom.linkMoods',
  label: 'Moods',
  group: 'Link',
  about: 'Say how links feel, and find those that feel alike.',
  translations: {
    de: {
      Moods: 'Stimmungen',
      Mood: 'Stimmung',
      Calm: 'Ruhig',
      Glad: 'Froh',
      Cross: 'Verärgert',
      'How this link feels, and why.': 'Wie es diesem Link geht, und warum.',
      Since: 'Seit',
      Reason: 'Grund',
      'Save mood': 'Stimmung speichern',
      'Forget mood': 'Stimmung vergessen',
      'The mood of this link and its reason are deleted.':
        'Die Stimmung dieses Links und ihr Grund werden gelöscht.',
      'Mood forgotten.': 'Stimmung vergessen.',
      'How your links feel.': 'Wie es den Links geht.',
      'All moods': 'Alle Stimmungen',
      'How new links feel, until somebody says otherwise.':
        'Wie es neuen Links geht, bis jemand etwas anderes sagt.',
      'Mood of new links': 'Stimmung neuer Links',
      'Calm links down': 'Links beruhigen',
      'Cross for at least so many days': 'Seit mindestens so vielen Tagen verärgert',
      'Calm them down': 'Beruhigen',
      'Links with a mood': 'Links mit einer Stimmung',
      Link: 'Link',
      'Download as CSV': 'Als CSV herunterladen',
    },
  },
  migrations: {
    '001-moods': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('link_id', 'bigint', it =>
          it.primaryKey().references('links.id').onDelete('cascade'),
        )
        .addColumn('account_id', 'bigint', it => it.notNull())
        .addColumn('mood', 'text', it => it.notNull())
        .addColumn('reason', 'text')
        .addColumn('changed_at', 'bigint', it => it.notNull())
        .execute()
      await schema.createIndex(`${table}_mood`).on(table).columns(['account_id', 'mood']).execute()
    },
  },
  computed: {
    schema: { mood: mood.nullable() },
    async of(links, { db }) {
      const ids = links.map(({ rowId }) => rowId)
      const rows = await db
        .selectFrom(table)
        .select(['link_id', 'mood'])
        .where('link_id', 'in', ids)
        .execute()
      const moods = new Map(rows.map(({ link_id, mood }) => [link_id, mood]))
      return ids.map(id => ({ mood: moods.get(id) ?? null }))
    },
    atFirst: { mood: null },
  },
  filter: {
    query: { mood },
    where: ({ mood }, { db }) =>
      db
        .selectFrom(table)
        .select('link_id')
        .where('mood', '=', mood as Mood),
  },
  on: {
    async created(link, { db, store, now }) {
      const mood = await readUsual(link, store)
      if (!mood) return
      const feeling = { mood, reason: null, changed_at: now().getTime() }
      await db
        .insertInto(table)
        .values({ link_id: link.rowId, account_id: link.accountId, ...feeling })
        .onConflict(it => it.doNothing())
        .execute()
    },
  },
  endpoints: {
    'GET /links/:link/mood': endpoint({
      summary: 'Tell how a link feels',
      scope: 'links:read',
      answer,
      handle: ({ caller, params: { link = '' } }, context: OwnContext) =>
        read(link, caller, context),
    }),
    'PATCH /links/:link/mood': endpoint({
      summary: 'Say how a link feels',
      scope: 'links:write',
      body: z.strictObject({ mood, reason: line(200).nullable().optional() }),
      answer,
      async handle({ caller, params: { link: id = '' }, body }, context: OwnContext) {
        const link = await context.links.findOwn(caller, id)
        if (!link) return undefined
        const changed = { ...body, changed_at: context.now().getTime() }
        await context.db
          .insertInto(table)
          .values({ link_id: link.rowId, account_id: link.accountId, reason: null, ...changed })
          .onConflict(it => it.column('link_id').doUpdateSet(changed))
          .execute()
        return read(id, caller, context)
      },
    }),
    'GET /mood-settings': endpoint({
      summary: 'Tell how new links feel',
      scope: 'links:read',
      answer: z.strictObject({ data: usual }),
      handle: async ({ caller }, { store }) => ({
        data: { usual: await readUsual(caller, store) },
      }),
    }),
    'PATCH /mood-settings': endpoint({
      summary: 'Say how new links feel',
      scope: 'links:write',
      body: usual,
      answer: z.strictObject({ data: usual }),
      async handle({ caller, body }, { store }) {
        await store.set(`usual ${caller.accountId}`, body.usual)
        return { data: body }
      },
    }),
    'GET /moods': endpoint({
      summary: 'List the links that have a mood',
      scope: 'links:read',
      query: pageQuery.extend({ mood: mood.optional() }),
      answer: listSchema(felt),
      async handle({ caller, query }, { db, links }: OwnContext) {
        const all = db.selectFrom(table).where('account_id', '=', caller.accountId)
        const own = query.mood ? all.where('mood', '=', query.mood) : all
        const feelings = own.select(['link_id', 'mood', 'reason', 'changed_at'])
        const { rows, next } = await readSlice(feelings, { by: ['link_id'] }, sliceOf(query))
        const { count } = await own
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        const shown = await Promise.all(
          rows.map(async row => {
            const link = await links.find(publicId('lnk', row.link_id))
            return link ? [{ ...shownAs(row), link: link.id, shortUrl: links.shortUrl(link) }] : []
          }),
        )
        return listOf(shown.flat(), Number(count), query, '/api/v1/moods', next)
      },
    }),
    'GET /moods/numbers': endpoint({
      summary: 'Count links by how they feel',
      scope: 'links:read',
      answer: z.strictObject({ data: z.array(z.strictObject({ mood, links: z.int() })) }),
      async handle({ caller }, { db }: OwnContext) {
        const rows = await db
          .selectFrom(table)
          .select(['mood', ({ fn }) => fn.countAll<number>().as('links')])
          .where('account_id', '=', caller.accountId)
          .groupBy('mood')
          .orderBy('mood')
          .execute()
        return { data: rows.map(({ mood, links }) => ({ mood, links: Number(links) })) }
      },
    }),
    'GET /moods/file': endpoint({
      summary: 'Download how links feel, as CSV',
      scope: 'links:read',
      media: ['text/csv'],
      async handle({ caller }, { db }: OwnContext) {
        const rows = await db
          .selectFrom(table)
          .select(['link_id', 'mood'])
          .where('account_id', '=', caller.accountId)
          .orderBy('link_id')
          .execute()
        const lines = rows.map(({ link_id, mood }) => `${publicId('lnk', link_id)},${mood}\r\n`)
        return file('text/csv', `link,mood\r\n${lines.join('')}`, 0)
      },
    }),
    'POST /moods/calm': endpoint({
      summary: 'Calm links down that have been cross for some days',
      scope: 'links:write',
      body: z.strictObject({ days: z.int().min(0) }),
      status: 204,
      async handle({ caller, body: { days } }, { db, now }: OwnContext) {
        await db
          .updateTable(table)
          .set({ mood: 'calm', changed_at: now().getTime() })
          .where('account_id', '=', caller.accountId)
          .where('mood', '=', 'cross')
          .where('changed_at', '<=', now().getTime() - days * 86_400_000)
          .execute()
      },
    }),
    'DELETE /links/:link/mood': endpoint({
      summary: 'Forget how a link feels',
      scope: 'links:write',
      status: 204,
      async handle({ caller, params: { link: id = '' } }, { db, links }: OwnContext) {
        const link = await links.findOwn(caller, id)
        if (!link) return notFound
        await db.deleteFrom(table).where('link_id', '=', link.rowId).execute()
      },
    }),
  },
  unstable: { dashboard },
})

/** How new links of an account feel. */
async function readUsual({ accountId }: { readonly accountId: number }, store: Store) {
  return mood.nullable().parse((await store.get(`usual ${accountId}`)) ?? null)
}

/** How a link of the caller feels; undefined, which is 404, if nobody has said so. */
async function read(id: string, caller: Caller, { db, links }: OwnContext) {
  const link = await links.findOwn(caller, id)
  if (!link) return undefined
  const row = await db
    .selectFrom(table)
    .select(['mood', 'reason', 'changed_at'])
    .where('link_id', '=', link.rowId)
    .executeTakeFirst()
  if (!row) return undefined
  return { data: shownAs(row) }
}

function shownAs({ mood, reason, changed_at }: Pick<Feeling, 'mood' | 'reason' | 'changed_at'>) {
  return { mood, reason, changedAt: new Date(Number(changed_at)).toISOString() }
}
