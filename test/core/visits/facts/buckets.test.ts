import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bucketsOf,
  firstHourFrom,
  type Granularity,
  granularities,
  hourOf,
} from '../../../../core/visits/facts/buckets.ts'
import { tries } from '../../../at-night.ts'

const hour = (moment: string) => hourOf(Date.parse(moment))
const asText = (start: number) => new Date(start).toISOString().replace(':00.000Z', 'Z')

/** The buckets between two moments, as `2026-11-20T00:00Z has 24`. */
function buckets(from: string, to: string, granularity: Granularity, timeZone: string): string[] {
  const hours = { first: hour(from), end: hour(to) }
  return Array.from(
    bucketsOf(hours, granularity, timeZone),
    ({ start, first, end }) => `${asText(start)} has ${end - first}`,
  )
}

describe('buckets of local time', () => {
  it('are those of UTC where it is local time', () => {
    const days = ['2026-11-20T00:00Z has 24', '2026-11-21T00:00Z has 24']
    expect(buckets('2026-11-20T00:00Z', '2026-11-22T00:00Z', 'day', 'UTC')).toEqual(days)
  })

  it('begin where they begin, also before the hours, and end with them', () => {
    expect(buckets('2026-11-20T12:00Z', '2026-12-02T06:00Z', 'week', 'Europe/Berlin')).toEqual([
      '2026-11-15T23:00Z has 59',
      '2026-11-22T23:00Z has 168',
      '2026-11-29T23:00Z has 55',
    ])
    expect(buckets('2026-11-20T12:00Z', '2026-12-02T06:00Z', 'month', 'Europe/Berlin')).toEqual([
      '2026-10-31T23:00Z has 251',
      '2026-11-30T23:00Z has 31',
    ])
  })

  it('of days have 23 or 25 hours when daylight saving begins or ends', () => {
    expect(buckets('2026-03-28T23:00Z', '2026-03-29T22:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00Z has 23',
    ])
    expect(buckets('2026-10-24T22:00Z', '2026-10-25T23:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00Z has 25',
    ])
  })

  it('of hours are two where daylight saving repeats one, and none where it leaves one out', () => {
    const night = buckets('2026-10-24T23:00Z', '2026-10-25T03:00Z', 'hour', 'Europe/Berlin')
    expect(night).toEqual([
      '2026-10-24T23:00Z has 1',
      '2026-10-25T00:00Z has 1',
      '2026-10-25T01:00Z has 1',
      '2026-10-25T02:00Z has 1',
    ])
    const spring = buckets('2026-03-29T00:00Z', '2026-03-29T02:00Z', 'hour', 'Europe/Berlin')
    expect(spring).toEqual(['2026-03-29T00:00Z has 1', '2026-03-29T01:00Z has 1'])
  })

  it('take in the hours whose middle they have: a day of Kathmandu begins at 18:15', () => {
    expect(buckets('2026-11-18T18:00Z', '2026-11-20T18:00Z', 'day', 'Asia/Kathmandu')).toEqual([
      '2026-11-18T18:15Z has 24',
      '2026-11-19T18:15Z has 24',
    ])
    expect(buckets('2026-11-18T18:00Z', '2026-11-18T20:00Z', 'hour', 'Asia/Kathmandu')).toEqual([
      '2026-11-18T18:15Z has 1',
      '2026-11-18T19:15Z has 1',
    ])
  })

  it('of Lord Howe are right where its clocks go half an hour back and forth', () => {
    const back = buckets('2026-04-04T13:00Z', '2026-04-04T17:00Z', 'hour', 'Australia/Lord_Howe')
    expect(back).toEqual([
      '2026-04-04T13:00Z has 1',
      // From one o'clock, for an hour and a half: the second half of it is shown at two.
      '2026-04-04T14:00Z has 1',
      '2026-04-04T15:30Z has 1',
      '2026-04-04T16:30Z has 1',
    ])
    const forth = buckets('2026-10-03T14:00Z', '2026-10-03T18:00Z', 'hour', 'Australia/Lord_Howe')
    expect(forth).toEqual([
      '2026-10-03T14:30Z has 1',
      // Two o'clock is left out: it begins at half past two.
      '2026-10-03T15:30Z has 1',
      '2026-10-03T16:00Z has 1',
      '2026-10-03T17:00Z has 1',
    ])
    const days = buckets('2026-04-03T13:00Z', '2026-04-05T13:00Z', 'day', 'Australia/Lord_Howe')
    expect(days).toEqual(['2026-04-03T13:00Z has 24', '2026-04-04T13:00Z has 24'])
  })

  it('leave out a day that a country left out', () => {
    const year = buckets('2011-12-29T10:00Z', '2011-12-31T10:00Z', 'day', 'Pacific/Apia')
    expect(year).toEqual(['2011-12-29T10:00Z has 24', '2011-12-30T10:00Z has 24'])
  })

  it('begin at one where daylight saving begins at midnight', () => {
    const cairo = buckets('2026-04-23T22:00Z', '2026-04-24T21:00Z', 'day', 'Africa/Cairo')
    expect(cairo).toEqual(['2026-04-23T22:00Z has 23'])
  })

  it('have a day that was folded into its noon, from Honolulu to Sydney', () => {
    const noon = hour('2026-02-28T12:00Z')
    for (const timeZone of ['Pacific/Honolulu', 'UTC', 'Asia/Kathmandu', 'Australia/Sydney']) {
      const [day] = bucketsOf({ first: noon, end: noon + 1 }, 'day', timeZone)
      const date = new Date(day?.start ?? 0).toLocaleDateString('sv', { timeZone })
      expect(date).toBe('2026-02-28')
    }
  })

  it('hold every hour exactly once, in any zone', () => {
    const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia']
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 2_000 }),
        fc.constantFrom(...granularities),
        fc.constantFrom(...zones),
        (first, length, granularity, timeZone) => {
          const hours = { first, end: first + length }
          const found = [...bucketsOf(hours, granularity, timeZone)]
          const ends = found.map(({ end }) => end)
          expect(found.map(it => it.first)).toEqual([first, ...ends.slice(0, -1)])
          expect(ends.at(-1)).toBe(hours.end)
          for (const bucket of found) {
            expect(bucket.end).toBeGreaterThan(bucket.first)
            if (bucket.first > first) expect(firstHourFrom(bucket.start)).toBe(bucket.first)
          }
        },
      ),
      tries(60),
    )
  })
})
