import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import type { LinkRows } from '../../../../core/plugin.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import type { RawVisit } from '../../../../core/visits/facts/open-visit.ts'
import type { Question } from '../../../../core/visits/read/analytics.ts'
import { linkTotals } from '../../../../core/visits/read/link-totals.ts'
import { type RangeQuery, readRange } from '../../../../core/visits/read/range.ts'
import { removeLinkCounts } from '../../../../core/visits/upkeep/remove-counts.ts'
import {
  addAccount,
  addLink,
  bootInMemory,
  dimensions,
  hourMs,
  type Instance,
  listeningLog,
  noon,
  robot,
  visitOf,
} from '../fixtures.ts'
import { numbersOf } from '../numbers-of.ts'

const dayMs = 24 * hourMs

async function record(
  { storage }: Instance,
  visits: readonly RawVisit[],
  counting = dimensions,
): Promise<void> {
  const log = listeningLog()
  const recorder = createRecorder({ storage, features: [], dimensions: counting, log })
  for (const visit of visits) recorder.record(visit)
  await recorder.catchUp()
  await recorder.close()
}

/** The whole of that Friday, by the hour, unless said otherwise. */
function question({
  dimensions: asked = dimensions,
  limit = 10,
  ...time
}: Partial<RangeQuery & Pick<Question, 'dimensions' | 'limit'>> = {}): Question {
  const friday = {
    from: '2026-11-20',
    to: '2026-11-21',
    granularity: 'hour',
    timezone: 'UTC',
  } as const
  const range = readRange({ ...friday, ...time }, new Date(noon), new Date(noon))
  if (isRefusal(range)) throw new Error(range.detail)
  return { range, dimensions: asked, limit }
}

describe('the analytics of a link', () => {
  it('show numbers in the totals, lines over time, and values with their share', async () => {
    const linnet = await bootInMemory()
    const { link, db } = linnet
    await record(linnet, [
      ...['a', 'b', 'a', 'a'].map(from => visitOf(link, { query: `from=${from}` })),
      visitOf(link, { totalsOnly: true, at: noon + hourMs }),
      visitOf(link, { userAgent: robot }),
    ])
    const { totals, overTime, from, ...rest } = await numbersOf(db, { linkId: link.id }, question())
    expect(totals).toEqual({ visits: 5, bots: 1 })
    expect(from).toEqual([
      { value: 'a', label: 'a', visits: 3, share: 0.6 },
      { value: '(none)', label: 'Unknown', visits: 1, share: 0.2 },
      { value: 'b', label: 'b', visits: 1, share: 0.2 },
    ])
    expect(overTime).toHaveLength(24)
    expect(overTime).toEqual(
      Array.from({ length: 24 }, (_, hour) => ({
        start: `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`,
        visits: { 12: 4, 13: 1 }[hour] ?? 0,
      })),
    )
    expect(rest).toEqual({})
  })

  it('are all there when there was no visit', async () => {
    const { link, db } = await bootInMemory()
    const days = question({ granularity: 'day' })
    expect(await numbersOf(db, { linkId: link.id }, days)).toEqual({
      totals: { visits: 0, bots: 0 },
      overTime: [{ start: '2026-11-20T00:00:00.000Z', visits: 0 }],
      from: [],
    })
  })

  it.each([
    ['day', ['2026-11-29', 0], ['2026-11-30', 1], ['2026-12-01', 1]],
    ['week', ['2026-11-23', 0], ['2026-11-30', 2]],
    ['month', ['2026-11-01', 1], ['2026-12-01', 1]],
  ] as const)(
    'by the %s start where it starts, also when it began before',
    async (granularity, ...expected) => {
      const linnet = await bootInMemory()
      const { link, db } = linnet
      const lastOfMonth = Date.UTC(2026, 10, 30, 23, 59)
      await record(linnet, [
        visitOf(link, { at: lastOfMonth }),
        visitOf(link, { at: lastOfMonth + 60_000 }),
        visitOf(link, { at: lastOfMonth - 7 * dayMs }),
      ])
      const [from, to] = ['2026-11-29', '2026-12-02']
      const { overTime } = await numbersOf(
        db,
        { linkId: link.id },
        question({ from, to, granularity, dimensions: dimensions.slice(2, 3) }),
      )
      const days = expected.map(([day, visits]) => ({ start: `${day}T00:00:00.000Z`, visits }))
      expect((overTime as readonly unknown[]).slice(0, days.length)).toEqual(days)
    },
  )

  it('have the hours whose middle lies between `from` and `to`', async () => {
    const linnet = await bootInMemory()
    const { link, db } = linnet
    await record(
      linnet,
      [-1, 0, 59 * 60_000, hourMs].map(later => visitOf(link, { at: noon + later })),
    )
    const hour = question({ from: '2026-11-20T12:01:00Z', to: '2026-11-20T13:00:00Z' })
    const { totals, overTime } = await numbersOf(db, { linkId: link.id }, hour)
    expect(totals).toMatchObject({ visits: 2 })
    expect(overTime).toEqual([{ start: '2026-11-20T12:00:00.000Z', visits: 2 }])
  })

  it('show the most frequent values, with the share of all and not of those shown', async () => {
    const linnet = await bootInMemory()
    const { link, db } = linnet
    await record(
      linnet,
      ['c', 'b', 'b', 'a', 'd', 'd', 'd', 'a'].map(from =>
        visitOf(link, { query: `from=${from}` }),
      ),
    )
    const { from } = await numbersOf(db, { linkId: link.id }, question({ limit: 3 }))
    expect(from).toEqual([
      { value: 'd', label: 'd', visits: 3, share: 0.375 },
      { value: 'a', label: 'a', visits: 2, share: 0.25 },
      { value: 'b', label: 'b', visits: 2, share: 0.25 },
    ])
  })

  it('name the rest and what has no value', async () => {
    const linnet = await bootInMemory()
    const { link, db } = linnet
    const here = { name: 'from', label: 'From', of: () => '' }
    await record(linnet, [visitOf(link)], [here])
    await record(linnet, [visitOf(link)], [{ ...here, of: () => '(other)' }])
    const { from } = await numbersOf(db, { linkId: link.id }, question({ dimensions: [here] }))
    expect(from).toMatchObject([
      { value: '', label: 'From' },
      { value: '(other)', label: 'Other' },
    ])
  })

  it('give only what is asked for, and always the visits', async () => {
    const linnet = await bootInMemory()
    await record(linnet, [visitOf(linnet.link, { query: 'from=a' })])
    expect(
      await numbersOf(linnet.db, { linkId: linnet.link.id }, question({ dimensions: [] })),
    ).toEqual({ totals: { visits: 1 } })
  })
})

describe('in another time zone', () => {
  it.each([
    // Midnight of Friday is at 18:15 on Thursday in UTC: the hour from 18:00 is mostly Friday's.
    ['Asia/Kathmandu', '2026-11-19T18:15:00.000Z', 2],
    ['Europe/Berlin', '2026-11-19T23:00:00.000Z', 1],
    ['America/New_York', '2026-11-20T05:00:00.000Z', 0],
  ])('days are those of %s', async (timezone, start, visits) => {
    const linnet = await bootInMemory()
    const { link, db } = linnet
    const moments = ['2026-11-19T17:59:00Z', '2026-11-19T18:01:00Z', '2026-11-19T23:30:00Z']
    await record(
      linnet,
      moments.map(at => visitOf(link, { at: Date.parse(at) })),
    )
    const { totals, overTime } = await numbersOf(
      db,
      { linkId: link.id },
      question({ timezone, granularity: 'day' }),
    )
    expect(totals).toMatchObject({ visits })
    expect(overTime).toEqual([{ start, visits }])
  })

  it('a day that was folded into its noon is that day', async () => {
    const linnet = await bootInMemory()
    const { link, db } = linnet
    await record(linnet, [visitOf(link, { at: Date.UTC(2026, 2, 29, 12) })])
    const march = question({
      ...{ from: '2026-03-28', to: '2026-03-31', granularity: 'day' },
      timezone: 'America/New_York',
    })
    const { overTime } = await numbersOf(db, { linkId: link.id }, march)
    expect(overTime).toEqual([
      { start: '2026-03-28T04:00:00.000Z', visits: 0 },
      { start: '2026-03-29T04:00:00.000Z', visits: 1 },
      { start: '2026-03-30T04:00:00.000Z', visits: 0 },
    ])
  })
})

describe('the analytics of an account', () => {
  it('add up all of its links, and no others', async () => {
    const linnet = await bootInMemory()
    const { db, owner, link } = linnet
    const second = await addLink(db, owner)
    const foreign = await addLink(db, await addAccount(db))
    const query = 'from=a'
    await record(linnet, [
      visitOf(link, { query }),
      visitOf(second, { query }),
      visitOf(foreign, { query }),
    ])
    const { totals, from } = await numbersOf(db, { accountId: owner.accountId }, question())
    expect(totals).toMatchObject({ visits: 2 })
    expect(from).toEqual([{ value: 'a', label: 'a', visits: 2, share: 1 }])
  })

  it('are those of its links together, also after some of them were deleted', async () => {
    const linnet = await bootInMemory()
    const { db, owner, link } = linnet
    const second = await addLink(db, owner)
    const values = ['a', 'b', 'b', 'c']
    for (const [index, value] of values.entries()) {
      const at = noon + index * hourMs
      await record(linnet, [
        visitOf(link, { query: `from=${value}`, at }),
        visitOf(second, { query: `from=${value}${index}`, at }),
      ])
    }
    const linkRows = db.selectFrom('links').select('id as link_id') as unknown as LinkRows
    const ofAccount = () => numbersOf(db, { accountId: owner.accountId }, question())
    const together = await numbersOf(db, { linkRows }, question())
    expect(await ofAccount()).toEqual(together)
    expect(together.totals).toMatchObject({ visits: 8 })

    await db.transaction().execute(async tx => {
      await removeLinkCounts(tx, { rowId: second.id, accountId: owner.accountId })
      await tx.deleteFrom('links').where('id', '=', second.id).execute()
    })
    const left = await numbersOf(db, { linkId: link.id }, question())
    expect(await ofAccount()).toEqual(left)
    expect(left.from).toHaveLength(3)
  })
})

describe('the totals of links', () => {
  it('are there for every link that was asked for', async () => {
    const linnet = await bootInMemory()
    const { db, owner, link } = linnet
    const quiet = await addLink(db, owner)
    const qr = {
      name: 'visitsFromQrCodes',
      label: 'QR codes',
      chart: 'number' as const,
      of: ({ query }: { query: URLSearchParams }) => (query.has('qr') ? '' : undefined),
    }
    const collecting = {
      ...link,
      owner: { ...owner, collect: [...owner.collect, 'visitsFromQrCodes'] },
    }
    await record(
      linnet,
      [visitOf(collecting), visitOf(collecting, { query: 'qr', at: noon + 7 })],
      [...dimensions, qr],
    )
    const shown = { fromQrCodes: 'visitsFromQrCodes', fromSpace: 'visitsFromSpace' }
    expect(await linkTotals(db, [quiet.id, link.id], shown)).toEqual(
      new Map([
        [
          quiet.id,
          { visits: 0, undated: 0, others: { fromQrCodes: 0, fromSpace: 0 }, lastVisitAt: null },
        ],
        [
          link.id,
          {
            visits: 2,
            undated: 0,
            others: { fromQrCodes: 1, fromSpace: 0 },
            lastVisitAt: new Date(noon + 7),
          },
        ],
      ]),
    )
  })

  it('of no links are none', async () => {
    const { db } = await bootInMemory()
    expect(await linkTotals(db, [])).toEqual(new Map())
  })
})
