import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import type { NamedDimension } from '../../../../core/visits/facts/dimensions.ts'
import { splitDays, wholeDays } from '../../../../core/visits/read/distinct-within.ts'
import { type RangeQuery, readRange } from '../../../../core/visits/read/range.ts'
import {
  bootInMemory,
  dimensions,
  hourMs,
  listeningLog,
  noon,
  ownedBy,
  visitOf,
} from '../fixtures.ts'
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

const hourAt = (moment: string) => Date.parse(`${moment}:00Z`) / hourMs
const day = hourAt('2026-11-20T00:00') / 24

describe('the values of a day of UTC', () => {
  /** So many each hour, from midnight on. */
  const hourly = new Map(Array.from({ length: 24 }, (_, hour) => [day * 24 + hour, 10]))
  const cut = (hour: number) => [
    { first: (day - 1) * 24, end: day * 24 + hour },
    { first: day * 24 + hour, end: (day + 1) * 24 },
  ]

  it('are in each part of it as its visits are, rounded up', () => {
    expect(splitDays([{ day, distinct: 100 }], hourly, cut(0))).toEqual([0, 100])
    expect(splitDays([{ day, distinct: 100 }], hourly, cut(6))).toEqual([25, 75])
    expect(splitDays([{ day, distinct: 10 }], hourly, cut(5))).toEqual([3, 8])
    expect(splitDays([{ day, distinct: 1 }], hourly, cut(5))).toEqual([1, 1])
  })

  it('are in no part without visits', () => {
    const evening = new Map([[day * 24 + 3, 1]])
    expect(splitDays([{ day, distinct: 1 }], evening, cut(5))).toEqual([1, 0])
    expect(splitDays([{ day, distinct: 1 }], evening, cut(3))).toEqual([0, 1])
  })

  it('lie at its noon when nothing is known of its visits', () => {
    expect(splitDays([{ day, distinct: 7 }], new Map(), cut(5))).toEqual([0, 7])
    expect(splitDays([{ day, distinct: 7 }], new Map(), cut(13))).toEqual([7, 0])
  })

  it('are found in all of its hours, of every day that a span touches', () => {
    const first = day * 24 + 5
    const whole = { first: day * 24, end: (day + 2) * 24 }
    expect(wholeDays({ first, end: first + 24 })).toEqual({
      ...{ days: { first: day, end: day + 2 }, hours: whole },
    })
    expect(wholeDays(whole).hours).toEqual(whole)
  })
})

describe('different values over time', () => {
  /** What each day of a span has, of visits at these moments by the visitor that is named. */
  async function counted(
    visits: readonly (readonly [moment: string, ip: string])[],
    query: Partial<RangeQuery>,
  ) {
    const { storage, db, link: ofAll } = await bootInMemory()
    const link = ownedBy(ofAll, { collect: ['visits', 'visitors'] })
    const recorder = createRecorder({
      ...{ storage, features: [], dimensions: [...dimensions, visitors] },
      log: listeningLog(),
    })
    for (const [moment, ip] of visits) {
      recorder.record(visitOf(link, { ip, at: Date.parse(`${moment}:00Z`) }))
    }
    await recorder.catchUp()
    await recorder.close()
    const question = { range: rangeOf(query), dimensions: [visitors], limit: 1 }
    const numbers = await numbersOf(db, { linkId: link.id }, question)
    const points = numbers.visitors as readonly { start: string; visits: number }[]
    return {
      total: numbers.totals.visitors,
      points: points
        .filter(point => point.visits > 0)
        .map(({ start, visits }) => `${start.slice(0, 13)} ${visits}`),
    }
  }

  const evening = '2026-11-19T02:30'
  const newYork = { timezone: 'America/New_York', granularity: 'day' } as const

  it('are in the local day of their visits, whatever day it is in UTC', async () => {
    const lastDay = { ...newYork, from: '2026-11-15', to: '2026-11-19' }
    const one = { total: 1, points: ['2026-11-18T05 1'] }
    expect(await counted([[evening, '10.0.0.1']], lastDay)).toEqual(one)
    const next = { ...newYork, from: '2026-11-19', to: '2026-11-20' }
    expect(await counted([[evening, '10.0.0.1']], next)).toEqual({ total: 0, points: [] })
    const tokyo = { ...lastDay, timezone: 'Asia/Tokyo', to: '2026-11-20' }
    const points = ['2026-11-18T15 1']
    expect(await counted([['2026-11-18T20:30', '10.0.0.1']], tokyo)).toEqual({ total: 1, points })
  })

  it('are by the hour what the whole span has', async () => {
    const visits = [[evening, '10.0.0.1'] as const, ['2026-11-19T13:00', '10.0.0.2'] as const]
    const span = { from: '2026-11-19T00:00:00Z', to: '2026-11-19T06:00:00Z' }
    expect(await counted(visits, { ...span, granularity: 'hour' })).toEqual({
      ...{ total: 1, points: [] },
    })
  })

  it('are those of a week or month together, and add up to the total', async () => {
    const visits = [1, 2, 3, 4].map(it => [`2026-11-1${it}T12:00`, `10.0.0.${it}`] as const)
    const span = { from: '2026-11-01', to: '2026-12-01' }
    expect(await counted(visits, { ...span, granularity: 'week' })).toEqual({
      ...{ total: 4, points: ['2026-11-09T00 4'] },
    })
    expect(await counted(visits, { ...span, granularity: 'month' })).toEqual({
      ...{ total: 4, points: ['2026-11-01T00 4'] },
    })
  })

  it('are right for each day within the error, for a link and for its account', async () => {
    const { storage, db, link: ofAll, owner } = await bootInMemory()
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
