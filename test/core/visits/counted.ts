import { sql } from 'kysely'
import type { Database } from '../../../core/storage/database.ts'
import { blockOf } from '../../../core/visits/blocks.ts'
import type { CountsTable } from '../../../core/visits/counts-table.ts'
import { countsOfAccounts, countsOfLinks } from '../../../core/visits/counts-table.ts'
import { createNameIds } from '../../../core/visits/name-ids.ts'

/** What was counted in an hour, since 1970 UTC. */
export interface Counted {
  readonly dimension?: string
  readonly value?: string
  readonly hour: number
  readonly count?: number
}

/** Count for a link and its account, as a fold does, each in a transaction. */
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
    for (const { dimension = 'visits', value = '', hour, count = 1 } of counted) {
      const row = {
        dimension: ids.get(dimension) ?? 0,
        value: ids.get(value) ?? 0,
        bucket: hour,
        count,
      }
      const sum = { count: sql<number>`count + ${count}` }
      await tx
        .insertInto('visit_counts')
        .values({ link_id: id, ...row })
        .onConflict(conflict => conflict.doUpdateSet(sum))
        .execute()
      await tx
        .insertInto('account_counts')
        .values({ account_id: owner.accountId, ...row })
        .onConflict(conflict => conflict.doUpdateSet(sum))
        .execute()
      await tx
        .insertInto('account_blocks')
        .values({ account_id: owner.accountId, ...row, bucket: blockOf(hour) })
        .onConflict(conflict => conflict.doUpdateSet(sum))
        .execute()
    }
  })
}

/** The counts as text, `from=news 1 day 20777 12h: 3`, in the order of day and hour. */
export async function shownCounts(
  db: Database,
  { table }: CountsTable = countsOfLinks,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .innerJoin('visit_names as dimensions', 'dimensions.id', `${table}.dimension`)
    .innerJoin('visit_names as values', 'values.id', `${table}.value`)
    .select(['dimensions.name as dimension', 'values.name as value', 'bucket', 'count'])
    .orderBy('dimensions.name')
    .orderBy('values.name')
    .orderBy('bucket')
    .execute()
  return rows.map(({ dimension, value, bucket, count }) => {
    const name = value === '' ? dimension : `${dimension}=${value}`
    return `${name} ${Math.floor(bucket / 24)} ${bucket % 24}h: ${count}`
  })
}

/** The same of accounts. */
export const shownAccountCounts = (db: Database) => shownCounts(db, countsOfAccounts)

/** The blocks of accounts, and what they must be: the sums of the counts of accounts. */
export async function blocksAndSums(db: Database): Promise<[blocks: unknown[], sums: unknown[]]> {
  const blocks = await sql`select * from account_blocks where count <> 0`.execute(db)
  const sums = await sql`
    select account_id, dimension, value, bucket / 384 as bucket, sum(count) as count
    from account_counts group by account_id, dimension, bucket / 384, value having sum(count) <> 0
    `.execute(db)
  return [blocks.rows, sums.rows]
}

/** All that was counted, by dimension and value. */
export async function sums(db: Database, { table } = countsOfLinks): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom(table)
    .select(({ fn }) => ['dimension', 'value', fn.sum<number>('count').as('sum')])
    .groupBy(['dimension', 'value'])
    .execute()
  return new Map(rows.map(({ dimension, value, sum }) => [`${dimension} ${value}`, sum]))
}
