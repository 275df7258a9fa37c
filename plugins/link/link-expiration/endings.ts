import { type Context, type Migration, publicId, type SavedLink } from '../../../core/plugin.ts'
import { table } from './table.ts'

type OwnContext = Pick<Context, 'db' | 'links' | 'now' | 'unstable'>

/** How long before its end a link ends soon. Whoever chooses such an end knows it. */
const soonMs = 3 * 86_400_000

/** With nine of ten visits used a link ends soon, if it may have at least ten. */
const nearly = { used: 9, of: 10 }

const together = 100

export const noteEndings: Migration = async ({ schema }) => {
  // When it was told that the link ends soon, or need not be; milliseconds since 1970 UTC.
  await schema.alterTable(table).addColumn('told_at', 'bigint').execute()
  await schema.createIndex(`${table}_expires_at`).on(table).columns(['expires_at']).execute()
  await schema.createIndex(`${table}_max_visits`).on(table).columns(['max_visits']).execute()
}

/** What a link with another end has to have noted: null if it is still to be told. */
export function toldAt(
  { expiresAt, maxVisits }: { readonly expiresAt?: unknown; readonly maxVisits?: unknown },
  ends: number | null,
  at: number,
): { readonly told_at?: number | null } {
  if (expiresAt === undefined && maxVisits === undefined) return {}
  return { told_at: ends !== null && ends - at <= soonMs ? at : null }
}

/** Tells of links that end soon, as `endingLink`, each once until it has another end. */
export async function tellEndings(context: OwnContext): Promise<void> {
  for (;;) {
    const rows = await endingSoon(context)
    for (const row of rows) await tellOf(row, context)
    if (rows.length < together) return
  }
}

interface Ending {
  readonly link_id: number
  readonly expires_at: number | null
  readonly max_visits: number | null
  readonly visits: number
}

async function endingSoon({ db, now }: OwnContext): Promise<readonly Ending[]> {
  const at = now().getTime()
  const rows = db.selectFrom(table).selectAll().where('told_at', 'is', null).limit(together)
  const byDate = await rows
    .where('expires_at', '>', at)
    .where('expires_at', '<=', at + soonMs)
    .orderBy('expires_at')
    .execute()
  if (byDate.length > 0) return byDate as unknown as Ending[]
  const byVisits = await rows
    .where('max_visits', '>=', nearly.of)
    .where(eb => eb(eb('visits', '*', nearly.of), '>=', eb('max_visits', '*', nearly.used)))
    .whereRef('visits', '<', 'max_visits')
    .orderBy('link_id')
    .execute()
  return byVisits as unknown as Ending[]
}

async function tellOf(row: Ending, { db, links, now, unstable }: OwnContext): Promise<void> {
  const link = await links.find(publicId('lnk', row.link_id))
  await db.transaction().execute(async tx => {
    const mine = await tx
      .updateTable(table)
      .set({ told_at: now().getTime() })
      .where('link_id', '=', row.link_id)
      .where('told_at', 'is', null)
      .returning('link_id')
      .executeTakeFirst()
    if (!mine || !link) return
    await unstable.tell('endingLink', () => ending(link, row), tx)
  })
}

function ending({ id, accountId }: SavedLink, { expires_at, max_visits, visits }: Ending) {
  const after = {
    id,
    expiresAt: expires_at === null ? null : new Date(expires_at).toISOString(),
    visitsLeft: max_visits === null ? null : Math.max(max_visits - visits, 0),
  }
  return { what: 'created' as const, accountId, before: null, after }
}
