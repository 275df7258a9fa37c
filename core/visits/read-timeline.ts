import type { Bucket } from './buckets.ts'
import type { Counts } from './counts-within.ts'

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
  buckets: readonly Bucket[],
): Promise<readonly TimelineRow[]> {
  const hours = dimensionId === undefined ? [] : await readHours(counts, dimensionId)
  let next = 0
  return buckets.map(({ start, end }) => {
    let visits = 0
    for (let row = hours[next]; row && row.bucket < end; row = hours[next]) {
      visits += Number(row.visits)
      next += 1
    }
    return { start: new Date(start).toISOString(), visits }
  })
}

/** Grouped as far as every database can: which local day an hour belongs to, none of them knows alike. */
function readHours(counts: Counts, dimensionId: number) {
  return counts
    .select(({ fn }) => ['counts.bucket', fn.sum('counts.count').as('visits')])
    .where('counts.dimension', '=', dimensionId)
    .groupBy('counts.bucket')
    .orderBy('counts.bucket')
    .execute()
}
