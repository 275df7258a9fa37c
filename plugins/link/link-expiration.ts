import {
  address,
  type Context,
  claim,
  date,
  definePlugin,
  number,
  type Outcome,
  redirect,
  refuse,
  z,
} from '../../core/plugin.ts'
import { noteEndings, tellEndings, toldAt } from './link-expiration/endings.ts'
import { createPlaces } from './link-expiration/places.ts'
import { busy, exhausted, expired, notStarted } from './link-expiration/refusals.ts'
import { table } from './link-expiration/table.ts'

export default definePlugin({
  feature: 'link.linkExpiration',
  about: 'Open a link at a date, and end it at a date or after a number of visits.',
  fields: {
    startsAt: date({ label: 'Opens at' }),
    expiresAt: date({ label: 'Ends at' }),
    maxVisits: number({
      label: 'Maximum visits',
      hint: 'The link ends after this many visits, counted from when you set the limit. Previews and bots use none up, and do not see where the link leads.',
      min: 1,
    }),
    expiredUrl: address({
      label: 'URL after the end',
      leads: true,
      hint: 'Where visitors go once the link has ended. Leave empty to show a page that says so.',
    }),
  },
  migrations: {
    '001-limits': async ({ schema }) => {
      await schema
        .createTable(table)
        .addColumn('link_id', 'bigint', c =>
          c.primaryKey().references('links.id').onDelete('cascade'),
        )
        .addColumn('starts_at', 'bigint')
        .addColumn('expires_at', 'bigint')
        .addColumn('max_visits', 'bigint')
        .addColumn('visits', 'bigint', c => c.notNull().defaultTo(0))
        .execute()
    },
    '002-endings': noteEndings,
  },
  setup: createPlaces,
  jobs: {
    tellEndings: {
      label: 'Tell of links that end soon',
      every: '11 * * * *',
      run: context => tellEndings(context),
    },
  },
  unstable: {
    tells: ['endingLink'],
    // What was used up elsewhere is not left here.
    async brought(added, { db }) {
      const ids = added.map(({ link }) => link.rowId)
      const limited = await rows(db)
        .where('link_id', 'in', ids)
        .where('max_visits', 'is not', null)
        .execute()
      const isLimited = new Set(limited.map(({ link_id }) => Number(link_id)))
      for (const { link, visits } of added.filter(({ link }) => isLimited.has(link.rowId))) {
        await db
          .updateTable(table)
          .set(eb => ({ visits: eb('visits', '+', visits) }))
          .where('link_id', '=', link.rowId)
          .execute()
      }
    },
  },

  statuses: {
    expired: {
      label: 'Expired',
      rank: 700,
      links: ({ db }, at) => rows(db).where('expires_at', '<=', at),
    },
    exhausted: {
      label: 'Limit reached',
      rank: 600,
      links: ({ db }) => rows(db).whereRef('visits', '>=', 'max_visits'),
    },
    scheduled: {
      label: 'Scheduled',
      rank: 500,
      links: ({ db }, at) => rows(db).where('starts_at', '>', at),
    },
  },

  computed: {
    schema: {
      visitsLeft: z
        .int()
        .min(0)
        .nullable()
        .meta({ description: 'Of `max_visits`; null without a limit.' }),
    },
    atFirst: { visitsLeft: null },
    async of(links, { db }) {
      const left = await visitsLeft(
        db,
        links.map(({ rowId }) => rowId),
      )
      return links.map(({ rowId }) => ({ visitsLeft: left.get(rowId) ?? null }))
    },
  },

  validate({ fields, stored }, { links }) {
    const { expiredUrl } = fields
    if (expiredUrl && links.leadsBack(expiredUrl)) {
      const problem = 'The URL leads back to this link shortener.'
      return refuse('validation_failed', problem, 422, 'expiredUrl')
    }
    const opens = momentOf(fields.startsAt === undefined ? stored.startsAt : fields.startsAt)
    const ends = momentOf(fields.expiresAt === undefined ? stored.expiresAt : fields.expiresAt)
    if (opens === null || ends === null || ends > opens) return
    const field = fields.expiresAt ? 'expiresAt' : 'startsAt'
    return refuse('validation_failed', 'The link must end after it opens.', 422, field)
  },

  async save({ rowId }, { startsAt, expiresAt, maxVisits }, { db, now }) {
    const ends = momentOf(expiresAt)
    const change = {
      ...(startsAt !== undefined && { starts_at: momentOf(startsAt) }),
      ...(expiresAt !== undefined && { expires_at: ends }),
      ...(maxVisits !== undefined && { max_visits: maxVisits }),
      ...(maxVisits === null && { visits: 0 }),
      ...toldAt({ expiresAt, maxVisits }, ends, now().getTime()),
    }
    if (Object.keys(change).length === 0) return undefined
    await db
      .insertInto(table)
      .values({ link_id: rowId, ...change })
      .onConflict(conflict => conflict.column('link_id').doUpdateSet(change))
      .execute()
    return undefined
  },

  async guard({ startsAt, expiresAt, maxVisits, expiredUrl }, { db, state: places }, link) {
    if (!startsAt && !expiresAt && !maxVisits) return
    const isExhausted = maxVisits !== undefined && (await isUsedUp(db, link.rowId))
    const ended = (refusal: Outcome) => (expiredUrl ? redirect(expiredUrl) : refusal)

    return ({ at }) => {
      if (startsAt && at < startsAt) return notStarted(startsAt)
      if (expiresAt && at >= expiresAt) return ended(expired)
      if (maxVisits === undefined) return
      if (isExhausted) return ended(exhausted)
      return claim(async () => {
        const place = await places.take(link)
        if (place === 'busy') return busy
        return place === 'none' ? ended(exhausted) : undefined
      })
    }
  },
})

function rows(db: Context['db']) {
  return db.selectFrom(table).select('link_id')
}

function momentOf(moment: Date | string | null | undefined): number | null {
  return moment ? new Date(moment).getTime() : null
}

/** How many visits are left of those of these links that have a limit. */
async function visitsLeft(
  db: Context['db'],
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const limited = await db
    .selectFrom(table)
    .select(['link_id', 'max_visits', 'visits'])
    .where('link_id', 'in', rowIds)
    .where('max_visits', 'is not', null)
    .execute()
  return new Map(
    limited.map(({ link_id, max_visits, visits }) => [
      Number(link_id),
      Math.max(Number(max_visits) - Number(visits), 0),
    ]),
  )
}

async function isUsedUp(db: Context['db'], rowId: number): Promise<boolean> {
  const row = await rows(db)
    .where('link_id', '=', rowId)
    .whereRef('visits', '>=', 'max_visits')
    .executeTakeFirst()
  return row !== undefined
}
