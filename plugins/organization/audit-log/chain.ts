import { type Event, z } from '../../../core/plugin.ts'
import { hashOf, type OwnContext, recordedOf, table } from './entries.ts'

/** How many rows are read or deleted at once. */
const together = 500

/** The last row that was deleted for its age: the chain begins behind it. */
const anchorSchema = z.object({ id: z.number(), hash: z.string() })
const key = 'anchor'

type Where = Pick<OwnContext, 'db' | 'store'>

/** Adds an event to the chain, unless it came before. */
export async function append(event: Event, { db, store }: Where): Promise<void> {
  const known = await db
    .selectFrom(table)
    .select('id')
    .where('event_id', '=', event.id)
    .executeTakeFirst()
  if (known) return
  const last = await db
    .selectFrom(table)
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { id, hash: prev } = last ?? (await readAnchor(store))
  const recorded = recordedOf(event)
  // Two rows cannot follow the same one: whoever comes second fails, and the event comes again.
  await db
    .insertInto(table)
    .values({ id: Number(id) + 1, ...recorded, prev, hash: hashOf(prev, recorded) })
    .execute()
}

export interface Checked {
  readonly entries: number
  /** Id of the first row that does not follow the one before, or is not what it was. */
  readonly brokenAt: number | undefined
  /** The hash of the last row: written down elsewhere, it shows later that nothing was taken from the end. */
  readonly last: string
}

/** Follows the chain from its beginning, or through the `newest` entries alone. */
export async function checkChain({ db, store }: Where, newest?: number): Promise<Checked> {
  const begin = newest === undefined ? undefined : await before(newest, db)
  let { id, hash } = begin ?? (await readAnchor(store))
  let entries = 0
  for (;;) {
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .where('id', '>', id)
      .orderBy('id')
      .limit(together)
      .execute()
    for (const row of rows) {
      if (row.prev !== hash || row.hash !== hashOf(hash, row)) {
        return { entries, brokenAt: Number(row.id), last: hash }
      }
      id = Number(row.id)
      hash = row.hash
      entries += 1
    }
    if (rows.length < together) return { entries, brokenAt: undefined, last: hash }
  }
}

/** The entry before the newest ones; undefined if there is none. */
async function before(newest: number, db: Where['db']) {
  const row = await db
    .selectFrom(table)
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .offset(newest)
    .limit(1)
    .executeTakeFirst()
  return row && { id: Number(row.id), hash: row.hash }
}

/** Deletes what is older than a moment, some rows at a time. */
export async function forgetBefore(moment: Date, { db, store }: Where): Promise<void> {
  for (;;) {
    const { id } = await readAnchor(store)
    const old = await db
      .selectFrom(table)
      .select(['id', 'hash'])
      .where('id', '>', id)
      .where('at', '<', moment.getTime())
      .orderBy('id')
      .limit(together)
      .execute()
    const last = old.at(-1)
    if (last) await store.set(key, { id: Number(last.id), hash: last.hash })
    // Also those that were left when this was ended after the anchor was moved.
    await db
      .deleteFrom(table)
      .where('id', '<=', last ? Number(last.id) : id)
      .execute()
    if (old.length < together) return
  }
}

async function readAnchor(store: OwnContext['store']) {
  const kept = await store.get(key)
  return kept === undefined || kept === null ? { id: 0, hash: '' } : anchorSchema.parse(kept)
}
