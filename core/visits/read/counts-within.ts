import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { LinkRows } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { joined } from '../../storage/database-kind.ts'
import type { Hours } from '../facts/buckets.ts'
import {
  accountCounts,
  type CountsTableName,
  firstHour,
  linkCounts,
} from '../tables/counts-table.ts'
import type { Scope } from './scope.ts'

/** How many buckets of one owner to read at once: so many at first, and then as many as have about so many bytes. */
const bucketsAtFirst = 8
const bytesAtOnce = 512 * 1024
const mostBuckets = 64

/**
 * The counts of a scope within some hours: rows of `packCounts`, one after another. SQLite runs on the thread that
 * redirects, so redirects get a turn between two queries.
 */
export function countsWithin(
  db: Database,
  scope: Scope,
  { first, end }: Hours,
): AsyncGenerator<Uint8Array> {
  return countsIn(db, scope, { first: Math.max(first, firstHour), end })
}

/** The same for any buckets, also those that are in no period. */
export async function* countsIn(
  db: Database,
  scope: Scope,
  hours: Hours,
): AsyncGenerator<Uint8Array> {
  if ('linkRows' in scope) yield* countsOfLinks(db, scope.linkRows, hours)
  else if ('linkId' in scope) yield* countsOfOwner(db, linkCounts, scope.linkId, hours)
  else yield* countsOfOwner(db, accountCounts, scope.accountId, hours)
}

async function* countsOfOwner(
  db: Database,
  table: CountsTableName,
  id: number,
  { first, end }: Hours,
): AsyncGenerator<Uint8Array> {
  let atOnce = bucketsAtFirst
  for (let from: number | undefined = first; from !== undefined; ) {
    const bucketsOf = table === linkCounts ? bucketsOfLink : bucketsOfAccount
    const { rows } = await bucketsOf(db, { id, from, end, atOnce })
    for (const { packed } of rows) yield packed
    const last = rows.at(-1)
    from = rows.length < atOnce || last === undefined ? undefined : last.bucket + 1
    const bytes = rows.reduce((sum, { packed }) => sum + packed.length, 0)
    const fitting = Math.floor((atOnce * bytesAtOnce) / bytes)
    atOnce = Math.max(1, Math.min(fitting, 2 * atOnce, mostBuckets))
    await yieldToRedirects()
  }
}

const selectBuckets = (table: CountsTableName) =>
  compileOnce((db: Database, { id, from, end, atOnce }: Places<BucketsOf>) =>
    db
      .selectFrom(table)
      .select(['bucket', 'packed'])
      .where('owner_id', '=', id)
      .where('bucket', '>=', from)
      .where('bucket', '<', end)
      .orderBy('bucket')
      .limit(atOnce),
  )

interface BucketsOf {
  readonly id: number
  readonly from: number
  readonly end: number
  readonly atOnce: number
}

/** An export reads those of each link. */
const bucketsOfLink = selectBuckets(linkCounts)
const bucketsOfAccount = selectBuckets(accountCounts)

/**
 * There may be thousands of links, most of whose rows have a visit or two, so the database joins the rows. A link that
 * is alone in its portion may have megabytes of them.
 */
async function* countsOfLinks(
  db: Database,
  linkRows: LinkRows,
  { first, end }: Hours,
): AsyncGenerator<Uint8Array> {
  for await (const ids of portionsOfRows(db, linkRows)) {
    const [only] = ids
    if (only !== undefined && ids.length === 1) {
      yield* countsOfOwner(db, linkCounts, only, { first, end })
      continue
    }
    const { packed } = await db
      .selectFrom(linkCounts)
      .select(({ ref }) => joined(db, ref('packed')).as('packed'))
      .where('owner_id', 'in', ids)
      .where('bucket', '>=', first)
      .where('bucket', '<', end)
      .executeTakeFirstOrThrow()
    if (packed) yield packed
  }
}

/** How many links are found with one query. */
const foundAtOnce = 2_000

/** The ids of the links of a query, in order, as many at a time as one query may ask for; redirects have their turn in between. */
export async function* portionsOfRows(
  db: Database,
  linkRows: LinkRows,
): AsyncGenerator<readonly number[]> {
  for (let last = 0, left = true; left; ) {
    const found = await visitsOfLinks(db, linkRows, last)
    for (const links of portionsOf(found)) {
      yield links.map(({ id }) => id)
      await yieldToRedirects()
    }
    left = found.length === foundAtOnce
    last = found.at(-1)?.id ?? last
  }
}

/** The visits of each link after one, in the order of their ids. */
function visitsOfLinks(db: Database, linkRows: LinkRows, last: number) {
  return db
    .selectFrom(linkRows.as('chosen'))
    .leftJoin('link_totals', 'link_totals.link_id', 'chosen.link_id')
    .select(({ fn, val }) => [
      'chosen.link_id as id',
      fn.coalesce('link_totals.visits', val(0)).as('visits'),
    ])
    .distinct()
    .where('chosen.link_id', '>', last)
    .orderBy('chosen.link_id')
    .limit(foundAtOnce)
    .execute()
}

/** A link, by row id, and its visits of all time. */
export interface VisitedRow {
  readonly id: number
  readonly visits: number
}

/** How many links to read at once: this many, or as many as have about this many rows of counts. */
const linksAtOnce = 500
const rowsAtOnce = 3_000

/** How many rows of counts a link has at most in a year, when hours become days. */
const mostRows = 2_000

/** The counts of a link with more visits may be megabytes, so it is alone in its portion, to be read in pieces. */
const manyVisits = 20_000

/**
 * Splits links, in order, into portions that one query may ask for. A link has no more rows than visits, except for
 * robots.
 */
export function* portionsOf(links: readonly VisitedRow[]): Generator<readonly VisitedRow[]> {
  let portion: VisitedRow[] = []
  let rows = 0
  for (const link of links) {
    const visits = Number(link.visits)
    const isLarge = visits > manyVisits
    if (isLarge && portion.length > 0) {
      yield portion
      portion = []
      rows = 0
    }
    portion.push(link)
    rows += isLarge ? rowsAtOnce : Math.min(visits, mostRows)
    if (portion.length < linksAtOnce && rows < rowsAtOnce) continue
    yield portion
    portion = []
    rows = 0
  }
  if (portion.length > 0) yield portion
}
