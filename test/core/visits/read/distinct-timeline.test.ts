import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import type { NamedDimension } from '../../../../core/visits/facts/dimensions.ts'
import { distinctTimeline } from '../../../../core/visits/read/distinct-timeline.ts'
import { type RangeQuery, readRange } from '../../../../core/visits/read/range.ts'
import { hourMs, houseInMemory, listeningLog, noon, ownedBy, visitOf } from '../fixtures.ts'
import { numbersOf } from '../numbers-of.ts'

const dayMs = 24 * hourMs

const visitors: NamedDimension = {
  name: 'visitors',
  label: 'Visitors',
  chart: 'number',
  distinct: true,
  of: ({ visitor }) => visitor,
}

function rangeOf(query: Partial<RangeQuery>, now = noon) {
  const range = readRange(
    { timezone: 'UTC', ...query },
    new Date(now),
    new Date(noon - 900 * dayMs),
  )
  if (isRefusal(range)) throw new Error(range.detail)
  return range
}

/** Of the days of a range, one after the other: 1, 2, 4, … so that a sum tells which are in it. */
function powersOf({ first, end }: { readonly first: number; readonly end: number }) {
  return Array.from({ length: end - first }, (_, index) => ({
    day: first + index,
    distinct: 2 ** index,
  }))
}

const shown = (query: Partial<RangeQuery>, now?: number) => {
  const range = rangeOf(query, now)
  return distinctTimeline(powersOf(range.days), range).map(
    ({ start, visits }) => `${start.slice(0, 13)} ${visits}`,
  )
}

describe('different values over time', () => {
  it('are those of each day, and of weeks and months its days added up', () => {
    const days = { from: '2026-11-27', to: '2026-12-02' }
    expect(shown({ ...days, granularity: 'day' })).toEqual([
      ...['2026-11-27T00 1', '2026-11-28T00 2', '2026-11-29T00 4'],
      ...['2026-11-30T00 8', '2026-12-01T00 16'],
    ])
    expect(shown({ ...days, granularity: 'week' })).toEqual(['2026-11-23T00 7', '2026-11-30T00 24'])
    expect(shown({ ...days, granularity: 'month' })).toEqual([
      '2026-11-01T00 15',
      '2026-12-01T00 16',
    ])
  })

  it('have no points by the hour', () => {
    expect(shown({ interval: '24h' })).toEqual([])
  })

  it.each([
    ['America/New_York', ['2026-11-18T05 1', '2026-11-19T05 2']],
    ['Asia/Tokyo', ['2026-11-17T15 1', '2026-11-18T15 2']],
  ])('in %s each day is that of UTC of the same date', (timezone, points) => {
    const days = { from: '2026-11-18', to: '2026-11-20', granularity: 'day', timezone } as const
    expect(shown(days)).toEqual(points)
  })

  it('have the day of UTC in progress in the local day in progress', () => {
    // In New York it is still the evening of the 20th.
    const now = Date.parse('2026-11-21T01:10:00Z')
    const days = { interval: '7d', granularity: 'day', timezone: 'America/New_York' } as const
    expect(shown(days, now).at(-1)).toBe(`2026-11-20T05 ${64 + 128}`)
  })

  it('add up to the total in every zone, whatever the span', () => {
    for (const timezone of ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland']) {
      for (const interval of ['24h', '7d', '30d', '90d', '12mo', 'all'] as const) {
        for (const granularity of ['day', 'week', 'month'] as const) {
          const range = rangeOf({ interval, granularity, timezone })
          const days = powersOf(range.days).map(({ day }) => ({ day, distinct: day % 7 }))
          const points = distinctTimeline(days, range)
          const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
          expect(sum(points.map(({ visits }) => visits))).toBe(
            sum(days.map(({ distinct }) => distinct)),
          )
          expect(points).toHaveLength(range.buckets.length)
        }
      }
    }
  })

  it('are right for each day within the error, for a link and for its account', async () => {
    const { storage, db, link: ofAll, owner } = await houseInMemory()
    const link = ownedBy(ofAll, { collect: ['visitors'] })
    const expected = [3_000, 0, 1_200]
    const recorder = createRecorder({
      ...{ storage, features: [], dimensions: [visitors] },
      log: listeningLog(),
    })
    for (const [ago, count] of expected.entries()) {
      for (let visitor = 0; visitor < count * 2; visitor += 1) {
        const number = visitor % count
        const ip = `10.0.${number >> 8}.${number & 255}`
        recorder.record(visitOf(link, { ip, at: noon - ago * dayMs }))
      }
    }
    await recorder.catchUp()
    await recorder.close()

    const range = rangeOf({ from: '2026-11-18', to: '2026-11-21', granularity: 'day' })
    for (const scope of [{ linkId: link.id }, { accountId: owner.accountId }]) {
      const question = { range, dimensions: [visitors], limit: 1 }
      const { totals, visitors: points } = await numbersOf(db, scope, question)
      const counted = (points as readonly { visits: number }[]).map(({ visits }) => visits)
      expect(counted).toHaveLength(3)
      for (const [index, exact] of expected.toReversed().entries()) {
        // A salt is random, so once in half a million runs it is more than five standard errors.
        expect(Math.abs((counted[index] ?? 0) - exact)).toBeLessThanOrEqual(5 * 0.01625 * exact)
      }
      expect(totals.visitors).toBe(counted.reduce((sum, it) => sum + it, 0))
    }
  })
})
