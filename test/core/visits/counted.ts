import type { Database } from '../../../core/storage/database.ts'
import {
  accountCounts,
  allTimeBucket,
  type CountsTableName,
  linkCounts,
} from '../../../core/visits/tables/counts-table.ts'
import { createAddToRows } from '../../../core/visits/tables/merge-rows.ts'
import { createNameIds } from '../../../core/visits/tables/name-ids.ts'
import { eachCount, packCounts, unpackCounts } from '../../../core/visits/tables/packed-counts.ts'

/** What was counted in an hour, since 1970 UTC. */
export interface Counted {
  readonly dimension?: string
  readonly value?: string
  readonly hour: number
  readonly count?: number
}

/** Count for a link and its account, as a fold does, in a transaction. */
export async function count(
  db: Database,
  link: { readonly id: number; readonly owner: { readonly accountId: number } },
  counted: readonly Counted[],
  nameIds = createNameIds(),
): Promise<void> {
  const { id, owner } = link
  await db.transaction().execute(async tx => {
    const names = counted.flatMap(({ dimension = 'visits', value = '' }) => [dimension, value])
    const ids = await nameIds.idsOf(tx, new Set(names))
    const hours = new Map<number, Buffer | undefined>()
    for (const { dimension = 'visits', value = '', hour, count = 1 } of counted) {
      const one = [ids.get(dimension) ?? 0, ids.get(value) ?? 0, count]
      hours.set(hour, packCounts(hour, one, hours.get(hour)))
    }
    const sorted = [...hours].sort(([a], [b]) => a - b)
    for (const [table, row] of [
      [linkCounts, id],
      [accountCounts, owner.accountId],
    ] as const) {
      const rows = sorted.flatMap(([bucket, packed]) =>
        packed ? [{ owner: row, bucket, counts: unpackCounts(packed) }] : [],
      )
      await createAddToRows(table)(tx, rows)
    }
  })
}

/** A count with its names. */
export interface ShownCount {
  readonly owner: number
  readonly bucket: number
  readonly dimension: string
  readonly value: string
  readonly count: number
}

/** All counts of a table, in the order of its key, but for the sums of all time. */
export async function allCounts(
  db: Database,
  table: CountsTableName = linkCounts,
): Promise<readonly ShownCount[]> {
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('bucket', '!=', allTimeBucket)
    .orderBy('owner_id')
    .orderBy('bucket')
    .execute()
  const names = await db.selectFrom('visit_names').select(['id', 'name']).execute()
  const named = new Map(names.map(({ id, name }) => [id, name]))
  const nameOf = (id: number) => named.get(id) ?? `name ${id}`
  const counts: ShownCount[] = []
  for (const { owner_id, bucket, packed } of rows) {
    eachCount(packed, dimension => (value, count) => {
      counts.push({
        owner: owner_id,
        bucket,
        dimension: nameOf(dimension),
        value: nameOf(value),
        count,
      })
    })
  }
  return counts
}

/** The counts as text, `from=news 20777 12h: 3`, in the order of names, day and hour. */
export async function shownCounts(db: Database, table?: CountsTableName): Promise<string[]> {
  const all = [...(await allCounts(db, table))].sort(
    (a, b) => compare(a.dimension, b.dimension) || compare(a.value, b.value) || a.bucket - b.bucket,
  )
  return all.map(({ dimension, value, bucket, count }) => {
    const name = value === '' ? dimension : `${dimension}=${value}`
    return `${name} ${Math.floor(bucket / 24)} ${bucket % 24}h: ${count}`
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** The same of accounts. */
export const shownAccountCounts = (db: Database) => shownCounts(db, accountCounts)

/** All that was counted, by dimension and value. */
export async function sums(
  db: Database,
  table?: CountsTableName,
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>()
  for (const { dimension, value, count } of await allCounts(db, table)) {
    const key = value === '' ? dimension : `${dimension}=${value}`
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0).sort(([a], [b]) => compare(a, b)))
}
