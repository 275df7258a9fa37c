import type { CompiledQuery, Insertable } from 'kysely'
import type { Tx } from '../storage/database.ts'
import type { AccountCountsTable, VisitCountsTable } from '../storage/schema.ts'
import type { AccountsOfLinks } from './accounts-of-links.ts'
import { blockOf } from './blocks.ts'
import { inChunks } from './chunks.ts'

type LinkRow = Insertable<VisitCountsTable>
type AccountRow = Insertable<AccountCountsTable>
type Table = 'account_counts' | 'account_blocks'

/**
 * Makes the function that adds what was counted of links to the counts of their accounts, and to their
 * blocks. Thousands of links count under the same few names, so that this writes a small part of what
 * their own counts do.
 */
export function createAddToAccountCounts(
  accountsOf: AccountsOfLinks,
): (tx: Tx, rows: readonly LinkRow[]) => Promise<void> {
  const addToCounts = createUpsert('account_counts')
  const addToBlocks = createUpsert('account_blocks')
  return async (tx, rows) => {
    const accounts = await accountsOf(tx, new Set(rows.map(({ link_id }) => link_id)))
    const { sums, add } = createSums()
    for (const { link_id, dimension, value, bucket, count } of rows) {
      const account = accounts.get(link_id)
      if (account !== undefined) add(account, dimension, value, bucket, count)
    }
    await addToCounts(tx, inOrder(sums))
    await addToBlocks(tx, inOrder(blocksOf(sums)))
  }
}

/** One row for what has the same key. There are many: they are added without an object for each. */
function createSums() {
  const sums = new Map<string, AccountRow>()
  return {
    sums: sums as ReadonlyMap<string, AccountRow>,
    add(account_id: number, dimension: number, value: number, bucket: number, count: number) {
      const key = `${account_id} ${dimension} ${bucket} ${value}`
      const sum = sums.get(key)
      if (sum) sum.count += count
      else sums.set(key, { account_id, dimension, value, bucket, count })
    },
  }
}

function blocksOf(counts: ReadonlyMap<string, AccountRow>): ReadonlyMap<string, AccountRow> {
  const { sums, add } = createSums()
  for (const { account_id, dimension, value, bucket, count } of counts.values()) {
    add(account_id, dimension, value, blockOf(bucket), count)
  }
  return sums
}

/** In the order of the key, for neighbours share a page. */
function inOrder(sums: ReadonlyMap<string, AccountRow>): readonly AccountRow[] {
  return [...sums.values()].sort(byKey)
}

function byKey(a: AccountRow, b: AccountRow): number {
  return (
    a.account_id - b.account_id ||
    a.dimension - b.dimension ||
    a.bucket - b.bucket ||
    a.value - b.value
  )
}

/** Statements go by their number of rows; building one costs as much as running it. */
function createUpsert(table: Table): (tx: Tx, rows: readonly AccountRow[]) => Promise<void> {
  const upserts = new Map<number, CompiledQuery>()
  return async (tx, rows) => {
    for (const chunk of inChunks(rows)) {
      const upsert = upserts.get(chunk.length) ?? compileUpsert(tx, table, chunk)
      upserts.set(chunk.length, upsert)
      await tx.executeQuery({ ...upsert, parameters: chunk.flatMap(parametersOf) })
    }
  }
}

function compileUpsert(tx: Tx, table: Table, rows: readonly AccountRow[]): CompiledQuery {
  return tx
    .insertInto(table)
    .columns(['account_id', 'dimension', 'value', 'bucket', 'count'])
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'dimension', 'bucket', 'value'])
        .doUpdateSet(({ eb, ref }) => ({
          count: eb(`${table}.count`, '+', ref('excluded.count')),
        })),
    )
    .compile()
}

/** In the order that the upsert's columns have: that of the rows' properties. */
function parametersOf({ account_id, dimension, value, bucket, count }: AccountRow): number[] {
  return [account_id, dimension, value, bucket, count]
}
