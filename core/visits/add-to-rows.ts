import type { CompiledQuery } from 'kysely'
import type { Tx } from '../storage/database.ts'
import type { CountsTable } from '../storage/schema.ts'
import { inChunks } from './chunks.ts'
import type { CountsRow, CountsTableName } from './counts-table.ts'
import { addCounts, packCounts, unpackCounts } from './packed-counts.ts'

/** Adds counts to rows of a table. No two have the same key, and they come in the order of their keys. */
export type AddToRows = (tx: Tx, rows: readonly CountsRow[]) => Promise<void>

/**
 * Makes the function that adds to the rows of one table: it reads, merges and writes. In the order of the
 * key, for neighbours share a page. A row that nothing is left of goes. Its statements are built once each:
 * building one costs as much as running it.
 */
export function createAddToRows(table: CountsTableName): AddToRows {
  const selects = new Map<number, CompiledQuery<CountsTable>>()
  const upserts = new Map<number, CompiledQuery>()

  async function read(tx: Tx, rows: readonly CountsRow[]): Promise<ReadonlyMap<string, Buffer>> {
    const select = selects.get(rows.length) ?? compileSelect(tx, table, rows)
    selects.set(rows.length, select)
    const parameters = rows.flatMap(({ owner, bucket }) => [owner, bucket])
    const found = await tx.executeQuery<CountsTable>({ ...select, parameters })
    return new Map(found.rows.map(row => [`${row.owner_id} ${row.bucket}`, row.packed]))
  }

  async function write(tx: Tx, rows: readonly CountsRow[]): Promise<void> {
    const upsert = upserts.get(rows.length) ?? compileUpsert(tx, table, rows)
    upserts.set(rows.length, upsert)
    const parameters = rows.flatMap(({ owner, bucket, counts }) => [
      owner,
      bucket,
      packCounts(counts),
    ])
    await tx.executeQuery({ ...upsert, parameters })
  }

  return async (tx, rows) => {
    for (const chunk of inChunks(rows)) {
      const before = await read(tx, chunk)
      const after = chunk.map(row => addTo(before.get(`${row.owner} ${row.bucket}`), row))
      for (const some of inChunks(after.filter(it => !isEmpty(it)))) await write(tx, some)
      for (const row of after.filter(isEmpty)) await remove(tx, table, row)
    }
  }
}

function addTo(packed: Uint8Array | undefined, row: CountsRow): CountsRow {
  if (packed === undefined) return row
  return { ...row, counts: addCounts(unpackCounts(packed), row.counts) }
}

function isEmpty({ counts }: CountsRow): boolean {
  return counts.length === 0
}

function compileSelect(
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
    .compile()
}

/** In the order that `write` has. */
function compileUpsert(tx: Tx, table: CountsTableName, rows: readonly CountsRow[]): CompiledQuery {
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
