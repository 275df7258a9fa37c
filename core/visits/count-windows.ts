import { setTimeout as delay } from 'node:timers/promises'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../storage/database.ts'
import type { Schema } from '../storage/schema.ts'
import type { CountsTable } from './counts-table.ts'

/** Rows of a table of counts that lie together. */
export type CountWindow = (eb: ExpressionBuilder<Schema, 'visit_counts'>) => Expression<SqlBool>

interface Key {
  readonly owner: number
  readonly dimension: number
  readonly bucket: number
  readonly value: number
}

/** So many rows are looked at in less than a millisecond, and written anew in some seven. */
const windowRows = 2_000

/** Between two windows others get their turn. */
const breathMs = 2

const beforeAll: Key = { owner: 0, dimension: 0, bucket: 0, value: 0 }

/**
 * All of a table, window by window in the order of its key, with a breath between two, until `signal`
 * aborts. Rows that are written meanwhile may or may not be in it.
 */
export async function* countWindows(
  db: Database,
  counts: CountsTable,
  signal: AbortSignal,
): AsyncGenerator<CountWindow> {
  let after: Key | undefined = beforeAll
  while (after !== undefined && !signal.aborted) {
    const upTo = await keyFurtherOn(db, counts, after)
    yield between(counts, after, upTo)
    after = upTo
    await delay(breathMs)
  }
}

function keyFurtherOn(
  db: Database,
  { table, owner }: CountsTable,
  after: Key,
): Promise<Key | undefined> {
  return db
    .selectFrom(table)
    .select([`${owner} as owner`, 'dimension', 'bucket', 'value'])
    .where(between({ table, owner }, after, undefined))
    .orderBy(owner)
    .orderBy('dimension')
    .orderBy('bucket')
    .orderBy('value')
    .limit(1)
    .offset(windowRows - 1)
    .executeTakeFirst()
}

function between({ owner }: CountsTable, after: Key, upTo: Key | undefined): CountWindow {
  return eb => {
    const key = eb.refTuple(owner, 'dimension', 'bucket', 'value')
    const tuple = (at: Key) => eb.tuple(at.owner, at.dimension, at.bucket, at.value)
    const isAfter = eb(key, '>', tuple(after))
    return upTo === undefined ? isAfter : eb.and([isAfter, eb(key, '<=', tuple(upTo))])
  }
}
