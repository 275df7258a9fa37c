import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { PastCounts } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { kindOf, type NamedDimension, valueOfAll } from '../facts/dimensions.ts'
import { firstHour, linkCounts } from '../tables/counts-table.ts'
import { readNameIds } from '../tables/name-ids.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { countsWithin, portionsOf } from './counts-within.ts'
import { distinctOfLinks } from './read-distinct.ts'

/** A part ends with the day in which it has so many numbers: `links.addVisits` takes 10,000 at once. */
const numbersAPart = 4_000

/** How many rows are taken apart before redirects have their turn, and how many names are kept. */
const rowsATurn = 64
const mostNames = 20_000

const hourMs = 3_600_000
const hoursADay = 24

/** After every hour that there will be; it fits into the columns of all databases. */
const never = 2 ** 31 - 1

/** The dated visits of a link. */
export interface History {
  readonly linkId: number
  readonly counts: readonly PastCounts[]
}

/**
 * The dated visits of links as `links.addVisits` takes them, link by link, oldest first, in parts of whole days. What each
 * visit counts for is left out, as it is there. Most links have a few rows, so those of many are read together.
 */
export async function* linkHistories(
  db: Database,
  linkIds: readonly number[],
  dimensions: readonly NamedDimension[],
): AsyncGenerator<History> {
  if (linkIds.length === 0) return
  const ids = await readNameIds(
    db,
    dimensions.map(({ name }) => name),
  )
  // Asking each dimension for each hour would take longer than all the rest.
  const told = dimensions.filter(it => it.name === 'visits' || !isOfEveryVisit(it))
  const byId = new Map(told.map(it => [ids.get(it.name) ?? Number.NaN, it]))
  const namesOf = createNames(db)
  const { rows: visited } = await selectVisits(db, { linkIds })
  for (const portion of portionsOf(visited)) {
    const linkIds = portion.map(({ id }) => id)
    const distinct = await distinctByDay(db, linkIds, dimensions, ids)
    let of = linkIds[0] ?? 0
    let part: Hour[] = []
    let numbers = 0
    const take = async (): Promise<History> => {
      const names = await namesOf(part.flatMap(it => it.values.map(({ value }) => value)))
      const counts = asCounts(part, names, distinct.get(of) ?? new Map())
      part = []
      numbers = 0
      return { linkId: of, counts }
    }
    for await (const { linkId, packed } of rowsOf(db, linkIds)) {
      const hour = readHour(packed, byId)
      const isNext = linkId !== of
      const isFull = numbers > numbersAPart && part.some(it => dayOf(it) !== dayOf(hour))
      if (part.length > 0 && (isNext || isFull)) yield await take()
      of = linkId
      part.push(hour)
      numbers += hour.values.length
    }
    if (part.length > 0) yield await take()
  }
}

const selectVisits = compileOnce(
  (db: Database, { linkIds }: Places<{ linkIds: readonly number[] }>) =>
    db
      .selectFrom('link_totals')
      .select(['link_id as id', 'visits'])
      .where('link_id', 'in', linkIds)
      .orderBy('link_id'),
)

/** Rows of counts, in the order of links and hours. A link that is alone may have megabytes of them. */
async function* rowsOf(db: Database, linkIds: readonly number[]) {
  const [only = 0] = linkIds
  if (linkIds.length === 1) {
    for await (const packed of countsWithin(db, { linkId: only }, { first: 0, end: never }))
      yield { linkId: only, packed }
    return
  }
  const { rows } = await selectRows(db, { linkIds })
  for (const [index, row] of rows.entries()) {
    yield row
    if (index % rowsATurn === rowsATurn - 1) await yieldToRedirects()
  }
  await yieldToRedirects()
}

const selectRows = compileOnce(
  (db: Database, { linkIds }: Places<{ linkIds: readonly number[] }>) =>
    db
      .selectFrom(linkCounts)
      .select(['owner_id as linkId', 'packed'])
      .where('owner_id', 'in', linkIds)
      .where('bucket', '>=', firstHour)
      .orderBy('owner_id')
      .orderBy('bucket'),
)

/** The counts of an hour, with the ids of values. */
interface Hour {
  /** Hours since 1970 UTC. */
  readonly bucket: number
  readonly visits: number
  readonly values: readonly {
    readonly dimension: NamedDimension
    readonly value: number
    readonly count: number
  }[]
}

function dayOf({ bucket }: Pick<Hour, 'bucket'>): number {
  return Math.floor(bucket / hoursADay)
}

function readHour(packed: Uint8Array, byId: ReadonlyMap<number, NamedDimension>): Hour {
  const hour = { bucket: 0, visits: 0, values: [] as Hour['values'][number][] }
  eachCount(packed, (id, bucket) => {
    hour.bucket = bucket
    const dimension = byId.get(id)
    if (dimension?.name === 'visits') return (_, count) => (hour.visits += count)
    if (!dimension) return undefined
    return (value, count) => hour.values.push({ dimension, value, count })
  })
  return hour
}

function isOfEveryVisit(dimension: NamedDimension): boolean {
  return !dimension.bots && kindOf(dimension) !== 'distinct' && valueOfAll(dimension) !== undefined
}

/** How many different values there were, by day and by the name of the dimension. */
type ByDay = Map<number, Record<string, number>>

/** What was estimated here, by link; what was brought from elsewhere stands among the other counts. */
async function distinctByDay(
  db: Database,
  linkIds: readonly number[],
  dimensions: readonly NamedDimension[],
  ids: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, ByDay>> {
  const byLink = new Map<number, ByDay>()
  for (const { name } of dimensions.filter(it => kindOf(it) === 'distinct')) {
    for (const { linkId, day, distinct } of await distinctOfLinks(db, linkIds, ids.get(name))) {
      const days: ByDay = byLink.get(linkId) ?? new Map()
      byLink.set(linkId, days)
      add(days, day, name, distinct)
    }
  }
  return byLink
}

function add(days: ByDay, day: number, name: string, count: number): void {
  const ofDay = days.get(day) ?? {}
  ofDay[name] = (ofDay[name] ?? 0) + count
  days.set(day, ofDay)
}

function asCounts(
  hours: readonly Hour[],
  names: ReadonlyMap<number, string>,
  distinct: ByDay,
): readonly PastCounts[] {
  const counts: PastCounts[] = []
  for (const [index, hour] of hours.entries()) {
    const by: Record<string, number | Record<string, number>> = {}
    for (const { dimension, value, count } of hour.values) {
      const { name } = dimension
      const kind = kindOf(dimension)
      if (kind === 'distinct') add(distinct, dayOf(hour), name, count)
      else if (kind === 'values') {
        const values = (by[name] ?? {}) as Record<string, number>
        values[names.get(value) ?? ''] = count
        by[name] = values
      } else by[name] = ((by[name] as number | undefined) ?? 0) + count
    }
    const hasMore = Object.keys(by).length > 0
    if (hour.visits > 0 || hasMore) {
      counts.push({
        at: new Date(hour.bucket * hourMs),
        visits: hour.visits,
        ...(hasMore && { by }),
      })
    }
    const next = hours[index + 1]
    const ofDay = distinct.get(dayOf(hour))
    if (ofDay && (!next || dayOf(next) !== dayOf(hour))) {
      const at = new Date(dayOf(hour) * hoursADay * hourMs).toISOString().slice(0, 10)
      counts.push({ at, visits: 0, by: ofDay })
    }
  }
  return counts
}

/** Reads names by their ids. Links share most of them, so that they are kept until there are many. */
function createNames(db: Database) {
  const known = new Map<number, string>()
  return async (ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (known.size > mostNames) known.clear()
    const unknown = [...new Set(ids)].filter(id => !known.has(id))
    if (unknown.length > 0) {
      const { rows } = await selectNames(db, { ids: unknown })
      for (const { id, name } of rows) known.set(id, name)
    }
    return known
  }
}

const selectNames = compileOnce((db: Database, { ids }: Places<{ ids: readonly number[] }>) =>
  db.selectFrom('visit_names').select(['id', 'name']).where('id', 'in', ids),
)
