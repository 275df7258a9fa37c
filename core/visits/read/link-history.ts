import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { PastCounts } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { kindOf, type NamedDimension, valueOfAll } from '../facts/dimensions.ts'
import { readNameIds } from '../tables/name-ids.ts'
import { eachCount } from '../tables/packed-counts.ts'
import { countsWithin } from './counts-within.ts'
import { readDistinct } from './read-distinct.ts'

/** A part ends with the day in which it has so many numbers: `links.addVisits` takes 10,000 at once. */
const numbersAPart = 4_000

const hourMs = 3_600_000
const hoursADay = 24

/** After every hour that there will be; it fits into the columns of all databases. */
const never = 2 ** 31 - 1

/**
 * The dated visits of a link as `links.addVisits` takes them, oldest first, in parts of whole days. What each visit counts
 * for is left out, as it is there.
 */
export async function* linkHistory(
  db: Database,
  linkId: number,
  dimensions: readonly NamedDimension[],
): AsyncGenerator<readonly PastCounts[]> {
  const ids = await readNameIds(
    db,
    dimensions.map(({ name }) => name),
  )
  const byId = new Map(dimensions.map(it => [ids.get(it.name) ?? Number.NaN, it]))
  const distinct = await distinctByDay(db, linkId, dimensions, ids)
  let part: Hour[] = []
  let numbers = 0
  for await (const packed of countsWithin(db, { linkId }, { first: 0, end: never })) {
    const hour = readHour(packed, byId)
    const day = dayOf(hour)
    if (numbers > numbersAPart && part.some(it => dayOf(it) !== day)) {
      yield await asCounts(db, part, distinct)
      part = []
      numbers = 0
    }
    part.push(hour)
    numbers += hour.values.length
  }
  if (part.length > 0) yield await asCounts(db, part, distinct)
}

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
    if (!dimension || isOfEveryVisit(dimension)) return undefined
    return (value, count) => hour.values.push({ dimension, value, count })
  })
  return hour
}

function isOfEveryVisit(dimension: NamedDimension): boolean {
  return !dimension.bots && kindOf(dimension) !== 'distinct' && valueOfAll(dimension) !== undefined
}

/** How many different values there were, by day and by the name of the dimension. */
type ByDay = Map<number, Record<string, number>>

/** What was estimated here; what was brought from elsewhere stands among the other counts. */
async function distinctByDay(
  db: Database,
  linkId: number,
  dimensions: readonly NamedDimension[],
  ids: ReadonlyMap<string, number>,
): Promise<ByDay> {
  const days: ByDay = new Map()
  for (const { name } of dimensions.filter(it => kindOf(it) === 'distinct')) {
    const span = { first: 0, end: Math.floor(never / hoursADay) }
    for (const { day, distinct } of await readDistinct(db, { linkId }, ids.get(name), span)) {
      add(days, day, name, distinct)
    }
  }
  return days
}

function add(days: ByDay, day: number, name: string, count: number): void {
  const ofDay = days.get(day) ?? {}
  ofDay[name] = (ofDay[name] ?? 0) + count
  days.set(day, ofDay)
}

async function asCounts(
  db: Database,
  hours: readonly Hour[],
  distinct: ByDay,
): Promise<readonly PastCounts[]> {
  const names = await namesOf(db, new Set(hours.flatMap(it => it.values.map(({ value }) => value))))
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

async function namesOf(
  db: Database,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  if (ids.size === 0) return new Map()
  const { rows } = await selectNames(db, { ids: [...ids] })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const selectNames = compileOnce((db: Database, { ids }: Places<{ ids: readonly number[] }>) =>
  db.selectFrom('visit_names').select(['id', 'name']).where('id', 'in', ids),
)
