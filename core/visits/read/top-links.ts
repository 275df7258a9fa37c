import { sql } from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import type { Database } from '../../storage/database.ts'
import { joined } from '../../storage/database-kind.ts'
import type { Hours } from '../facts/buckets.ts'
import { firstHour, linkCounts } from '../tables/counts-table.ts'
import { countsWithin, portionsOf, type VisitedRow } from './counts-within.ts'
import { isInScope, type Scope } from './scope.ts'
import type { Weigh } from './weigh.ts'

/** A link, by row id, and its visits within some hours. */
export interface LinkSum {
  readonly linkId: number
  readonly visits: number
}

export interface TopLinksQuestion {
  readonly hours: Hours
  readonly limit: number
  readonly weigh: Weigh
  /** Whether robots are counted: they are in no total, so every link has to be read. */
  readonly ofRobots: boolean
}

/** How many links are in memory at once, whatever an account has. */
const linksAtOnce = 10_000

/** The visits of a link of all time, beside `links`. */
const ofAllTime = sql<number>`coalesce(link_totals.visits, 0)`

const hourMs = 3_600_000

/** The counts of a day may be in its noon hour, up to this long after its last visit. */
const toNoonMs = 12 * hourMs

/**
 * The most visited links of a scope within some hours, by the counts of each. No link was visited more often in these
 * hours than in all time, so links are read in the order of their totals; once the totals fall below what was found,
 * no other link can be among the first.
 */
export async function topLinks(
  db: Database,
  scope: Scope,
  { hours, limit, weigh, ofRobots }: TopLinksQuestion,
): Promise<readonly LinkSum[]> {
  let top: readonly LinkSum[] = []
  const canBeTop = ({ visits }: VisitedRow) =>
    ofRobots || top.length < limit || visits >= (top.at(-1)?.visits ?? 0)
  let page: readonly VisitedRow[] | undefined
  do {
    page = await mostVisited(db, scope, { hours, ofRobots, after: page?.at(-1) })
    for (const links of portionsOf(page)) {
      if (!links.some(canBeTop)) return top
      const sums = await sumsOfPortion(db, links, hours, weigh)
      top = [...top, ...sums].sort(inOrder).slice(0, limit)
      await yieldToRedirects()
    }
  } while (page.length === linksAtOnce)
  return top
}

/** The visits of these links within some hours, without links that had none. */
export async function sumsOfLinks(
  db: Database,
  linkIds: readonly number[],
  hours: Hours,
  weigh: Weigh,
): Promise<readonly LinkSum[]> {
  if (linkIds.length === 0) return []
  const links = await db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select(['links.id', ofAllTime.as('visits')])
    .where('links.id', 'in', linkIds)
    .execute()
  const sums: LinkSum[] = []
  for (const portion of portionsOf(links)) {
    sums.push(...(await sumsOfPortion(db, portion, hours, weigh)))
    await yieldToRedirects()
  }
  return sums
}

async function sumsOfPortion(
  db: Database,
  links: readonly VisitedRow[],
  hours: Hours,
  weigh: Weigh,
): Promise<readonly LinkSum[]> {
  const [only] = links
  const sums =
    only !== undefined && links.length === 1
      ? [await sumOfLink(db, only.id, hours, weigh)]
      : await sumsOfMany(db, links, hours, weigh)
  return sums.filter(({ visits }) => visits > 0)
}

async function sumOfLink(
  db: Database,
  linkId: number,
  hours: Hours,
  weigh: Weigh,
): Promise<LinkSum> {
  let visits = 0
  for await (const packed of countsWithin(db, { linkId }, hours)) visits += sumOf(packed, weigh)
  return { linkId, visits }
}

async function sumsOfMany(
  db: Database,
  links: readonly VisitedRow[],
  { first, end }: Hours,
  weigh: Weigh,
): Promise<readonly LinkSum[]> {
  const rows = await db
    .selectFrom(linkCounts)
    .select(({ ref }) => ['owner_id', joined(db, ref('packed')).as('packed')])
    .where(
      'owner_id',
      'in',
      links.map(({ id }) => id),
    )
    .where('bucket', '>=', Math.max(first, firstHour))
    .where('bucket', '<', end)
    .groupBy('owner_id')
    .execute()
  return rows.map(({ owner_id, packed }) => ({
    linkId: owner_id,
    visits: packed ? sumOf(packed, weigh) : 0,
  }))
}

interface PageOfLinks extends Pick<TopLinksQuestion, 'hours' | 'ofRobots'> {
  /** The last link of the previous page. */
  readonly after: VisitedRow | undefined
}

/** The links of a scope that may have been visited within some hours, most visited of all time first. */
function mostVisited(
  db: Database,
  scope: Scope,
  { hours, ofRobots, after }: PageOfLinks,
): Promise<readonly VisitedRow[]> {
  return db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select(['links.id', ofAllTime.as('visits')])
    .where(isInScope(scope))
    .where(eb => {
      const since = hours.first * hourMs - toNoonMs
      return ofRobots ? eb.lit(true) : eb('link_totals.last_visit_at', '>=', since)
    })
    .where(eb => {
      if (!after) return eb.lit(true)
      const isNext = eb.and([eb(ofAllTime, '=', after.visits), eb('links.id', '>', after.id)])
      return eb.or([eb(ofAllTime, '<', after.visits), isNext])
    })
    .orderBy(ofAllTime, 'desc')
    .orderBy('links.id')
    .limit(linksAtOnce)
    .execute()
}

function sumOf(packed: Uint8Array, weigh: Weigh): number {
  let sum = 0
  weigh(packed, (_, visits) => {
    sum += visits
  })
  return sum
}

function inOrder(a: LinkSum, b: LinkSum): number {
  return b.visits - a.visits || a.linkId - b.linkId
}
