import { type Context, type Dashboard, definePlugin, endpoint, type Fields, z } from 'linnet/plugin'

const table = 'custom_link_moods'

interface Tables {
  readonly [table]: {
    readonly link_id: number
    readonly account_id: number
    readonly mood: Mood
    /** Milliseconds since 1970 UTC. */
    readonly changed_at: number
  }
}

type Own = Context<Fields, unknown, Tables>

const mood = z.enum(['calm', 'glad', 'cross'])
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
}

const answer = z.strictObject({ data: z.strictObject({ mood }) })

export default definePlugin<Tables>()({
  feature: 'custom.linkMoods',
  label: 'Moods',
  group: 'Link',
  about: 'Say how links feel, and find those that feel alike.',
  translations: {
    de: { Moods: 'Stimmungen', Mood: 'Stimmung', Calm: 'Ruhig', Glad: 'Froh', Cross: 'Verärgert' },
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
    'PATCH /links/:link/mood': endpoint({
      summary: 'Say how a link feels',
      scope: 'links:write',
      body: z.strictObject({ mood }),
      answer,
      async handle({ caller, params: { link: id = '' }, body }, { db, links, now }: Own) {
        const link = await links.findOwn(caller, id)
        if (!link) return undefined
        const feeling = { mood: body.mood, changed_at: now().getTime() }
        await db
          .insertInto(table)
          .values({ link_id: link.rowId, account_id: link.accountId, ...feeling })
          .onConflict(it => it.column('link_id').doUpdateSet(feeling))
          .execute()
        return { data: body }
      },
    }),
  },
  unstable: { dashboard },
})
