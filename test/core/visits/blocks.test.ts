import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../core/outcomes.ts'
import type { LinkRows } from '../../../core/plugin.ts'
import type { Database } from '../../../core/storage/database.ts'
import { ageCounts } from '../../../core/visits/age-counts.ts'
import { queryAnalytics } from '../../../core/visits/analytics.ts'
import { blockOf, hoursABlock, partByBlocks } from '../../../core/visits/blocks.ts'
import { type RangeQuery, readRange } from '../../../core/visits/range.ts'
import { createRecorder } from '../../../core/visits/recorder.ts'
import { removeLinkCounts } from '../../../core/visits/remove-counts.ts'
import { blocksAndSums, type Counted, count } from './counted.ts'
import {
  addLink,
  dimensions,
  type House,
  hourMs,
  houseInMemory,
  listeningLog,
  noon,
  noonHour,
  visitOf,
} from './fixtures.ts'

const today = Math.floor(noonHour / 24)

async function expectBlocksToBeSums(db: Database): Promise<number> {
  const [blocks, sums] = await blocksAndSums(db)
  expect(new Set(blocks)).toEqual(new Set(sums))
  return blocks.length
}

const age = (db: Database, counts?: number) =>
  ageCounts(
    db,
    { hourly: 60, counts },
    { now: () => new Date(noon), signal: new AbortController().signal },
  )

/** Counts of 400 days, spread as chance has it but the same in every run. */
function scattered(seed: number): readonly Counted[] {
  let state = seed
  const upTo = (end: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * end)
  }
  return Array.from({ length: 500 }, () => {
    const hour = noonHour - upTo(400 * 24)
    return upTo(2) === 0
      ? { hour, count: 1 + upTo(5) }
      : { dimension: 'from', value: `site ${upTo(8)}`, hour, count: 1 + upTo(5) }
  })
}

async function twoLinks(): Promise<House & { readonly second: House['link'] }> {
  const house = await houseInMemory()
  const second = await addLink(house.db, house.owner)
  await count(house.db, house.link, scattered(1))
  await count(house.db, second, scattered(2))
  return { ...house, second }
}

describe('a span', () => {
  it('has whole blocks, and hours before and after them', () => {
    const parts = partByBlocks({ first: 10 * hoursABlock - 5, end: 12 * hoursABlock + 7 })
    expect(parts).toEqual({
      blocks: { first: 10, end: 12 },
      before: { first: 10 * hoursABlock - 5, end: 10 * hoursABlock },
      after: { first: 12 * hoursABlock, end: 12 * hoursABlock + 7 },
    })
  })

  it('without a whole block has none', () => {
    const first = 10 * hoursABlock + 1
    expect(partByBlocks({ first, end: first + 2 * hoursABlock - 3 })).toBeUndefined()
    expect(partByBlocks({ first, end: first })).toBeUndefined()
  })
})

describe('the blocks of an account', () => {
  it('are what was counted in 16 days, when visits are folded', async () => {
    const { storage, db, link } = await houseInMemory()
    const log = listeningLog()
    const recorder = createRecorder({ storage, features: [], dimensions, log })
    for (const days of [0, 1, 40]) {
      recorder.record(visitOf(link, { at: noon - days * 24 * hourMs, query: 'from=a' }))
    }
    await recorder.settle()
    await recorder.close()
    expect(await expectBlocksToBeSums(db)).toBe(6)
    const newest = await db
      .selectFrom('account_blocks')
      .select('count')
      .where('bucket', '=', blockOf(noonHour))
      .execute()
    expect(newest).toEqual([{ count: 2 }, { count: 2 }, { count: 2 }])
  })

  it('stay the sums of its counts when hours are folded into days, and old days go', async () => {
    const { db } = await twoLinks()
    const all = await expectBlocksToBeSums(db)
    await age(db)
    expect(await expectBlocksToBeSums(db)).toBe(all)
    // Days that end in the middle of a block.
    await age(db, (today % 16) + 24)
    expect(await expectBlocksToBeSums(db)).toBeLessThan(all / 2)
  })

  it('lose what a deleted link had, and their rows with it', async () => {
    const { db, owner, link, second } = await twoLinks()
    for (const { id } of [link, second]) {
      await removeLinkCounts(db as never, { rowId: id, accountId: owner.accountId })
      await db.deleteFrom('links').where('id', '=', id).execute()
      await expectBlocksToBeSums(db)
      await age(db)
    }
    // What lay in two hours of a day cancels out once both are one row.
    await age(db)
    expect(await db.selectFrom('account_blocks').selectAll().execute()).toEqual([])
  })
})

describe('the numbers of an account', () => {
  const spans: readonly Partial<RangeQuery>[] = [
    { interval: '7d' },
    { interval: '30d' },
    { interval: '90d' },
    { interval: '12mo' },
    { from: '2025-10-01', to: '2026-11-01' },
    { from: '2026-01-13T07:00:00Z', to: '2026-10-03T19:00:00Z' },
    { from: '1900-01-01', to: '2026-11-21', granularity: 'month' },
  ]
  it.each(['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland'])(
    'are those of its links added up, whatever the span, in %s',
    async timezone => {
      const { db, owner } = await twoLinks()
      const linkRows = db.selectFrom('links').select('id as link_id') as unknown as LinkRows
      for (const span of spans) {
        const range = readRange({ timezone, ...span }, new Date(noon), new Date(noon))
        if (isRefusal(range)) throw new Error(range.detail)
        const question = { range, dimensions, limit: 20 }
        const ofAccount = await queryAnalytics(db, { accountId: owner.accountId }, question)
        expect(ofAccount).toEqual(await queryAnalytics(db, { linkRows }, question))
        expect(ofAccount.totals).not.toMatchObject({ visits: 0 })
      }
    },
  )
})
