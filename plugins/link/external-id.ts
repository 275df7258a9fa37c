import { setImmediate as turn } from 'node:timers/promises'
import {
  type Context,
  definePlugin,
  type Fields,
  field,
  type HandedOver,
  line,
  type Migration,
  type Refusal,
  refuse,
  z,
} from '../../core/plugin.ts'

const table = 'link_external_id'

interface Tables {
  [table]: { link_id: number; account_id: number; external_id: string }
}

const makeTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('link_id', 'bigint', c => c.primaryKey().references('links.id').onDelete('cascade'))
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('external_id', 'text', c => c.notNull())
    .execute()
  await schema
    .createIndex('link_external_id_account')
    .unique()
    .on(table)
    .columns(['account_id', 'external_id'])
    .execute()
}

const id = line(255)

export default definePlugin<Tables>()({
  feature: 'link.externalId',
  about: 'Give links the ids that they have elsewhere, and find them by these.',
  label: 'External id',
  fields: {
    externalId: field(id, {
      label: 'External id',
      hint: 'What another program calls the link. No two links of an account have the same.',
      control: 'text',
      // The table alone has it: a link that is restored finds its id taken by then, or gets it back.
      stored: false,
    }),
  },
  migrations: { '001-ids': makeTable },

  async save({ rowId, accountId }, { externalId }, { db }) {
    if (externalId === undefined) return undefined
    await db.deleteFrom(table).where('link_id', '=', rowId).execute()
    if (externalId === null) return undefined
    const added = await db
      .insertInto(table)
      .values({ link_id: rowId, account_id: accountId, external_id: externalId })
      // Whoever gives the same at the same moment waits here for the first.
      .onConflict(on => on.columns(['account_id', 'external_id']).doNothing())
      .returning('link_id')
      .executeTakeFirst()
    if (added) return undefined
    const detail = `Another link of yours has the external id ${externalId}.`
    return refuse('external_id_taken', detail, 409, 'externalId')
  },

  computed: {
    schema: { externalId: z.string().nullable() },
    async of(links, { db }) {
      const ids = links.map(({ rowId }) => rowId)
      const rows = await db
        .selectFrom(table)
        .select(['link_id', 'external_id'])
        .where('link_id', 'in', ids)
        .execute()
      const known = new Map(rows.map(it => [Number(it.link_id), it.external_id]))
      return ids.map(it => ({ externalId: known.get(it) ?? null }))
    },
    atFirst: { externalId: null },
  },

  filter: {
    query: { externalId: id.meta({ description: 'The link with this external id.' }) },
    where: ({ externalId }, { db }, accountId) =>
      db
        .selectFrom(table)
        .select('link_id')
        .where('account_id', '=', accountId)
        .where('external_id', '=', String(externalId)),
  },
  unstable: {
    keys: ['externalId'],
    handOver: (what, { db }) => giveIds(db, what),
  },
})

/** How many ids change hands at once: a hundred thousand in one statement keep visitors waiting for a quarter of a second. */
const atOnce = 500

async function giveIds(
  db: Context<Fields, unknown, Tables>['db'],
  { from, to, links }: HandedOver,
): Promise<Refusal | undefined> {
  const all = db.selectFrom(table).selectAll().where('account_id', '=', from)
  const theirs = links ? all.where('link_id', 'in', links) : all
  for (let last = ''; ; ) {
    const next = theirs.where('external_id', '>', last).orderBy('external_id').limit(atOnce)
    const rows = await next.execute()
    const ids = rows.map(it => it.external_id)
    const twice = await db
      .selectFrom(table)
      .select('external_id')
      .where('account_id', '=', to)
      .where('external_id', 'in', ids)
      .executeTakeFirst()
    if (twice) return takenThere(twice.external_id)
    const given = rows.map(it => it.link_id)
    await db.updateTable(table).set({ account_id: to }).where('link_id', 'in', given).execute()
    if (rows.length < atOnce) return undefined
    last = ids.at(-1) ?? last
    await turn()
  }
}

function takenThere(id: string) {
  const detail = `The other account has a link with the external id ${id}, too. Change one of the two first.`
  return refuse('external_id_taken', detail, 409, 'links')
}
