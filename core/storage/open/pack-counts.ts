import { type Kysely, sql } from 'kysely'
import { type AddToRows, createAddToRows } from '../../visits/tables/add-to-rows.ts'
import {
  accountCounts,
  allTimeBucket,
  type CountsRow,
  linkCounts,
} from '../../visits/tables/counts-table.ts'
import type { Schema } from '../schema.ts'

/** A count in a row of its own, as it was. */
interface CountRow {
  readonly owner: number
  readonly dimension: number
  readonly bucket: number
  readonly value: number
  readonly count: number
}

/** A table of such rows, and where to move them. */
interface Move {
  readonly from: 'link_count_rows' | 'account_count_rows'
  readonly owner: 'link_id' | 'account_id'
  readonly addTo: AddToRows
}

const moves: readonly Move[] = [
  { from: 'link_count_rows', owner: 'link_id', addTo: createAddToRows(linkCounts) },
  { from: 'account_count_rows', owner: 'account_id', addTo: createAddToRows(accountCounts) },
]

/** How many rows to move at a time, which takes a fraction of a second. */
const windowRows = 20_000

/** Noon of 1970-01-01, where the sums were stored of hours that are not kept. */
const timeless = 12

/**
 * A step of the schema: moves a window of counts, which had a row each, into rows that hold all counts of an hour.
 * Returns the progress, or undefined when nothing is left and the old tables are gone.
 */
export async function packCounts(db: Kysely<unknown>): Promise<string | undefined> {
  for (const move of moves) {
    const rows = await firstRows(db, move)
    const last = rows.at(-1)
    if (last === undefined) continue
    await move.addTo(db as never, await inHours(db as Kysely<Schema>, move, rows))
    await remove(db, move, last)
    const all = Math.max(last.owner, await lastOwner(db, move))
    const whose = move.owner === 'link_id' ? 'links' : 'accounts'
    return `Packing the counts of visits: ${whose} up to number ${last.owner} of ${all}.`
  }
  for (const { from } of moves) await db.schema.dropTable(from).execute()
  return undefined
}

async function firstRows(db: Kysely<unknown>, { from, owner }: Move): Promise<readonly CountRow[]> {
  const { rows } = await sql<CountRow>`
    select ${sql.ref(owner)} as owner, dimension, bucket, value, count from ${sql.table(from)}
    order by ${sql.ref(owner)}, dimension, bucket, value limit ${windowRows}`.execute(db)
  return rows
}

/**
 * By owner and hour, in the order of the new key. Within a window, the rows of one hour are already in the right
 * order.
 */
async function inHours(
  db: Kysely<Schema>,
  { owner }: Move,
  rows: readonly CountRow[],
): Promise<readonly CountsRow[]> {
  // A dimension whose only value is the empty one is a number: links may show its total of all time.
  const only = owner === 'link_id' ? await idOf(db, '') : undefined
  const hours = new Map<string, { owner: number; bucket: number; counts: number[] }>()
  const add = (row: CountRow, bucket: number) => {
    const key = `${row.owner} ${bucket}`
    const hour = hours.get(key) ?? { owner: row.owner, bucket, counts: [] }
    hours.set(key, hour)
    const { counts } = hour
    const last = counts.length - 1
    const isAnother = bucket !== allTimeBucket || counts[last - 2] !== row.dimension
    if (isAnother) counts.push(row.dimension, row.value, Number(row.count))
    else counts[last] = (counts[last] ?? 0) + Number(row.count)
  }
  for (const row of rows) {
    if (Number(row.count) === 0) continue
    if (row.value === only) add(row, allTimeBucket)
    if (row.bucket !== timeless) add(row, row.bucket)
  }
  return [...hours.values()].sort((a, b) => a.owner - b.owner || a.bucket - b.bucket)
}

async function idOf(db: Kysely<Schema>, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('visit_names')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.id
}

async function remove(db: Kysely<unknown>, { from, owner }: Move, upTo: CountRow): Promise<void> {
  await sql`
    delete from ${sql.table(from)} where (${sql.ref(owner)}, dimension, bucket, value) <=
      (${upTo.owner}, ${upTo.dimension}, ${upTo.bucket}, ${upTo.value})`.execute(db)
}

async function lastOwner(db: Kysely<unknown>, { from, owner }: Move): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(${sql.ref(owner)}) as last from ${sql.table(from)}`.execute(db)
  return rows[0]?.last ?? 0
}
