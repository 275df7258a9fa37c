import type { SelectQueryBuilder } from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database } from '../../storage/database.ts'
import type { AccountSketchesTable, Schema } from '../../storage/schema.ts'
import type { Days } from '../facts/buckets.ts'
import { estimateDistinct } from '../tables/sketch.ts'
import type { Scope } from './scope.ts'

/** How many days of sketches to read at once: of one owner, or of a set of links, which may be many. */
const daysOfOne = 100
const daysOfMany = 1

/** The number of different values on a UTC day. */
export interface DistinctDay {
  readonly day: number
  readonly distinct: number
}

/**
 * Estimates how many different values a dimension had on each of these days, in order, without days that had none.
 * The numbers can only be added up: a value on two days counts twice, because its mark changes each day. For several
 * links together, a value counts once a day.
 */
export async function readDistinct(
  db: Database,
  scope: Scope,
  dimensionId: number | undefined,
  days: Days,
): Promise<readonly DistinctDay[]> {
  if (dimensionId === undefined) return []
  const step = 'linkRows' in scope ? daysOfMany : daysOfOne
  const counted: DistinctDay[] = []
  let first = await nextDay(db, scope, dimensionId, days)
  while (first !== undefined) {
    const end = Math.min(first + step, days.end)
    for (const [day, sketches] of await readDays(db, scope, dimensionId, { first, end })) {
      counted.push({ day, distinct: distinctOf(sketches) })
    }
    // SQLite runs on the thread that redirects, so redirects get a turn between two queries.
    await yieldToRedirects()
    first = await nextDay(db, scope, dimensionId, { first: end, end: days.end })
  }
  return counted
}

/** The number of different values that a link had on a UTC day. */
export interface DistinctDayOfLink extends DistinctDay {
  readonly linkId: number
}

/** The same for each of some links, over all days. Those of several are read together, which must be few. */
export async function distinctOfLinks(
  db: Database,
  linkIds: readonly number[],
  dimensionId: number | undefined,
): Promise<readonly DistinctDayOfLink[]> {
  if (dimensionId === undefined) return []
  const [linkId = 0] = linkIds
  if (linkIds.length === 1) {
    const days = await readDistinct(db, { linkId }, dimensionId, allDays)
    return days.map(it => ({ linkId, ...it }))
  }
  const { rows } = await selectSketches(db, { linkIds, dimensionId })
  return rows.map(({ link_id, ...it }) => ({
    ...{ linkId: link_id, day: it.day, distinct: distinctOf([it]) },
  }))
}

/** As many as fit into the columns of all databases. */
const allDays: Days = { first: 0, end: Math.floor(2 ** 31 / 24) }

const selectSketches = compileOnce(
  (
    db: Database,
    { linkIds, dimensionId }: Places<{ linkIds: readonly number[]; dimensionId: number }>,
  ) =>
    db
      .selectFrom('link_sketches')
      .select(['link_id', 'day', 'visits', 'sketch'])
      .where('link_id', 'in', linkIds)
      .where('dimension', '=', dimensionId),
)

/** The first of these days with any sketch: the period may be a hundred years. */
async function nextDay(
  db: Database,
  scope: Scope,
  dimensionId: number,
  { first, end }: Days,
): Promise<number | undefined> {
  if ('linkId' in scope) {
    const { rows } = await nextOfLink(db, { id: scope.linkId, dimensionId, first, end })
    return rows[0]?.day
  }
  const row = await db
    .selectFrom('accountId' in scope ? 'account_sketches' : 'link_sketches')
    .select('day')
    .where('dimension', '=', dimensionId)
    .where('day', '>=', first)
    .where('day', '<', end)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return row?.day
}

const nextOfLink = compileOnce(
  (
    db: Database,
    { id, dimensionId, first, end }: Places<Days & Readonly<Record<'id' | 'dimensionId', number>>>,
  ) =>
    db
      .selectFrom('link_sketches')
      .select('day')
      .where('link_id', '=', id)
      .where('dimension', '=', dimensionId)
      .where('day', '>=', first)
      .where('day', '<', end)
      .orderBy('day')
      .limit(1),
)

interface DaySketch {
  readonly day: number
  readonly visits: number
  readonly sketch: Uint8Array
}

/** An estimate, but never more than the visits that could have a value. */
function distinctOf(sketches: readonly DaySketch[]): number {
  const visits = sketches.reduce((sum, it) => sum + Number(it.visits), 0)
  const estimate = estimateDistinct(sketches.map(({ sketch }) => sketch))
  return Math.min(Math.round(estimate), visits)
}

async function readDays(
  db: Database,
  scope: Scope,
  dimensionId: number,
  { first, end }: Days,
): Promise<readonly (readonly [day: number, DaySketch[]])[]> {
  const rows = await sketchesOf(db, scope)
    .select(['sketches.day', 'sketches.visits', 'sketches.sketch'])
    .where('sketches.dimension', '=', dimensionId)
    .where('sketches.day', '>=', first)
    .where('sketches.day', '<', end)
    .execute()
  const byDay = new Map<number, DaySketch[]>()
  for (const row of rows) {
    const day = byDay.get(row.day)
    if (day) day.push(row)
    else byDay.set(row.day, [row])
  }
  return [...byDay].sort(([a], [b]) => a - b)
}

/** The sketches of links or accounts, which have the same columns. */
interface Sketched extends Schema {
  sketches: Omit<AccountSketchesTable, 'account_id'>
}

function sketchesOf(db: Database, scope: Scope) {
  type Sketches = SelectQueryBuilder<Sketched, 'sketches', object>
  if ('accountId' in scope) {
    const ofAccounts = db.selectFrom('account_sketches as sketches')
    return ofAccounts.where('sketches.account_id', '=', scope.accountId) as unknown as Sketches
  }
  const ofLinks = db.selectFrom('link_sketches as sketches')
  return ('linkId' in scope
    ? ofLinks.where('sketches.link_id', '=', scope.linkId)
    : ofLinks.where('sketches.link_id', 'in', scope.linkRows)) as unknown as Sketches
}
