import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../core/storage/database.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import { linkTotals } from '../../../../core/visits/read/link-totals.ts'
import { accountCounts, linkCounts } from '../../../../core/visits/tables/counts-table.ts'
import {
  ageCounts,
  type KeptDays,
  keptUnlessSaid,
} from '../../../../core/visits/upkeep/age-counts.ts'
import { removeLinkCounts } from '../../../../core/visits/upkeep/remove-counts.ts'
import { failWrites } from '../../../fail-writes.ts'
import { count, shownAccountCounts, shownCounts, sums } from '../counted.ts'
import {
  addLink,
  bootInFile,
  bootInMemory,
  dimensions,
  hourMs,
  listeningLog,
  noon,
  noonHour,
  ownedBy,
  visitOf,
} from '../fixtures.ts'

const today = Math.floor(noonHour / 24)
/** Just past the days whose hours are kept, and the last of them. */
const old = today - 61
const young = today - 60
const never = new AbortController().signal

const age = (db: Database, kept: Partial<KeptDays> = {}, signal = never) =>
  ageCounts(db, { ...keptUnlessSaid, ...kept }, { now: () => new Date(noon), signal })

/** More than fit one window, on old days. */
const many = Array.from({ length: 6_000 }, (_, hour) => ({ hour: old * 24 - hour }))

describe('old hours', () => {
  it('become one row a day in its noon hour, and younger ones stay', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, [
      { hour: old * 24, count: 2 },
      { hour: old * 24 + 12, count: 3 },
      { hour: old * 24 + 23, count: 4 },
      { hour: (old - 1) * 24 + 23, count: 5 },
      { hour: young * 24, count: 6 },
      { hour: young * 24 + 1, count: 7 },
      { dimension: 'from', value: 'news', hour: old * 24 + 1 },
      { dimension: 'from', value: 'mail', hour: old * 24 + 1 },
    ])
    await age(db)
    const aged = [
      `from=mail ${old} 12h: 1`,
      `from=news ${old} 12h: 1`,
      `visits ${old - 1} 12h: 5`,
      `visits ${old} 12h: 9`,
      `visits ${young} 0h: 6`,
      `visits ${young} 1h: 7`,
    ]
    expect(await shownCounts(db)).toEqual(aged)
    expect(await shownAccountCounts(db)).toEqual(aged)
  })

  it('are folded once, and what is folded late into such a day is added to it', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, [{ hour: old * 24 + 1 }, { hour: old * 24 + 2 }])
    await age(db)
    await age(db)
    expect(await shownCounts(db)).toEqual([`visits ${old} 12h: 2`])
    await count(db, link, [{ hour: old * 24 + 1 }, { hour: old * 24 + 12 }])
    await age(db)
    expect(await shownCounts(db)).toEqual([`visits ${old} 12h: 4`])
    expect(await shownAccountCounts(db)).toEqual([`visits ${old} 12h: 4`])
  })

  it('of one link are not those of another', async () => {
    const { db, link, owner } = await bootInMemory()
    const other = await addLink(db, owner)
    await count(db, link, [{ hour: old * 24 + 1, count: 2 }])
    await count(db, other, [{ hour: old * 24 + 2, count: 3 }])
    await age(db)
    expect(await shownCounts(db)).toEqual([`visits ${old} 12h: 2`, `visits ${old} 12h: 3`])
    expect(await shownAccountCounts(db)).toEqual([`visits ${old} 12h: 5`])
  })

  it('are folded after as many days as the operator says', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, [{ hour: (today - 8) * 24 }, { hour: (today - 7) * 24 }])
    await age(db, { hourly: 7 })
    expect(await shownCounts(db)).toEqual([
      `visits ${today - 8} 12h: 1`,
      `visits ${today - 7} 0h: 1`,
    ])
  })

  it('leave no row for what was counted and taken back', async () => {
    const { db, link, owner } = await bootInMemory()
    const gone = await addLink(db, owner)
    await count(db, gone, [{ hour: noonHour }, { hour: old * 24 }])
    await count(db, link, [{ hour: noonHour }])
    await removeLinkCounts(db as never, { rowId: gone.id, accountId: owner.accountId })
    await db.deleteFrom('links').where('id', '=', gone.id).execute()
    await age(db)
    expect(await shownAccountCounts(db)).toEqual([`visits ${today} 12h: 1`])
  })
})

describe('ageing that is cut off', () => {
  it('has lost and doubled nothing, and the next run goes on', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, many)
    const before = await sums(db)
    await age(db, {}, afterOneWindow())
    const hours = await hoursApart(db)
    expect(hours).toBeGreaterThan(0)
    expect(hours).toBeLessThan(many.length)
    expect(await sums(db)).toEqual(before)
    await age(db)
    expect(await hoursApart(db)).toBe(0)
    expect(await sums(db)).toEqual(before)
    expect(await sums(db, accountCounts)).toEqual(before)
  })

  it.each(['link_counts', 'account_counts'])(
    'by a failure at %s has changed nothing of that window',
    async table => {
      const { db, link } = await bootInMemory()
      await count(db, link, [{ hour: old * 24 + 1 }, { hour: old * 24 + 2 }])
      const before = await sums(db)
      const mend = await failWrites(db, 'insert', table, 'died')
      await expect(age(db)).rejects.toThrow('died')
      expect(await sums(db)).toEqual(before)
      expect(await sums(db, accountCounts)).toEqual(before)
      await mend()
      await age(db)
      expect(await shownCounts(db)).toEqual([`visits ${old} 12h: 2`])
      expect(await shownAccountCounts(db)).toEqual([`visits ${old} 12h: 2`])
    },
  )
})

it('folding old hours lets other writers have their turn between two windows', async () => {
  const { db, link, file } = await bootInFile()
  for (let batch = 0; batch < 5; batch += 1) {
    await count(
      db,
      link,
      many.map(({ hour }) => ({ hour: hour - batch * many.length })),
    )
  }
  const other = await openSqlite(file)
  let isAgeing = true
  const ageing = age(db).finally(() => {
    isAgeing = false
  })
  await other.db.insertInto('meta').values({ key: 'a', value: 'turn' }).execute()
  expect(isAgeing).toBe(true)
  await ageing
  await other.close()
})

describe('counts that are kept for some days only', () => {
  it('are removed, and what a link had in all is still known', async () => {
    const { storage, db, link } = await bootInMemory()
    const fromQrCodes = { label: 'QR', chart: 'number', total: true, of: () => '' } as const
    const recorder = createRecorder({
      storage,
      features: [],
      dimensions: [...dimensions, { name: 'visitsFromQrCodes', ...fromQrCodes }],
      log: listeningLog(),
    })
    const collecting = ownedBy(link, {
      collect: ['visits', 'visitsFromQrCodes', 'from'],
    })
    for (const days of [11, 11, 10]) {
      const at = noon - days * 24 * hourMs + 3 * hourMs
      recorder.record(visitOf(collecting, { at, query: 'from=news' }))
    }
    await recorder.catchUp()
    await recorder.close()
    for (let night = 0; night < 2; night += 1) await age(db, { counts: 10 })
    const left = ['from=news', 'visits', 'visitsFromQrCodes'].map(
      name => `${name} ${today - 10} 15h: 1`,
    )
    expect(await shownCounts(db)).toEqual(left)
    expect(await shownAccountCounts(db)).toEqual(left)
    const totals = await linkTotals(db, [link.id], { fromQrCodes: 'visitsFromQrCodes' })
    expect(totals.get(link.id)).toMatchObject({ visits: 3, others: { fromQrCodes: 3 } })
  })

  it('stay for ever unless the operator says otherwise', async () => {
    const { db, link } = await bootInMemory()
    await count(db, link, [{ dimension: 'from', value: 'news', hour: 24 * 365 }])
    await age(db)
    expect(await shownCounts(db)).toEqual(['from=news 365 12h: 1'])
  })
})

/** Hours of old days that are not folded. */
async function hoursApart(db: Database): Promise<number> {
  const rows = await db
    .selectFrom(linkCounts)
    .select('bucket')
    .where('bucket', '<', young * 24)
    .where(eb => eb(eb('bucket', '%', 24), '!=', 12))
    .execute()
  return rows.length
}

/** A signal that lets one window be folded, and is aborted when it is looked at before the next. */
function afterOneWindow(): AbortSignal {
  let looks = 0
  const isAborted = () => {
    looks += 1
    return looks > 1
  }
  return Object.defineProperty(new AbortController().signal, 'aborted', { get: isAborted })
}
