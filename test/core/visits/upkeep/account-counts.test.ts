import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import type { LinkRows } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { type RangeQuery, readRange } from '../../../../core/visits/read/range.ts'
import { accountCounts } from '../../../../core/visits/tables/counts-table.ts'
import { ageCounts } from '../../../../core/visits/upkeep/age-counts.ts'
import { removeLinkCounts, removeSlice } from '../../../../core/visits/upkeep/remove-counts.ts'
import { type Counted, count, shownCounts, sums } from '../counted.ts'
import { addLink, bootInMemory, dimensions, type Instance, noon, noonHour } from '../fixtures.ts'
import { numbersOf } from '../numbers-of.ts'

const today = Math.floor(noonHour / 24)

/** What accounts have must be what their links have; gives how many names that are. */
async function expectSumsToAgree(db: Database): Promise<number> {
  const ofAccounts = await sums(db, accountCounts)
  expect(ofAccounts).toEqual(await sums(db))
  return ofAccounts.size
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

async function twoLinks(): Promise<Instance & { readonly second: Instance['link'] }> {
  const linnet = await bootInMemory()
  const second = await addLink(linnet.db, linnet.owner)
  await count(linnet.db, linnet.link, scattered(1))
  await count(linnet.db, second, scattered(2))
  return { ...linnet, second }
}

describe('the counts of an account', () => {
  it('stay the sums of those of its links when hours are folded into days, and old days go', async () => {
    const { db } = await twoLinks()
    const all = await expectSumsToAgree(db)
    await age(db)
    expect(await expectSumsToAgree(db)).toBe(all)
    await age(db, 30)
    expect(await expectSumsToAgree(db)).toBeLessThanOrEqual(all)
  })

  it('lose what a deleted link had, and their rows with it', async () => {
    const { db, owner, link, second } = await twoLinks()
    for (const { id } of [link, second]) {
      await removeLinkCounts(db as never, { rowId: id, accountId: owner.accountId })
      while (!(await removeSlice(db)));
      await db.deleteFrom('links').where('id', '=', id).execute()
      await expectSumsToAgree(db)
      await age(db)
    }
    expect(await db.selectFrom('account_counts').selectAll().execute()).toEqual([])
  })

  it('come to nothing also where hours of the link had become days, and those of the account not yet', async () => {
    const { db, owner, link } = await bootInMemory()
    const old = (today - 61) * 24
    await count(db, link, [{ hour: old + 3, count: 2 }, { hour: old + 4 }])
    const bothHours = await db.selectFrom('account_counts').selectAll().execute()
    await age(db)
    await db.deleteFrom('account_counts').execute()
    await db.insertInto('account_counts').values(bothHours).execute()
    expect(
      await removeLinkCounts(db as never, { rowId: link.id, accountId: owner.accountId }),
    ).toBe(true)
    expect(await shownCounts(db, accountCounts)).toEqual([
      `visits ${today - 61} 3h: 2`,
      `visits ${today - 61} 4h: 1`,
      `visits ${today - 61} 12h: -3`,
    ])
    await age(db)
    expect(await db.selectFrom('account_counts').selectAll().execute()).toEqual([])
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
        const ofAccount = await numbersOf(db, { accountId: owner.accountId }, question)
        expect(ofAccount).toEqual(await numbersOf(db, { linkRows }, question))
        expect(ofAccount.totals).not.toMatchObject({ visits: 0 })
      }
    },
  )
})
