import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../storage/database.ts'
import type { CountsTable } from '../../storage/schema.ts'
import type { CountsRow, CountsTableName } from './counts-table.ts'
import { addCounts, packCounts, unpackCounts } from './packed-counts.ts'
import { rowsStatement } from './rows-statement.ts'

/** Adds counts to rows of a table. No two have the same key, and they come in the order of their keys. */
export type AddToRows = (tx: Tx, rows: readonly CountsRow[]) => Promise<void>

/**
 * Makes the function that adds to the rows of one table: it reads, merges and writes, in the order of the
 * key, for neighbours share a page. A row that nothing is left of goes.
 */
export function createAddToRows(table: CountsTableName): AddToRows {
  const read = rowsStatement<CountsRow, CountsTable>(
    (tx, rows) => compileRead(tx, table, rows),
    ({ owner, bucket }) => [owner, bucket],
  )
  const write = rowsStatement<CountsRow>(
    (tx, rows) => compileWrite(tx, table, rows),
    ({ owner, bucket, counts }) => [owner, bucket, packCounts(bucket, counts)],
  )
  return async (tx, rows) => {
    const before = await read(tx, rows)
    let at = 0
    const after = rows.map(row => {
      const found = before[at]
      if (found?.owner_id !== row.owner || found.bucket !== row.bucket) return row
      at += 1
      return { ...row, counts: addCounts(unpackCounts(found.packed), row.counts) }
    })
    await write(
      tx,
      after.filter(it => !isEmpty(it)),
    )
    for (const row of after.filter(isEmpty)) await remove(tx, table, row)
  }
}

function isEmpty({ counts }: CountsRow): boolean {
  return counts.length === 0
}

function compileRead(
  tx: Tx,
  table: CountsTableName,
  rows: readonly CountsRow[],
): CompiledQuery<CountsTable> {
  return tx
    .selectFrom(table)
    .selectAll()
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('owner_id', 'bucket'),
        'in',
        rows.map(({ owner, bucket }) => tuple(owner, bucket)),
      ),
    )
    .orderBy('owner_id')
    .orderBy('bucket')
    .compile()
}

function compileWrite(tx: Tx, table: CountsTableName, rows: readonly CountsRow[]): CompiledQuery {
  const packed = Buffer.of()
  return tx
    .insertInto(table)
    .columns(['owner_id', 'bucket', 'packed'])
    .values(rows.map(({ owner, bucket }) => ({ owner_id: owner, bucket, packed })))
    .onConflict(conflict =>
      conflict
        .columns(['owner_id', 'bucket'])
        .doUpdateSet(({ ref }) => ({ packed: ref('excluded.packed') })),
    )
    .compile()
}

async function remove(tx: Tx, table: CountsTableName, { owner, bucket }: CountsRow): Promise<void> {
  await tx.deleteFrom(table).where('owner_id', '=', owner).where('bucket', '=', bucket).execute()
}
