import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import type { Database } from '../../storage/database.ts'
import { hourOf } from '../facts/buckets.ts'
import { linkCounts } from '../tables/counts-table.ts'
import { readNameIds } from '../tables/name-ids.ts'
import { eachCount } from '../tables/packed-counts.ts'

/** How many links are looked at with one query: SQLite runs on the thread that redirects. */
const linksAtOnce = 1_000

const hourMs = 3_600_000

/**
 * How often links were visited in the hour that contains a moment, by row id, oldest links first. Those that were not are left
 * out. No index leads to the counts of an hour, but who was not visited since has none.
 */
export async function* visitsInHour(
  db: Database,
  at: Date,
): AsyncGenerator<ReadonlyMap<number, number>> {
  const hour = hourOf(at.getTime())
  const visits = (await readNameIds(db, ['visits'])).get('visits')
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('link_totals')
      .select(['link_id', 'last_visit_at'])
      .where('link_id', '>', last)
      .orderBy('link_id')
      .limit(linksAtOnce)
      .execute()
    const recent = rows.filter(row => row.last_visit_at >= hour * hourMs)
    const sums = await sumsOf(
      db,
      recent.map(({ link_id }) => link_id),
      { hour, visits },
    )
    if (sums.size > 0) yield sums
    await yieldToRedirects()
    if (rows.length < linksAtOnce) return
    last = rows.at(-1)?.link_id ?? last
  }
}

async function sumsOf(
  db: Database,
  linkIds: readonly number[],
  { hour, visits }: { readonly hour: number; readonly visits: number | undefined },
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom(linkCounts)
    .select(['owner_id', 'packed'])
    .where('owner_id', 'in', [...linkIds])
    .where('bucket', '=', hour)
    .orderBy('owner_id')
    .execute()
  const sums = new Map<number, number>()
  for (const { owner_id, packed } of rows) {
    const add = (_: number, count: number) => sums.set(owner_id, (sums.get(owner_id) ?? 0) + count)
    eachCount(packed, dimension => (dimension === visits ? add : undefined))
  }
  return sums
}
