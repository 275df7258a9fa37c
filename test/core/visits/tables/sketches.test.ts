import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { LinkRows } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { createVisitCounter } from '../../../../core/visits/count/count-visits.ts'
import { createMarker, type Marker } from '../../../../core/visits/count/marker.ts'
import type { NamedDimension } from '../../../../core/visits/facts/dimensions.ts'
import type { RawVisit, TrackedLink } from '../../../../core/visits/facts/open-visit.ts'
import { placeUnknown } from '../../../../core/visits/facts/place.ts'
import { createFold } from '../../../../core/visits/fold/fold.ts'
import type { Scope } from '../../../../core/visits/read/scope.ts'
import { storeBatch } from '../../../../core/visits/store/store-batch.ts'
import { registers } from '../../../../core/visits/tables/sketch.ts'
import {
  noteAccountCounts,
  removeLinkCounts,
  removeSlice,
} from '../../../../core/visits/upkeep/remove-counts.ts'
import { sweepNames, tidyCounts } from '../../../../core/visits/upkeep/tidy-counts.ts'
import { removeSketches } from '../../../../core/visits/upkeep/tidy-sketches.ts'
import { failWrites } from '../../../fail-writes.ts'
import {
  addLink,
  batchOf,
  bootInMemory,
  dimensions,
  hourMs,
  noon,
  noonHour,
  ownedBy,
  robot,
  visitOf,
} from '../fixtures.ts'
import { numbersOf } from '../numbers-of.ts'

const visitors: NamedDimension = {
  ...{ name: 'visitors', label: 'Visitors', chart: 'number', distinct: true },
  of: ({ userAgent, visitor }) => (visitor === '' ? undefined : `${visitor} ${userAgent}`),
}
const counting = [...dimensions, visitors]
const never = new AbortController().signal
const dayMs = 24 * hourMs
const today = noonHour / 24 - 0.5

/** A linnet whose owner also counts visitors, and what a recorder does there. */
async function linnet(markOf = marksApart()) {
  const { db, link: plain } = await bootInMemory()
  const link = collecting(plain)
  const fold = createFold(db)
  let sequence = 0

  async function store(visits: readonly RawVisit[]): Promise<void> {
    sequence += 1
    const { counted } = createVisitCounter(counting, placeUnknown, markOf)(batchOf(visits))
    await storeBatch(db, counted, { run: 'this', sequence })
  }

  return {
    db,
    link,
    account: { accountId: link.owner.accountId },
    fold,
    store,
    addLink: async () => collecting(await addLink(db, link.owner)),
    async record(visits: readonly RawVisit[]) {
      await store(visits)
      await fold()
    },
  }
}

/** A register to each value, as chance would have it once in a while: so that few are counted exactly. */
function marksApart(): Marker {
  const values = new Map<string, number>()
  return (value, day) => {
    const key = `${day} ${value}`
    const number = values.get(key) ?? values.size
    values.set(key, number)
    return (((number * 37) % registers) << 4) | 1
  }
}

function collecting(link: TrackedLink): TrackedLink {
  return ownedBy(link, { collect: counting.map(({ name }) => name) })
}

/** Visits of so many visitors, each with an address of its own. */
function visitsOf(link: TrackedLink, from: number, to: number, differing: Partial<RawVisit> = {}) {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index
    const ip = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
    return visitOf(link, { ip, ...differing })
  })
}

/** How many visitors there were on some days, 0 being the Friday of the visits. */
async function distinct(db: Database, scope: Scope, first = 0, end = 1): Promise<number> {
  const days = { first: today + first, end: today + end }
  const hours = { first: days.first * 24, end: days.end * 24 }
  const range = { days, hours, buckets: [], granularity: 'hour' } as const
  const { totals } = await numbersOf(db, scope, { range, dimensions: [visitors], limit: 1 })
  return totals.visitors ?? Number.NaN
}

const rowsIn = async (db: Database, table: 'link_sketches' | 'account_sketches') =>
  (await db.selectFrom(table).selectAll().execute()).length

describe('different values', () => {
  it('count once a day, in however many batches they come', async () => {
    const { db, link, record } = await linnet()
    await record([...visitsOf(link, 0, 20), ...visitsOf(link, 0, 20)])
    await record(visitsOf(link, 10, 30))
    expect(await distinct(db, { linkId: link.id })).toBe(30)
  })

  it('count once over links of an account or of a set, and once for each link', async () => {
    const { db, link, account, addLink, record } = await linnet()
    const [second, third] = [await addLink(), await addLink()]
    await record([
      ...visitsOf(link, 0, 20),
      ...visitsOf(second, 10, 30),
      ...visitsOf(third, 100, 140),
    ])
    const linkRows = db
      .selectFrom('links')
      .select('id as link_id')
      .where('id', '!=', third.id) as unknown as LinkRows
    expect(await distinct(db, { linkId: second.id })).toBe(20)
    expect(await distinct(db, { linkRows })).toBe(30)
    expect(await distinct(db, account)).toBeGreaterThan(68)
    expect(await distinct(db, account)).toBeLessThan(72)
  })

  it('count once for each day of UTC, whose sums a span has', async () => {
    const { db, link, account, record } = await linnet()
    for (const day of [0, 1, 3]) await record(visitsOf(link, 0, 10, { at: noon + day * dayMs }))
    for (const scope of [{ linkId: link.id }, account]) {
      expect(await distinct(db, scope, 1, 2)).toBe(10)
      expect(await distinct(db, scope, 2, 3)).toBe(0)
      expect(await distinct(db, scope, 0, 4)).toBe(30)
      expect(await distinct(db, scope, -50_000, 50_000)).toBe(30)
    }
  })

  it('of a set of links are read link by link, and not day by day', async () => {
    const { db, link, addLink, record } = await linnet()
    const second = await addLink()
    for (let day = 0; day < 400; day += 20) {
      const at = noon - day * dayMs
      await record([...visitsOf(link, 0, 4, { at }), ...visitsOf(second, 2, 6, { at })])
    }
    const linkRows = db.selectFrom('links').select('id as link_id') as unknown as LinkRows
    const reads: RootOperationNode[] = []
    const watch: KyselyPlugin = {
      transformQuery: ({ node }) => {
        reads.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    expect(await distinct(db.withPlugin(watch), { linkRows }, -500, 1)).toBe(20 * 6)
    expect(reads.length).toBeLessThan(16)
  })

  it('are right within three standard errors where they are many, and folded in parts', async () => {
    const { db, link, account, store, fold } = await linnet(createMarker())
    for (let part = 0; part < 5; part += 1) {
      await store(visitsOf(link, part * 2_000, part * 2_000 + 4_000))
      await fold()
    }
    const error = (await distinct(db, { linkId: link.id })) / 12_000 - 1
    // A salt is random, so once in half a million runs it is more than five.
    expect(Math.abs(error)).toBeLessThan(5 * 0.01625)
    expect(await distinct(db, account)).toBe(await distinct(db, { linkId: link.id }))
    const { sketch } = await db.selectFrom('link_sketches').selectAll().executeTakeFirstOrThrow()
    expect(sketch).toHaveLength(2_048)
  })

  it('are never more than the visits that had one', async () => {
    const { db, link, record } = await linnet()
    for (let visitor = 0; visitor < 300; visitor += 100) {
      await record(visitsOf(link, visitor, visitor + 100))
      expect(await distinct(db, { linkId: link.id })).toBeLessThanOrEqual(visitor + 100)
    }
  })

  it('leave out robots, and who asks not to be tracked', async () => {
    const { db, link, record } = await linnet()
    await record([
      ...visitsOf(link, 0, 3),
      ...visitsOf(link, 3, 6, { totalsOnly: true }),
      ...visitsOf(link, 6, 9, { userAgent: robot }),
    ])
    expect(await distinct(db, { linkId: link.id })).toBe(3)
  })

  it('leave out visits past the quota', async () => {
    const { db, link, record } = await linnet()
    await record(visitsOf(ownedBy(link, { maxTrackedVisits: 4 }), 0, 9))
    expect(await distinct(db, { linkId: link.id })).toBe(4)
  })

  it('are not counted for a plan without them', async () => {
    const { db, link, record } = await linnet()
    await record(visitsOf(ownedBy(link, { collect: ['visits'] }), 0, 9))
    expect(await rowsIn(db, 'link_sketches')).toBe(0)
  })

  it('count as failed where they are no text', () => {
    const wrong = { ...visitors, of: () => 7 } as unknown as NamedDimension
    const link = { id: 1, view: {}, owner: { collect: ['visitors'] } } as unknown as TrackedLink
    const batch = batchOf([visitOf(link)])
    const { counted, failedDimensions } = createVisitCounter(
      [wrong],
      placeUnknown,
      createMarker(),
    )(batch)
    expect([counted.size, failedDimensions]).toEqual([0, { visitors: 1 }])
  })
})

describe('sketches', () => {
  it('of a link that was deleted before the fold are not written; others are', async () => {
    const { db, link, addLink, store, fold } = await linnet()
    const gone = await addLink()
    await store([...visitsOf(gone, 0, 5), ...visitsOf(link, 0, 3)])
    await db.deleteFrom('links').where('id', '=', gone.id).execute()
    await fold()
    expect(await distinct(db, { linkId: link.id })).toBe(3)
    expect(await rowsIn(db, 'link_sketches')).toBe(1)
  })

  it('go with their link; visitors that it brought the account stay in that of the account', async () => {
    const { db, link, account, record } = await linnet()
    await record(visitsOf(link, 0, 5))
    await db.transaction().execute(async tx => {
      await tx.deleteFrom('links').where('id', '=', link.id).execute()
      await removeLinkCounts(tx, { rowId: link.id, ...account })
    })
    expect(await rowsIn(db, 'link_sketches')).toBe(0)
    expect(await distinct(db, account)).toBe(5)
    await db.transaction().execute(tx => noteAccountCounts(tx, account.accountId))
    expect(await removeSlice(db)).toBe(true)
    expect(await rowsIn(db, 'account_sketches')).toBe(0)
  })

  it.each(['link_sketches', 'account_sketches'])(
    'change with the counts or not at all: a fold that is cut off at %s has done nothing',
    async table => {
      const { db, link, store, fold } = await linnet()
      await store(visitsOf(link, 0, 5))
      const mend = await failWrites(db, 'insert', table, 'died')
      await expect(fold()).rejects.toThrow('died')
      expect(await db.selectFrom('link_counts').selectAll().execute()).toEqual([])
      await mend()
      await fold()
      expect(await distinct(db, { linkId: link.id })).toBe(5)
    },
  )

  it('hold nothing by which a visitor could be found again, not even by trying them all', async () => {
    const [one, other] = [await linnet(createMarker()), await linnet(createMarker())]
    const sketches: Buffer[] = []
    for (const { db, link, record } of [one, other]) {
      await record(visitsOf(link, 0, 50))
      sketches.push(
        (await db.selectFrom('link_sketches').select('sketch').execute())[0]?.sketch ?? Buffer.of(),
      )
    }
    expect(sketches[0]).not.toEqual(sketches[1])
    expect(sketches[0]?.length).toBeLessThanOrEqual(100)
  })
})

describe('in the nightly care', () => {
  it('sketches of days past the retention go, and no others', async () => {
    const { db, link, account, record } = await linnet()
    for (const day of [-3, -2, -1, 0]) {
      await record(visitsOf(link, 0, 5, { at: noon + day * dayMs }))
    }
    const clock = { now: () => new Date(noon), signal: never }
    await tidyCounts(db, { hourly: 60, counts: undefined }, clock)
    expect(await distinct(db, account, -9, 9)).toBe(20)
    await tidyCounts(db, { hourly: 60, counts: 1 }, clock)
    for (const scope of [{ linkId: link.id }, account]) {
      expect(await distinct(db, scope, -9, 9)).toBe(10)
    }
  })

  it('more sketches than one transaction removes go all the same', async () => {
    const { db, link, record } = await linnet()
    const days = Array.from({ length: 1_200 }, (_, day) => noon - (day + 1) * dayMs)
    await record(days.map(at => visitOf(link, { at })))
    expect(await rowsIn(db, 'link_sketches')).toBe(1_200)
    await removeSketches(db, today, never)
    expect(await rowsIn(db, 'link_sketches')).toBe(0)
    expect(await rowsIn(db, 'account_sketches')).toBe(0)
  })

  it('the name of a dimension stays as long as there are sketches of it', async () => {
    const { db, link, record } = await linnet()
    await record(visitsOf(link, 0, 5))
    await db.deleteFrom('link_counts').execute()
    await db.deleteFrom('account_counts').execute()
    for (let night = 0; night < 3; night += 1) await sweepNames(db, never)
    expect(await distinct(db, { linkId: link.id })).toBe(5)
    await removeSketches(db, today + 1, never)
    for (let night = 0; night < 3; night += 1) await sweepNames(db, never)
    expect(await db.selectFrom('visit_names').select('name').execute()).toEqual([])
  })
})
