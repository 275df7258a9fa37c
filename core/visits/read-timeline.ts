import { sql } from 'kysely'
import { bucketOf, type Granularity, nextBucket, startOf } from './buckets.ts'
import type { Counts, Hours } from './counts-within.ts'

/** One point of a line chart. */
export interface TimelineRow {
  /** Start of the bucket, ISO 8601 UTC; the first one may start before what was asked. */
  readonly start: string
  readonly visits: number
}

/** The visits of one dimension over time: a row for each bucket, also for the empty ones. */
export async function readTimeline(
  counts: Counts,
  dimensionId: number | undefined,
  hours: Hours,
  granularity: Granularity,
): Promise<readonly TimelineRow[]> {
  const visitsByBucket = new Map<number, number>()
  for (let bucket = bucketOf(hours.first, granularity); bucket < hours.end; ) {
    visitsByBucket.set(bucket, 0)
    bucket = nextBucket(bucket, granularity)
  }
  for (const { hour, visits } of await readUnits(counts, dimensionId, granularity)) {
    const bucket = bucketOf(hour, granularity)
    visitsByBucket.set(bucket, (visitsByBucket.get(bucket) ?? 0) + visits)
  }
  return Array.from(visitsByBucket, ([bucket, visits]) => ({ start: startOf(bucket), visits }))
}

/** Grouped as far as every database can: by hour, or by day, of which weeks and months are made. */
async function readUnits(
  counts: Counts,
  dimensionId: number | undefined,
  granularity: Granularity,
): Promise<{ hour: number; visits: number }[]> {
  if (dimensionId === undefined) return []
  const hoursAUnit = granularity === 'hour' ? 1 : 24
  const unit = sql<number>`visit_counts.bucket / ${sql.lit(hoursAUnit)}`
  const rows = await counts
    .select(({ fn }) => [unit.as('unit'), fn.sum('visit_counts.count').as('visits')])
    .where('visit_counts.dimension', '=', dimensionId)
    .groupBy(unit)
    .execute()
  return rows.map(row => ({ hour: row.unit * hoursAUnit, visits: Number(row.visits) }))
}
