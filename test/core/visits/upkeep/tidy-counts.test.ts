import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIdSet } from '../../../../core/lib/memory/id-set.ts'
import type { Database, Tx } from '../../../../core/storage/database.ts'
import { createNameIds, type NameIds } from '../../../../core/visits/tables/name-ids.ts'
import { sweepNames, tidyCounts } from '../../../../core/visits/upkeep/tidy-counts.ts'
import visitsByReferer from '../../../../plugins/analytics/visits-by-referer.ts'
import visitsOverTime from '../../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'
import { allCounts, count, shownCounts } from '../counted.ts'
import { bootInMemory, noonHour } from '../fixtures.ts'

const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  referer: 'https://news.example/',
}
const signal = new AbortController().signal

let linnet: Harness
let link: ShownLink
beforeEach(async () => {
  linnet = await boot([visitsTracking, visitsOverTime, visitsByReferer], {
    at: '2026-01-10T08:00:00Z',
  })
  link = await linnet.create()
  await visitAt('2026-01-10T08:00:00Z')
  await visitAt('2026-01-10T17:00:00Z')
})
afterEach(() => linnet.stop())

async function visitAt(time: string): Promise<void> {
  linnet.at(time)
  await linnet.visit(link, { headers })
  await linnet.app.recorder.catchUp()
}

/** The job, as with this LINNET_RETENTION_DAYS. */
const tidyAt = (time: string, retentionDays: number) =>
  tidyCounts(
    linnet.db,
    { hourly: 60, counts: retentionDays },
    { now: () => new Date(time), signal },
  )

async function sinceEver() {
  const path = `/links/${link.id}/analytics?interval=all&granularity=month`
  return (await linnet.api('GET', path)).body.data
}

it('the nightly job folds what is older than 60 days, and numbers by the day stay', async () => {
  const day = '?from=2026-01-10T00:00:00Z&to=2026-01-11T00:00:00Z&granularity=day'
  const before = (await linnet.api('GET', `/links/${link.id}/analytics${day}`)).body.data
  linnet.at('2026-03-12T01:50:00Z')
  await linnet.run('visits.tidyCounts')
  const rows = await shownCounts(linnet.db)
  expect(rows).toHaveLength(3)
  expect(rows.every(row => row.endsWith(' 12h: 2'))).toBe(true)
  expect((await linnet.api('GET', `/links/${link.id}/analytics${day}`)).body.data).toEqual(before)
})

it('where counts are removed, all of the analytics is what is left, and the total is not', async () => {
  await visitAt('2026-03-01T12:00:00Z')
  await tidyAt('2026-03-12T01:50:00Z', 30)
  linnet.at('2026-03-12T02:00:00Z')
  const { totals, visitsByReferer } = await sinceEver()
  expect(totals.visits).toBe(1)
  expect(visitsByReferer).toMatchObject([{ value: 'news.example', visits: 1, share: 1 }])
  expect((await linnet.api('GET', `/links/${link.id}`)).body.data.visits.total).toBe(3)
})

const never = new AbortController().signal

async function namesIn(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('visit_names').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** What a name is swept after: it may still be in use when the first sweep begins. */
async function sweepTwice(db: Database): Promise<void> {
  await sweepNames(db, never)
  await sweepNames(db, never)
}

const idOf = (db: Database, nameIds: NameIds, name: string) =>
  db.transaction().execute(async tx => (await nameIds.idsOf(tx, new Set([name]))).get(name))

describe('a name that no count refers to', () => {
  it('is removed by the second sweep, and the others stay', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, [
      { dimension: 'from', value: 'here', hour: noonHour },
      { dimension: 'from', value: 'gone', hour: noonHour + 1 },
    ])
    for (const table of ['link_counts', 'account_counts'] as const) {
      await db.deleteFrom(table).where('bucket', '>', noonHour).execute()
    }
    await sweepNames(db, never)
    expect(await namesIn(db)).toEqual(['from', 'gone', 'here'])
    await sweepNames(db, never)
    expect(await namesIn(db)).toEqual(['from', 'here'])
  })

  it('of a link stays as long as the account has counts of it', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, [{ dimension: 'from', value: 'account', hour: noonHour }])
    await db.deleteFrom('link_counts').execute()
    await sweepTwice(db)
    expect(await namesIn(db)).toEqual(['account', 'from'])
  })

  it('gets a new id from a recorder that remembers the one it had', async () => {
    const { db } = await bootInMemory()
    const nameIds = createNameIds()
    const before = await idOf(db, nameIds, 'news')
    await sweepTwice(db)
    expect(await namesIn(db)).toEqual([])
    const after = await idOf(db, nameIds, 'news')
    expect(after).not.toBe(before)
    expect(await idOf(db, createNameIds(), 'news')).toBe(after)
  })

  it('stays when it was used since the sweep before, and keeps its id', async () => {
    const { db } = await bootInMemory()
    const before = await idOf(db, createNameIds(), 'news')
    await sweepNames(db, never)
    expect(await idOf(db, createNameIds(), 'news')).toBe(before)
    await sweepNames(db, never)
    expect(await namesIn(db)).toEqual(['news'])
  })

  it('stays when the sweep is cut off', async () => {
    const { db } = await bootInMemory()
    await idOf(db, createNameIds(), 'news')
    await sweepNames(db, never)
    await sweepNames(db, AbortSignal.abort())
    expect(await namesIn(db)).toEqual(['news'])
  })
})

describe('sweeping while others fold', () => {
  it('never takes a name from a count', async () => {
    expect(await countsWithoutName(createNameIds)).toBe(0)
  })

  it('control: takes some from who remembers ids and looks no further', async () => {
    expect(await countsWithoutName(remembering)).toBeGreaterThan(0)
  })
})

/** Fold while many sweeps go on, each value now and then; gives how many counts had no name. */
async function countsWithoutName(recorder: () => NameIds): Promise<number> {
  const { db, link } = await bootInMemory()
  const recorders = [recorder(), recorder()]
  let isSweeping = true
  const sweeps = (async () => {
    for (let sweep = 0; sweep < 30; sweep += 1) await sweepNames(db, never)
    isSweeping = false
  })()
  let withoutName = 0
  for (let fold = 0; isSweeping; fold += 1) {
    const value = `v${fold % 10}`
    await count(db, link, [{ dimension: 'from', value, hour: noonHour }], recorders[fold % 2])
    await turn()
    withoutName += await nameless(db)
    for (const table of ['link_counts', 'account_counts'] as const) {
      await db.deleteFrom(table).execute()
    }
  }
  await sweeps
  return withoutName
}

async function nameless(db: Database): Promise<number> {
  const counts = await allCounts(db)
  return counts.filter(({ value }) => value.startsWith('name ')).length
}

/** Knows nothing of rounds. */
function remembering(): NameIds {
  const known = new Map<string, number>()
  return {
    forget: () => known.clear(),
    async idsOf(tx: Tx, names) {
      const unknown = new Set([...names].filter(name => !known.has(name)))
      for (const [name, id] of await createNameIds().idsOf(tx, unknown)) known.set(name, id)
      return known
    },
  }
}

it('a set of ids marks each in a bit, however far apart they are', () => {
  const ids = createIdSet().add(0).add(9).add(10_000_000)
  expect([0, 1, 8, 9, 9_999_999, 10_000_000, 10_000_001].map(ids.has)).toEqual([
    ...[true, false, false, true],
    ...[false, true, false],
  ])
})
