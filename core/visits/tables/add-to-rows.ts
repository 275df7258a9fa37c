import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../storage/database.ts'
import type { CountsTable } from '../../storage/schema.ts'
import type { CountsRow, CountsTableName } from './counts-table.ts'
import { packCounts } from './packed-counts.ts'
import { rowsStatement } from './rows-statement.ts'

type Key = Pick<CountsRow, 'owner' | 'bucket'>

interface WrittenRow extends Key {
  readonly packed: Buffer
}

/** Adds counts to rows of a table. The counts must be in the order of their keys, each key once. */
export type AddToRows = (tx: Tx, rows: readonly CountsRow[]) => Promise<void>

/**
 * Creates the function that adds to the rows of one table: it reads, merges and writes, in the order of the key,
 * because neighbours share a page. A row with nothing left is deleted.
 */
export function createAddToRows(table: CountsTableName): AddToRows {
  const read = rowsStatement<CountsRow, CountsTable>(
    (tx, rows) => compileRead(tx, table, rows),
    ({ owner, bucket }) => [owner, bucket],
  )
  const write = rowsStatement<WrittenRow>(
    (tx, rows) => compileWrite(tx, table, rows),
    ({ owner, bucket, packed }) => [owner, bucket, packed],
  )
  return async (tx, rows) => {
    const before = await read(tx, rows)
    const full: WrittenRow[] = []
    let at = 0
    for (const { owner, bucket, counts } of rows) {
      const found = before[at]
      const isFound = found?.owner_id === owner && found.bucket === bucket
      if (isFound) at += 1
      const packed = packCounts(bucket, counts, isFound ? found.packed : undefined)
      if (packed) full.push({ owner, bucket, packed })
      else await remove(tx, table, { owner, bucket })
    }
    await write(tx, full)
  }
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

function compileWrite(tx: Tx, table: CountsTableName, rows: readonly WrittenRow[]): CompiledQuery {
  return tx
    .insertInto(table)
    .columns(['owner_id', 'bucket', 'packed'])
    .values(rows.map(({ owner, bucket, packed }) => ({ owner_id: owner, bucket, packed })))
    .onConflict(conflict =>
      conflict
        .columns(['owner_id', 'bucket'])
        .doUpdateSet(({ ref }) => ({ packed: ref('excluded.packed') })),
    )
    .compile()
}

async function remove(tx: Tx, table: CountsTableName, { owner, bucket }: Key): Promise<void> {
  await tx.deleteFrom(table).where('owner_id', '=', owner).where('bucket', '=', bucket).execute()
}
