import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../core/storage/database.ts'
import { createVisitCounter } from '../../../../core/visits/count/count-visits.ts'
import { createMarker } from '../../../../core/visits/count/marker.ts'
import type { RawVisit } from '../../../../core/visits/facts/open-visit.ts'
import { placeUnknown } from '../../../../core/visits/facts/place.ts'
import { createFold } from '../../../../core/visits/fold/fold.ts'
import { storeBatch, visitedLinks } from '../../../../core/visits/store/store-batch.ts'
import { failWrites } from '../../../fail-writes.ts'
import {
  addAccount,
  addLink,
  batchOf,
  bootInMemory,
  countsIn,
  dimensions,
  noon,
  ownedBy,
  robot,
  totalsIn,
  usageIn,
  visitOf,
} from '../fixtures.ts'

const markOf = createMarker()

async function store(db: Database, sequence: number, visits: readonly RawVisit[], run = 'this') {
  const { counted } = createVisitCounter(dimensions, placeUnknown, markOf)(batchOf(visits))
  const { batchId, kept } = await storeBatch(db, counted, { run, sequence })
  return { batchId, visited: visitedLinks(counted, kept) }
}

async function batchesIn(db: Database): Promise<number> {
  const rows = await db.selectFrom('visit_batches').select('id').execute()
  return rows.length
}

describe('storing a batch', () => {
  it('keeps one row for it and says how many visits each link had', async () => {
    const { db, link, owner } = await bootInMemory()
    const other = await addLink(db, owner)
    const { visited } = await store(db, 1, [visitOf(link), visitOf(other), visitOf(link)])
    expect(visited).toEqual([
      { linkId: link.id, accountId: link.owner.accountId, visits: 2 },
      { linkId: other.id, accountId: other.owner.accountId, visits: 1 },
    ])
    expect(await batchesIn(db)).toBe(1)
    expect(await usageIn(db)).toEqual({ '2026-11': 3 })
  })

  it('names a link once that changed within it', async () => {
    const { db, link } = await bootInMemory()
    const changed = { ...link }
    const { visited } = await store(db, 1, [visitOf(link), visitOf(changed), visitOf(link)])
    expect(visited).toEqual([{ linkId: link.id, accountId: link.owner.accountId, visits: 3 }])
    await createFold(db)()
    expect(await totalsIn(db)).toEqual({ [link.id]: 3 })
    expect(await countsIn(db)).toEqual(['overTime 3', 'visits 3'])
  })

  it('stores the same batch once, however often it comes', async () => {
    const { db, link } = await bootInMemory()
    for (const sequence of [1, 1, 2, 2, 1]) await store(db, sequence, [visitOf(link)])
    expect(await batchesIn(db)).toBe(2)
    expect(await usageIn(db)).toEqual({ '2026-11': 2 })
  })

  it('knows a batch that came before also when it is folded already', async () => {
    const { db, link } = await bootInMemory()
    await store(db, 1, [visitOf(link)])
    await createFold(db)()
    await store(db, 1, [visitOf(link)])
    await createFold(db)()
    expect(await totalsIn(db)).toEqual({ [link.id]: 1 })
  })

  it('does not take the batch of another recorder for its own', async () => {
    const { db, link } = await bootInMemory()
    await store(db, 1, [visitOf(link)], 'this')
    await store(db, 1, [visitOf(link)], 'that')
    expect(await batchesIn(db)).toBe(2)
  })

  it('keeps nothing at all when a part of it fails, and all when it is tried again', async () => {
    const { db, link } = await bootInMemory()
    const mend = await failWrites(db, 'insert', 'visit_batches')
    await expect(store(db, 1, [visitOf(link)])).rejects.toThrow('disk full')
    expect(await usageIn(db)).toEqual({})
    await mend()
    await store(db, 1, [visitOf(link)])
    expect([await batchesIn(db), await usageIn(db)]).toEqual([1, { '2026-11': 1 }])
  })

  it('writes nothing for visits of which nothing is collected', async () => {
    const { db, link } = await bootInMemory()
    const { batchId } = await store(db, 1, [visitOf(ownedBy(link, { collect: [] }))])
    expect([batchId, await batchesIn(db), await usageIn(db)]).toEqual([undefined, 0, {}])
  })
})

describe('the monthly limit of tracked visits', () => {
  it('is exact, within a batch and over several', async () => {
    const { db, link } = await bootInMemory()
    const limited = ownedBy(link, { maxTrackedVisits: 5 })
    const visits = [visitOf(limited), visitOf(limited), visitOf(limited)]
    const visited = []
    for (const sequence of [1, 2, 3]) visited.push((await store(db, sequence, visits)).visited)
    await createFold(db)()
    expect(visited).toEqual([
      [{ linkId: link.id, accountId: link.owner.accountId, visits: 3 }],
      [{ linkId: link.id, accountId: link.owner.accountId, visits: 2 }],
      [],
    ])
    expect(await usageIn(db)).toEqual({ '2026-11': 5 })
    expect(await countsIn(db)).toEqual(['overTime 5', 'visits 5'])
  })

  it('is that of the account, over all of its links', async () => {
    const { db, link, owner } = await bootInMemory()
    const limited = { ...owner, maxTrackedVisits: 3 }
    const other = { ...(await addLink(db, owner)), owner: limited }
    const mine = { ...link, owner: limited }
    await store(db, 1, [visitOf(mine), visitOf(other), visitOf(mine), visitOf(other)])
    await createFold(db)()
    expect(await totalsIn(db)).toEqual({ [link.id]: 2, [other.id]: 1 })
  })

  it('begins again with each month of the visits themselves', async () => {
    const { db, link } = await bootInMemory()
    const limited = ownedBy(link, { maxTrackedVisits: 1 })
    const december = Date.UTC(2026, 11, 1)
    await store(
      db,
      1,
      [december, december - 1, december + 1, december - 2].map(at => visitOf(limited, { at })),
    )
    expect(await usageIn(db)).toEqual({ '2026-11': 1, '2026-12': 1 })
  })

  it('costs robots nothing, and they are counted also past it', async () => {
    const { db, link } = await bootInMemory()
    const limited = ownedBy(link, { maxTrackedVisits: 1 })
    const bot = visitOf(limited, { userAgent: robot })
    await store(db, 1, [bot, visitOf(limited), visitOf(limited), bot])
    await createFold(db)()
    expect(await countsIn(db)).toEqual(['bots 2', 'overTime 1', 'visits 1'])
    expect(await usageIn(db)).toEqual({ '2026-11': 1 })
  })

  it('lets nothing through when a smaller plan made it less than what is used', async () => {
    const { db, link } = await bootInMemory()
    await store(db, 1, [visitOf(link), visitOf(link), visitOf(link)])
    await store(db, 2, [visitOf(ownedBy(link, { maxTrackedVisits: 2 }))])
    expect(await usageIn(db)).toEqual({ '2026-11': 3 })
  })

  it('leaves the links counted that month as they are', async () => {
    const { db, link, owner } = await bootInMemory()
    const month = { account_id: owner.accountId, period: '2026-11', visits_tracked: 0 }
    await db
      .insertInto('usage')
      .values({ ...month, links_created: 4 })
      .execute()
    await store(db, 1, [visitOf(link)])
    expect(
      await db.selectFrom('usage').select(['links_created', 'visits_tracked']).execute(),
    ).toEqual([{ links_created: 4, visits_tracked: 1 }])
  })
})

describe('an account that was deleted before its visits are stored', () => {
  it('takes nothing of the others with it', async () => {
    const { db, link } = await bootInMemory()
    const gone = await addAccount(db)
    const itsLink = await addLink(db, gone)
    await db.deleteFrom('accounts').where('id', '=', gone.accountId).execute()
    const bot = visitOf(itsLink, { userAgent: robot })
    const { visited } = await store(db, 1, [visitOf(itsLink), visitOf(link, { at: noon }), bot])
    expect(visited).toEqual([{ linkId: link.id, accountId: link.owner.accountId, visits: 1 }])
  })
})
