import type { SelectQueryBuilder } from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { LinkRows } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { AccountSketchesTable, Schema } from '../../storage/schema.ts'
import type { Days } from '../facts/buckets.ts'
import { estimateDistinct, estimateOfRanks, mergeInto, registers } from '../tables/sketch.ts'
import { portionsOfRows } from './counts-within.ts'
import type { Scope } from './scope.ts'

/** How many days of sketches of one owner to read at once. */
const daysAtOnce = 100

/** For how many days the links of a query are looked through once: each is 4 KiB in memory. */
const daysOfMany = 366

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
  const counted: DistinctDay[] = []
  let first = await nextDay(db, scope, dimensionId, days)
  while (first !== undefined) {
    const isMany = 'linkRows' in scope
    const end = Math.min(first + (isMany ? daysOfMany : daysAtOnce), days.end)
    const span = { first, end }
    const some = isMany
      ? await ofLinks(db, scope.linkRows, dimensionId, span)
      : await ofOwner(db, scope, dimensionId, span)
    for (const it of some) counted.push(it)
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
    ...{ linkId: link_id, day: it.day, distinct: distinctOf(it) },
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
function distinctOf({ sketch, visits }: DaySketch): number {
  return Math.min(Math.round(estimateDistinct([sketch])), Number(visits))
}

/** An account or a link. */
type Owner = Exclude<Scope, { readonly linkRows: LinkRows }>

/** An owner has one sketch a day. */
async function ofOwner(
  db: Database,
  owner: Owner,
  dimensionId: number,
  { first, end }: Days,
): Promise<readonly DistinctDay[]> {
  const rows = await sketchesOf(db, owner)
    .select(['sketches.day', 'sketches.visits', 'sketches.sketch'])
    .where('sketches.dimension', '=', dimensionId)
    .where('sketches.day', '>=', first)
    .where('sketches.day', '<', end)
    .orderBy('sketches.day')
    .execute()
  return rows.map(row => ({ day: row.day, distinct: distinctOf(row) }))
}

/** Some links at a time, with all of these days: there may be thousands, and each is looked up. */
async function ofLinks(
  db: Database,
  linkRows: LinkRows,
  dimensionId: number,
  { first, end }: Days,
): Promise<readonly DistinctDay[]> {
  const days = new Map<number, { readonly ranks: Uint8Array; visits: number }>()
  for await (const ids of portionsOfRows(db, linkRows)) {
    const rows = await db
      .selectFrom('link_sketches')
      .select(['day', 'visits', 'sketch'])
      .where('link_id', 'in', ids)
      .where('dimension', '=', dimensionId)
      .where('day', '>=', first)
      .where('day', '<', end)
      .execute()
    for (const { day, visits, sketch } of rows) {
      const known = days.get(day) ?? { ranks: new Uint8Array(registers), visits: 0 }
      mergeInto(known.ranks, sketch)
      known.visits += Number(visits)
      days.set(day, known)
    }
  }
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([day, { ranks, visits }]) => ({
      ...{ day, distinct: Math.min(Math.round(estimateOfRanks(ranks)), visits) },
    }))
}

/** The sketches of links or accounts, which have the same columns. */
interface Sketched extends Schema {
  sketches: Omit<AccountSketchesTable, 'account_id'>
}

function sketchesOf(db: Database, owner: Owner) {
  type Sketches = SelectQueryBuilder<Sketched, 'sketches', object>
  return ('accountId' in owner
    ? db
        .selectFrom('account_sketches as sketches')
        .where('sketches.account_id', '=', owner.accountId)
    : db
        .selectFrom('link_sketches as sketches')
        .where('sketches.link_id', '=', owner.linkId)) as unknown as Sketches
}
