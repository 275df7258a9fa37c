import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { type Database, inTransaction, type Tx } from '../storage/database.ts'
import type { Schema } from '../storage/schema.ts'
import { ageBlocks } from './age-blocks.ts'
import { hourOf } from './buckets.ts'
import { inChunks } from './chunks.ts'
import { type CountWindow, countWindows } from './count-windows.ts'
import { type CountsTable, countsOfAccounts, countsTables } from './counts-table.ts'

/** For how long counts are kept, in days. */
export interface KeptDays {
  /** So long counts are kept by the hour; after that, by the day. */
  readonly hourly: number
  /** After so long counts are removed; undefined: never. */
  readonly counts: number | undefined
}

export const keptUnlessSaid: KeptDays = { hourly: 60, counts: undefined }

/** The first hours that stay as they are, and that stay at all. */
interface Ends {
  readonly hourly: number
  readonly counts: number
}

interface Row {
  readonly owner: number
  readonly dimension: number
  readonly bucket: number
  readonly value: number
  readonly count: number
}

/** A day's counts lie in its noon hour, which is in that day nearly wherever one lives. */
const noon = 12

/** What is removed keeps its sum, without its time: in the noon hour of 1970-01-01. */
const timeless = noon

/**
 * Fold old hours into days, and remove what is older than that is kept; but sums of what has no values,
 * as the visits from QR codes, stay, for the totals of links are made of them. A window is one
 * transaction: cut off at any moment, nothing is lost or doubled, and the next run goes on.
 */
export async function ageCounts(
  db: Database,
  kept: KeptDays,
  { now, signal }: { readonly now: () => Date; readonly signal: AbortSignal },
): Promise<void> {
  const today = Math.floor(hourOf(now().getTime()) / 24)
  const ends: Ends = {
    hourly: (today - kept.hourly) * 24,
    counts: kept.counts === undefined ? 0 : (today - kept.counts) * 24,
  }
  for (const counts of countsTables) {
    for await (const window of countWindows(db, counts, signal)) {
      if (!(await hasOld(db, counts, window, ends))) continue
      await inTransaction(db, tx => ageWindow(tx, counts, window, ends))
    }
  }
}

async function hasOld(
  db: Database,
  { table }: CountsTable,
  window: CountWindow,
  ends: Ends,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('bucket')
    .where(window)
    .where(eb => isOld(eb, ends))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What is added is what was deleted, so that a count that grew meanwhile is not lost. */
async function ageWindow(
  tx: Tx,
  counts: CountsTable,
  window: CountWindow,
  ends: Ends,
): Promise<void> {
  const noValue = await tx
    .selectFrom('visit_names')
    .select('id')
    .where('name', '=', '')
    .executeTakeFirst()
  const old = await tx
    .deleteFrom(counts.table)
    .where(window)
    .where(eb => isOld(eb, ends))
    .returning([`${counts.owner} as owner`, 'dimension', 'bucket', 'value', 'count'])
    .execute()
  const aged = old.flatMap(row => {
    const bucket = agedBucket(row, ends, noValue?.id)
    return bucket === undefined ? [] : { ...row, bucket }
  })
  for (const rows of inChunks(addUp(aged))) await add(tx, counts, rows)
  if (counts === countsOfAccounts) await ageBlocks(tx, old, aged)
}

/** Also what was counted and taken back again, as an account's counts of a link that was deleted. */
function isOld(
  eb: ExpressionBuilder<Schema, 'visit_counts'>,
  { hourly, counts }: Ends,
): Expression<SqlBool> {
  return eb.or([
    eb.and([eb('bucket', '<', hourly), eb(eb('bucket', '%', 24), '!=', noon)]),
    eb.and([eb('bucket', '<', counts), eb('bucket', '!=', timeless)]),
    eb('count', '=', 0),
  ])
}

function agedBucket({ bucket, value }: Row, { counts }: Ends, noValue: number | undefined) {
  if (bucket >= counts) return Math.floor(bucket / 24) * 24 + noon
  return value === noValue ? timeless : undefined
}

function addUp(rows: readonly Row[]): readonly Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const key = `${row.owner} ${row.dimension} ${row.bucket} ${row.value}`
    const before = sums.get(key)?.count ?? 0
    sums.set(key, { ...row, count: before + Number(row.count) })
  }
  return [...sums.values()].filter(({ count }) => count !== 0)
}

async function add(tx: Tx, { table, owner }: CountsTable, rows: readonly Row[]): Promise<void> {
  await tx
    .insertInto(table)
    .values(rows.map(({ owner: id, ...row }) => ({ [owner]: id, ...row })))
    .onConflict(conflict =>
      conflict.columns([owner, 'dimension', 'bucket', 'value']).doUpdateSet(({ eb, ref }) => ({
        count: eb(`${table}.count`, '+', ref('excluded.count')),
      })),
    )
    .execute()
}
