import { setTimeout as delay } from 'node:timers/promises'
import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { CountsTable, Schema } from '../../storage/schema.ts'
import type { CountsTableName } from '../tables/counts-table.ts'

/** How long to pause between two slices of work, in milliseconds, so that others can use the database. */
export const pauseBetweenWindowsMs = 2

/** The rest of a table of counts after a row, in the order of its key. */
type Rest = SelectQueryBuilder<Schema, CountsTableName, object>

/**
 * Reads a whole table, window by window in the order of its key, with a pause in between, until `signal` aborts;
 * `read` chooses the columns and the number of rows of a window. Rows that are written meanwhile may or may not be
 * included.
 */
export async function* countWindows<Row extends Pick<CountsTable, 'owner_id' | 'bucket'>>(
  db: Database,
  table: CountsTableName,
  read: (rest: Rest) => Promise<readonly Row[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  // Counts that were set aside have negative owners.
  let last = { owner_id: Number.MIN_SAFE_INTEGER, bucket: 0 }
  while (!signal.aborted) {
    const rest = db
      .selectFrom(table)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('owner_id', 'bucket'), '>', tuple(last.owner_id, last.bucket)),
      )
      .orderBy('owner_id')
      .orderBy('bucket')
    const rows = await read(rest)
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows
    last = end
    await delay(pauseBetweenWindowsMs)
  }
}
