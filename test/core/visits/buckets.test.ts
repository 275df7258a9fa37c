import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bucketOf,
  type Granularity,
  hourOf,
  nextBucket,
  startOf,
} from '../../../core/visits/buckets.ts'

const granularities: readonly Granularity[] = ['hour', 'day', 'week', 'month']

describe('buckets', () => {
  it.each([
    ['hour', '2026-11-20T12:00:00.000Z', '2026-11-20T13:00:00.000Z'],
    ['day', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['week', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['month', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ] as const)('a %s starts at %s and is followed by %s', (granularity, start, next) => {
    const bucket = bucketOf(hourOf(Date.UTC(2026, 10, 20, 12, 34)), granularity)
    expect([startOf(bucket), startOf(nextBucket(bucket, granularity))]).toEqual([start, next])
  })

  it('cross the ends of years and leap days', () => {
    const leapDay = hourOf(Date.UTC(2028, 1, 29, 23))
    expect(startOf(bucketOf(leapDay, 'month'))).toBe('2028-02-01T00:00:00.000Z')
    expect(startOf(nextBucket(bucketOf(leapDay, 'day'), 'day'))).toBe('2028-03-01T00:00:00.000Z')
    const lastOfYear = hourOf(Date.UTC(2026, 11, 31, 23))
    expect(startOf(nextBucket(bucketOf(lastOfYear, 'month'), 'month'))).toBe(
      '2027-01-01T00:00:00.000Z',
    )
  })

  it('hold every hour exactly once', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.constantFrom(...granularities), (hour, granularity) => {
        const bucket = bucketOf(hour, granularity)
        const next = nextBucket(bucket, granularity)
        expect(bucket).toBeLessThanOrEqual(hour)
        expect(next).toBeGreaterThan(hour)
        expect(bucketOf(next, granularity)).toBe(next)
        expect(bucketOf(next - 1, granularity)).toBe(bucket)
      }),
    )
  })
})
