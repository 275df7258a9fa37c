import { type SelectQueryBuilder, sql } from 'kysely'
import type { Event } from '../plugin/event.ts'
import { type Database, inTransaction, type Tx } from './database.ts'
import { eventOf, readListeners } from './outbox.ts'
import type { Schema } from './schema.ts'

/** How many bytes of events wait for a plugin at most. A link may have hundreds of kilobytes, twice. */
const mostBytes = 256 * 1024 * 1024

/** The same in words. */
export const mostWaitingInWords = '256 MiB'

/**
 * Drops the oldest events of plugins for which too many wait. The plugin is told of the gap in their place. Returns how many
 * were dropped, by feature.
 */
export async function dropOldest(
  db: Database,
  at: Date,
  most = mostBytes,
): Promise<ReadonlyMap<string, number>> {
  const dropped = new Map<string, number>()
  for (const { feature } of await readListeners(db)) {
    const count = await inTransaction(db, tx => dropOldestOf(tx, feature, at, most))
    if (count > 0) dropped.set(feature, count)
  }
  return dropped
}

/** How many events were dropped of which plugins were not told yet, by feature. */
export async function lostEvents(db: Database): Promise<ReadonlyMap<string, number>> {
  const lost = new Map<string, number>()
  for (const { feature } of await readListeners(db)) {
    const first = await firstOf(db.selectFrom('outbox').where('feature', '=', feature))
    if (first?.type === 'events.lost') lost.set(feature, Number(first.after?.count))
  }
  return lost
}

async function firstOf(
  own: SelectQueryBuilder<Schema, 'outbox', object>,
): Promise<Event | undefined> {
  const first = await own.select('event').orderBy('id').limit(1).executeTakeFirst()
  return first && (JSON.parse(first.event) as Event)
}

async function dropOldestOf(tx: Tx, feature: string, at: Date, most: number): Promise<number> {
  const own = tx.selectFrom('outbox').where('feature', '=', feature)
  const last = await lastTooMany(own, most)
  if (!last) return 0
  const before = await firstOf(own)
  const { numDeletedRows } = await tx
    .deleteFrom('outbox')
    .where('feature', '=', feature)
    .where('id', '<', last.id)
    .executeTakeFirstOrThrow()
  const gap = before?.type === 'events.lost' ? before : undefined
  // The row of the last one tells of all; that of an earlier gap is none of what was lost.
  const count = Number(numDeletedRows) + 1 - (gap ? 1 : 0)
  if (gap && numDeletedRows === 0n) return 0
  const lost = eventOf('events', at, {
    what: 'lost',
    accountId: null,
    actor: { kind: 'system' },
    after: { count: count + Number(gap?.after?.count ?? 0) },
  })
  await tx
    .updateTable('outbox')
    .set({ event: JSON.stringify(lost) })
    .where('id', '=', last.id)
    .execute()
  return count
}

/** The newest event that is too many: all before it are, too. */
async function lastTooMany(
  own: SelectQueryBuilder<Schema, 'outbox', object>,
  most: number,
): Promise<{ readonly id: number } | undefined> {
  const bytes = sql<number>`octet_length(event)`
  const { all } = await own
    .select(({ fn }) => fn.sum<number | null>(bytes).as('all'))
    .executeTakeFirstOrThrow()
  if (Number(all) <= most) return undefined
  const sums = own.select([
    'id',
    ({ fn }) =>
      fn
        .sum<number>(bytes)
        .over(over => over.orderBy('id', 'desc'))
        .as('newer'),
  ])
  return own
    .innerJoin(sums.as('sums'), 'sums.id', 'outbox.id')
    .select('outbox.id')
    .where('sums.newer', '>', most)
    .orderBy('outbox.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
