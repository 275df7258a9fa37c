import type { CompiledQuery, Insertable } from 'kysely'
import type { Tx } from '../storage/database.ts'
import type { AccountCountsTable, VisitCountsTable } from '../storage/schema.ts'
import type { AccountsOfLinks } from './accounts-of-links.ts'
import { inChunks } from './chunks.ts'

type LinkRow = Insertable<VisitCountsTable>
type AccountRow = Insertable<AccountCountsTable>

/**
 * Makes the function that adds what was counted of links to the counts of their accounts. Thousands of
 * links count under the same few names, so that this writes a small part of what their own counts do.
 */
export function createAddToAccountCounts(
  accountsOf: AccountsOfLinks,
): (tx: Tx, rows: readonly LinkRow[]) => Promise<void> {
  const upserts = new Map<number, CompiledQuery>()
  return async (tx, rows) => {
    const accounts = await accountsOf(tx, new Set(rows.map(({ link_id }) => link_id)))
    for (const chunk of inChunks(addUp(rows, accounts))) {
      const upsert = upserts.get(chunk.length) ?? compileUpsert(tx, chunk)
      upserts.set(chunk.length, upsert)
      await tx.executeQuery({ ...upsert, parameters: chunk.flatMap(parametersOf) })
    }
  }
}

/** One row for what has the same key, in the order of the key, for neighbours share a page. */
function addUp(rows: readonly LinkRow[], accounts: ReadonlyMap<number, number>): AccountRow[] {
  const sums = new Map<string, AccountRow>()
  for (const { link_id, dimension, value, bucket, count } of rows) {
    const account_id = accounts.get(link_id)
    if (account_id === undefined) continue
    const key = `${account_id} ${dimension} ${bucket} ${value}`
    const sum = sums.get(key)
    if (sum) sum.count += count
    else sums.set(key, { account_id, dimension, value, bucket, count })
  }
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

function compileUpsert(tx: Tx, rows: readonly AccountRow[]): CompiledQuery {
  return tx
    .insertInto('account_counts')
    .columns(['account_id', 'dimension', 'value', 'bucket', 'count'])
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'dimension', 'bucket', 'value'])
        .doUpdateSet(({ eb, ref }) => ({
          count: eb('account_counts.count', '+', ref('excluded.count')),
        })),
    )
    .compile()
}

/** In the order that the upsert's columns have: that of the rows' properties. */
function parametersOf({ account_id, dimension, value, bucket, count }: AccountRow): number[] {
  return [account_id, dimension, value, bucket, count]
}
