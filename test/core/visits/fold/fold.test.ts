import { describe, expect, it } from 'vitest'
import { type Database, inTransaction } from '../../../../core/storage/database.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { rememberMinutes } from '../../../../core/visits/collect/recent-visits.ts'
import { writeHere, writersInTurn } from '../../../../core/visits/collect/visit-writer.ts'
import { createVisitCounter } from '../../../../core/visits/count/count-visits.ts'
import { createMarker } from '../../../../core/visits/count/marker.ts'
import type { NamedDimension } from '../../../../core/visits/facts/dimensions.ts'
import type { RawVisit } from '../../../../core/visits/facts/open-visit.ts'
import { placeUnknown } from '../../../../core/visits/facts/place.ts'
import { createFold } from '../../../../core/visits/fold/fold.ts'
import { FoldedElsewhere, FoldRound } from '../../../../core/visits/fold/fold-round.ts'
import { linkTotals } from '../../../../core/visits/read/link-totals.ts'
import { storeBatch } from '../../../../core/visits/store/store-batch.ts'
import { accountCounts } from '../../../../core/visits/tables/counts-table.ts'
import { failWrites } from '../../../fail-writes.ts'
import { sums } from '../counted.ts'
import {
  addLink,
  batchOf,
  bootInFile,
  bootInMemory,
  countsIn,
  dimensions,
  hourMs,
  noon,
  noonHour,
  ownedBy,
  robot,
  totalsIn,
  visitOf,
} from '../fixtures.ts'

const markOf = createMarker()

let sequence = 0

async function store(db: Database, visits: readonly RawVisit[]): Promise<void> {
  sequence += 1
  const { counted } = createVisitCounter(dimensions, placeUnknown, markOf)(batchOf(visits))
  await storeBatch(db, counted, { run: 'test', sequence })
}

async function foldAll(db: Database, fold = createFold(db)): Promise<void> {
  while (!(await fold()).done);
}

async function batchesIn(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('visit_batches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** What is noted of rounds that are not over. */
const notesIn = (db: Database) =>
  db.selectFrom('meta').selectAll().where('key', '=', 'fold.round').execute()

describe('folding', () => {
  it('turns batches into counts by the hour and totals, and leaves no batch', async () => {
    const { db, link } = await bootInMemory()
    const late = noon + 2 * hourMs
    await store(db, [visitOf(link, { query: 'from=a' }), visitOf(link, { at: late })])
    await store(db, [visitOf(link, { query: 'from=a' }), visitOf(link, { userAgent: robot })])
    await foldAll(db)

    const hours = await db.selectFrom('link_counts').select('bucket').execute()
    expect(hours.map(({ bucket }) => bucket)).toEqual([noonHour, noonHour + 2])
    expect(await countsIn(db)).toEqual(['bots 1', 'from=a 2', 'overTime 3', 'visits 3'])
    expect(await db.selectFrom('link_totals').selectAll().execute()).toEqual([
      { link_id: link.id, visits: 3, last_visit_at: late },
    ])
    expect(await batchesIn(db)).toBe(0)
  })

  it('sums up for all time what was on when a visit came, whatever is on by now', async () => {
    const { db, owner, link } = await bootInMemory()
    const number = (name: string): NamedDimension => ({
      name,
      label: name,
      chart: 'number',
      of: () => '',
    })
    const collecting = ownedBy(link, { collect: [...owner.collect, 'fromQrCodes', 'glad'] })
    const writerOf = (more: readonly NamedDimension[]) =>
      writeHere(db, {
        dimensions: [...dimensions, ...more],
        placeOf: placeUnknown,
        run: 'test',
        namesVisited: false,
        markOf,
        minutes: rememberMinutes(),
      })
    const before = [number('fromQrCodes'), number('glad')]
    const writer = writersInTurn(writerOf(before), writerOf)
    await writer.store(1, batchOf([visitOf(collecting)]))
    const switchTo = await writer.prepare([number('glad')])
    switchTo()
    await writer.store(2, batchOf([visitOf(collecting)]))
    while (!(await writer.fold()).done);

    const shown = { fromQrCodes: 'fromQrCodes', glad: 'glad', overTime: 'overTime' }
    const totals = await linkTotals(db, [link.id], shown)
    expect(totals.get(link.id)?.others).toEqual({ fromQrCodes: 1, glad: 2, overTime: 0 })
  })

  it('adds to what was folded before, and keeps the last visit though batches come late', async () => {
    const { db, link } = await bootInMemory()
    const fold = createFold(db)
    for (const at of [noon, noon + 5, noon - hourMs]) {
      await store(db, [visitOf(link, { at })])
      await foldAll(db, fold)
    }
    expect(await countsIn(db)).toEqual(['overTime 3', 'visits 3'])
    expect(await db.selectFrom('link_totals').select('last_visit_at').execute()).toEqual([
      { last_visit_at: noon + 5 },
    ])
  })

  it('goes in rounds of many batches, and each tells how far it came', async () => {
    const { db, link } = await bootInMemory()
    for (let batch = 0; batch < 100; batch += 1) await store(db, [visitOf(link)])
    const { packed } = await db
      .selectFrom('visit_batches')
      .select('packed')
      .limit(1)
      .executeTakeFirstOrThrow()
    const fold = createFold(db, { roundBytes: packed.length * 96 })
    expect([await fold(), await fold(), await fold()]).toEqual([
      { done: false, upTo: 96 },
      { done: true, upTo: 100 },
      { done: true, upTo: 0 },
    ])
    expect(await totalsIn(db)).toEqual({ [link.id]: 100 })
  })

  it('writes a round of many links in slices, whose sums agree', async () => {
    const { db, link, owner } = await bootInMemory()
    const links = [link]
    for (let more = 0; more < 6; more += 1) links.push(await addLink(db, owner))
    for (let batch = 0; batch < 3; batch += 1) {
      await store(
        db,
        links.map(it => visitOf(it, { query: `from=${batch}` })),
      )
    }
    const fold = createFold(db, { workASlice: 8 })
    const done: boolean[] = []
    do {
      done.push((await fold()).done)
      expect(await sums(db, accountCounts)).toEqual(await sums(db))
    } while (done.at(-1) === false)
    expect(done).toHaveLength(7)
    expect(await countsIn(db)).toEqual([
      'from=0 7',
      'from=1 7',
      'from=2 7',
      'overTime 21',
      'visits 21',
    ])
    expect([await batchesIn(db), await notesIn(db)]).toEqual([0, []])
  })

  it('leaves batches that come meanwhile to the next round', async () => {
    const { db, link, owner } = await bootInMemory()
    const other = await addLink(db, owner)
    await store(db, [visitOf(link), visitOf(other)])
    const fold = createFold(db, { workASlice: 1 })
    expect(await fold()).toEqual({ done: false, upTo: 0 })
    await store(db, [visitOf(link)])
    expect(await fold()).toEqual({ done: false, upTo: 1 })
    expect(await batchesIn(db)).toBe(1)
    await foldAll(db, fold)
    expect(await totalsIn(db)).toEqual({ [link.id]: 2, [other.id]: 1 })
  })

  it('skips links that were deleted meanwhile and keeps the others', async () => {
    const { db, link, owner } = await bootInMemory()
    const gone = await addLink(db, owner)
    await store(db, [visitOf(gone), visitOf(link), visitOf(gone, { userAgent: robot })])
    await db.deleteFrom('links').where('id', '=', gone.id).execute()
    await foldAll(db)
    expect([await totalsIn(db), await batchesIn(db)]).toEqual([{ [link.id]: 1 }, 0])
    expect(await countsIn(db)).toEqual(['overTime 1', 'visits 1'])
  })

  it('stops at a batch that cannot be read, says which, and goes on when it is gone', async () => {
    const { db, link } = await bootInMemory()
    await db
      .insertInto('visit_batches')
      .values({ packed: Buffer.from('what?') })
      .execute()
    await store(db, [visitOf(link)])
    const fold = createFold(db)
    await expect(fold()).rejects.toThrow(/row 1 of visit_batches cannot be read: .*delete the row/)
    await db.deleteFrom('visit_batches').where('id', '=', 1).execute()
    await foldAll(db, fold)
    expect(await totalsIn(db)).toEqual({ [link.id]: 1 })
  })
})

describe('a fold that is cut off', () => {
  const steps = ['visit_batches', 'link_totals', 'visit_names', 'link_counts', 'account_counts']

  it.each(steps)(
    'at %s has changed nothing, and the next one counts everything once',
    async table => {
      const { db, link } = await bootInMemory()
      const fold = createFold(db)
      await store(db, [visitOf(link, { query: 'from=before' })])
      await foldAll(db, fold)
      await store(db, [visitOf(link, { query: 'from=now' }), visitOf(link)])

      const action = table === 'visit_batches' ? 'delete' : 'insert'
      const mend = await failWrites(db, action, table, 'died')
      await expect(fold()).rejects.toThrow('died')
      expect(await countsIn(db)).toEqual(['from=before 1', 'overTime 1', 'visits 1'])
      expect(await totalsIn(db)).toEqual({ [link.id]: 1 })
      await mend()

      await foldAll(db, fold)
      expect(await countsIn(db)).toEqual(['from=before 1', 'from=now 1', 'overTime 3', 'visits 3'])
      expect(await totalsIn(db)).toEqual({ [link.id]: 3 })
    },
  )

  it('by the death of its process is made up for by the next process', async () => {
    const { db, link, owner, file, storage } = await bootInFile()
    const other = await addLink(db, owner)
    for (let batch = 0; batch < 3; batch += 1) await store(db, [visitOf(link), visitOf(other)])
    const fold = createFold(db, { workASlice: 2 })
    await fold()
    await fold()
    await store(db, [visitOf(link)])
    await storage.close()

    const reopened = await openSqlite(file)
    await foldAll(reopened.db, createFold(reopened.db, { workASlice: 2 }))
    expect([await totalsIn(reopened.db), await countsIn(reopened.db)]).toEqual([
      { [link.id]: 4, [other.id]: 3 },
      ['overTime 7', 'visits 7'],
    ])
    await reopened.close()
  })

  it('by a start with less memory goes on in pieces that fit, and with more in larger ones', async () => {
    const { db, link, owner } = await bootInMemory()
    const links = [link, await addLink(db, owner), await addLink(db, owner)]
    for (let batch = 0; batch < 12; batch += 1) {
      await store(
        db,
        links.map(it => visitOf(it, { query: `from=${batch}` })),
      )
    }
    const { packed } = await db
      .selectFrom('visit_batches')
      .select('packed')
      .limit(1)
      .executeTakeFirstOrThrow()
    const fitting = (batches: number) => ({ workASlice: 1, roundBytes: packed.length * batches })
    const open = async (batches: number) =>
      (await FoldRound.open(db, fitting(batches).roundBytes)).upTo
    const once = (batches: number) => createFold(db, fitting(batches))()

    for (let slices = 0; slices < 3; slices += 1) await once(12)
    expect([await open(12), await open(4), await open(1)]).toEqual([12, 4, 1])
    for (let slices = 0; slices < 2; slices += 1) await once(4)
    // A piece of that piece; who has more memory ends it first.
    await once(2)
    expect(await open(12)).toBe(2)
    while ((await open(12)) === 2) await once(12)
    expect(await open(12)).toBe(4)
    await store(db, [visitOf(link)])
    for (let times = 0; times < 200; times += 1) await once((times % 5) + 1)
    await foldAll(db)

    const [first, second, third] = links
    expect(await totalsIn(db)).toEqual({
      [first?.id ?? 0]: 13,
      [second?.id ?? 0]: 12,
      [third?.id ?? 0]: 12,
    })
    expect(await countsIn(db)).toEqual([
      ...Array.from({ length: 12 }, (_, batch) => `from=${batch} 3`).sort(),
      'overTime 37',
      'visits 37',
    ])
    expect(await sums(db, accountCounts)).toEqual(await sums(db))
    expect([await batchesIn(db), await notesIn(db)]).toEqual([0, []])
  })

  it('by another process that folds the same starts over, and nothing counts twice', async () => {
    const { db, link, owner } = await bootInMemory()
    const other = await addLink(db, owner)
    for (let batch = 0; batch < 3; batch += 1) await store(db, [visitOf(link), visitOf(other)])
    const folds = [1, 2].map(() => createFold(db, { workASlice: 2 }))
    for (let left = 20; left > 0; left -= 1) for (const fold of folds) await fold()
    expect(await totalsIn(db)).toEqual({ [link.id]: 3, [other.id]: 3 })
    expect([await batchesIn(db), await notesIn(db)]).toEqual([0, []])
  })
})

describe('two processes that fold the same round at once', () => {
  it('write it once, and the other is told', async () => {
    const { db, link } = await bootInMemory()
    await store(db, [visitOf(link), visitOf(link)])
    const rounds = [await FoldRound.open(db, 1e6), await FoldRound.open(db, 1e6)]
    const writing = rounds.map(round =>
      inTransaction(db, async tx => {
        await round.note(tx, round.next(1e6).end)
      }),
    )
    expect(await Promise.allSettled(writing)).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: expect.any(FoldedElsewhere) },
    ])
    expect(await batchesIn(db)).toBe(0)
  })
})

describe('the cap on values', () => {
  const valuesOn = (count: number, first = 0) =>
    Array.from({ length: count }, (_, index) => `from=v${first + index}`)

  async function distinctValues(db: Database): Promise<number> {
    const counts = await countsIn(db)
    return counts.filter(it => it.startsWith('from=') && !it.startsWith('from=(other)')).length
  }

  it('counts what is past 1,000 values of a day as (other), within one batch', async () => {
    const { db, link } = await bootInMemory()
    await store(
      db,
      valuesOn(1_200).map(query => visitOf(link, { query })),
    )
    await foldAll(db)
    expect(await distinctValues(db)).toBe(1_000)
    expect(await countsIn(db)).toContain('from=(other) 200')
    expect(await totalsIn(db)).toEqual({ [link.id]: 1_200 })
  })

  it('goes by what is in the database, so that neither batches nor a restart stretch it', async () => {
    const { db, link } = await bootInMemory()
    for (const first of [0, 400, 800, 1_200]) {
      await store(
        db,
        valuesOn(400, first).map(query => visitOf(link, { query })),
      )
      await foldAll(db, createFold(db))
    }
    await store(
      db,
      ['from=v3', 'from=v1500'].map(query => visitOf(link, { query })),
    )
    await foldAll(db, createFold(db))
    expect(await distinctValues(db)).toBe(1_000)
    expect(await countsIn(db)).toEqual(
      expect.arrayContaining(['from=v3 2', 'from=(other) 601', 'visits 1602']),
    )
  })

  it('holds for two processes that fold in turn, though each remembers values', async () => {
    const { db, link } = await bootInMemory()
    const folds = [createFold(db), createFold(db)]
    // A link with fewer visits than the cap cannot have more values.
    await store(
      db,
      Array.from({ length: 1_001 }, () => visitOf(link, { query: 'from=v0' })),
    )
    await foldAll(db, folds[0])
    for (const [turn, first] of [0, 400, 800, 1_200].entries()) {
      await store(
        db,
        valuesOn(400, first).map(query => visitOf(link, { query })),
      )
      await foldAll(db, folds[turn % 2])
    }
    expect(await distinctValues(db)).toBe(1_000)
    expect(await countsIn(db)).toContain('from=(other) 600')
  })

  it('begins again with each UTC day, and for each link', async () => {
    const { db, link, owner } = await bootInMemory()
    const other = await addLink(db, owner)
    const midnight = noon + 12 * hourMs
    await store(
      db,
      valuesOn(1_001).flatMap((query, index) => [
        visitOf(link, { query, at: midnight - 1 }),
        visitOf(link, { query: `from=w${index}`, at: midnight }),
        visitOf(other, { query }),
      ]),
    )
    await foldAll(db)
    expect(await countsIn(db)).toContain('from=(other) 3')
  })

  it('keeps names that are not counted apart out of the dictionary', async () => {
    const { db, link } = await bootInMemory()
    await store(
      db,
      valuesOn(1_100).map(query => visitOf(link, { query })),
    )
    await foldAll(db)
    const names = await db.selectFrom('visit_names').select('name').execute()
    expect(names.filter(({ name }) => name.startsWith('v') && name !== 'visits')).toHaveLength(
      1_000,
    )
  })

  it('holds for values of robots too', async () => {
    const { db, link } = await bootInMemory()
    const byRobot = { name: 'from', label: 'From', bots: true, of: dimensions[3]?.of } as never
    const visits = valuesOn(1_010).map(query => visitOf(link, { query, userAgent: robot }))
    await storeBatch(
      db,
      createVisitCounter([byRobot], placeUnknown, markOf)(batchOf(visits)).counted,
      {
        run: 'robots',
        sequence: 1,
      },
    )
    await foldAll(db)
    expect(await countsIn(db)).toContain('from=(other) 10')
  })

  it('is forgotten with a fold that failed', async () => {
    const { db, link } = await bootInMemory()
    const fold = createFold(db)
    await store(
      db,
      valuesOn(1_001).map(query => visitOf(link, { query })),
    )
    const mend = await failWrites(db, 'insert', 'link_counts', 'died')
    await expect(fold()).rejects.toThrow('died')
    await mend()
    await db.deleteFrom('visit_batches').execute()
    await store(
      db,
      valuesOn(1_001, 5_000).map(query => visitOf(link, { query })),
    )
    await foldAll(db, fold)
    expect(await distinctValues(db)).toBe(1_000)
    expect(await countsIn(db)).toContain('from=(other) 1')
  })
})
