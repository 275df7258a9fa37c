import { inChunks } from '../../../lib/chunks.ts'
import type { Database } from '../../../storage/database.ts'
import {
  minuteOf,
  type RecentVisits,
  recentMinutes,
} from '../../../visits/collect/recent-visits.ts'
import { isInScope, type Scope } from '../../../visits/read/scope.ts'
import type { TimelineRow } from '../../../visits/read/sum-up.ts'
import type { Subject } from './analytics-report.ts'
import type { LiveData } from './analytics-schemas.ts'
import type { KnownDimensions } from './known-dimensions.ts'

export interface LiveDeps {
  readonly db: Database
  readonly known: KnownDimensions
  readonly now: () => Date
  /** The visits of an account's links that were stored in the last minutes. */
  recent(accountId: number): Promise<RecentVisits>
}

const minuteMs = 60_000

/** Returns the function that answers how often links were visited in the last minutes. */
export function createLiveReport({ db, known, now, recent }: LiveDeps) {
  return async function report(
    accountId: number,
    { scope, plan }: Pick<Subject, 'scope' | 'plan'>,
  ): Promise<LiveData> {
    const { rememberedMs, firstMinute, sums } = await recent(accountId)
    const at = now().getTime()
    const first = minuteOf(at) - recentMinutes + 1
    const inScope = await linksIn(db, scope, linksOf(sums))
    const visited = new Set<number>()
    const visits = new Array<number>(recentMinutes).fill(0)
    for (let sum = 0; sum < sums.length; sum += 3) {
      const [minute = 0, link = 0, times = 0] = sums.subarray(sum, sum + 3)
      const place = minute - first
      if (place < 0 || place >= recentMinutes || !inScope.has(link)) continue
      visits[place] = (visits[place] ?? 0) + times
      visited.add(link)
    }
    const since = Math.max(first * minuteMs, at - rememberedMs, firstMinute * minuteMs)
    return {
      since: new Date(since).toISOString(),
      last5Minutes: total(visits.slice(-5)),
      last30Minutes: total(visits),
      links: visited.size,
      ...(known.hasLines(plan) && { points: visits.map(pointAt(first)) }),
    }
  }
}

function pointAt(firstMinute: number) {
  return (visits: number, place: number): TimelineRow => ({
    start: new Date((firstMinute + place) * minuteMs).toISOString(),
    visits,
  })
}

function linksOf(sums: Float64Array): readonly number[] {
  return [...new Set(sums.filter((_, place) => place % 3 === 1))]
}

/** Which of these links are in a scope and not deleted. */
async function linksIn(
  db: Database,
  scope: Scope,
  links: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (const chunk of inChunks(links)) {
    const rows = await db
      .selectFrom('links')
      .select('id')
      .where('id', 'in', chunk)
      .where(isInScope(scope))
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}

function total(visits: readonly number[]): number {
  return visits.reduce((sum, times) => sum + times, 0)
}
