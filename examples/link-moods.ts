import {
  type Caller,
  type Context,
  choice,
  type Dashboard,
  definePlugin,
  endpoint,
  type Fields,
  line,
  text,
  z,
} from 'linnet/plugin'

const table = 'custom_link_moods'

interface Tables {
  readonly [table]: {
    readonly link_id: number
    readonly account_id: number
    readonly mood: Mood
    readonly reason: string | null
    /** Milliseconds since 1970 UTC. */
    readonly changed_at: number
  }
}

type Own = Context<Fields, unknown, Tables>

const moods = ['calm', 'glad', 'cross'] as const
const mood = z.enum(moods)
type Mood = z.output<typeof mood>

/** What people read, where programs read `calm`. */
const words = {
  calm: { label: 'Calm' },
  glad: { label: 'Glad', tone: 'good' },
  cross: { label: 'Cross', tone: 'bad' },
} as const

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
      fields: {
        mood: choice(moods, { label: 'Mood' }),
        reason: text({ label: 'Reason', max: 200 }),
      },
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
}

const feeling = z.strictObject({
  mood,
  reason: z.string().nullable(),
  changedAt: z.iso.datetime(),
})
const answer = z.strictObject({ data: feeling })

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
  endpoints: {
    'GET /links/:link/mood': endpoint({
      summary: 'Tell how a link feels',
      scope: 'links:read',
      answer,
      handle: ({ caller, params: { link = '' } }, context: Own) => read(link, caller, context),
    }),
    'PATCH /links/:link/mood': endpoint({
      summary: 'Say how a link feels',
      scope: 'links:write',
      body: z.strictObject({ mood, reason: line(200).nullable().optional() }),
      answer,
      async handle({ caller, params: { link: id = '' }, body }, context: Own) {
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
    'DELETE /links/:link/mood': endpoint({
      summary: 'Forget how a link feels',
      scope: 'links:write',
      status: 204,
      async handle({ caller, params: { link: id = '' } }, { db, links }: Own) {
        const link = await links.findOwn(caller, id)
        if (!link) return undefined
        await db.deleteFrom(table).where('link_id', '=', link.rowId).execute()
        return {}
      },
    }),
  },
  unstable: { dashboard },
})

/** How a link of the caller feels; undefined, which is 404, if nobody has said so. */
async function read(id: string, caller: Caller, { db, links }: Own) {
  const link = await links.findOwn(caller, id)
  if (!link) return undefined
  const row = await db
    .selectFrom(table)
    .select(['mood', 'reason', 'changed_at'])
    .where('link_id', '=', link.rowId)
    .executeTakeFirst()
  if (!row) return undefined
  const { mood, reason, changed_at } = row
  return { data: { mood, reason, changedAt: new Date(changed_at).toISOString() } }
}
