import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../core/outcomes.ts'
import { intervals, type RangeQuery, readRange } from '../../../core/visits/range.ts'

const now = new Date('2026-11-20T12:34:56.789Z')
const beginning = new Date('2025-03-01T08:00:00Z')

/** As `2026-11-19T12:34:56.789Z to 2026-11-20T12:34:56.789Z by hour`, or the field that is wrong. */
function span(query: RangeQuery, since = beginning): string {
  const range = readRange(query, now, since)
  if (isRefusal(range)) return `${range.status} ${range.field}`
  return `${range.from.toISOString()} to ${range.to.toISOString()} by ${range.granularity}`
}

const end = '2026-11-20T12:34:56.789Z'

describe('a span of time', () => {
  it.each<[RangeQuery['interval'], string]>([
    ['24h', `2026-11-19T12:34:56.789Z to ${end} by hour`],
    ['7d', `2026-11-13T12:34:56.789Z to ${end} by day`],
    ['30d', `2026-10-21T12:34:56.789Z to ${end} by day`],
    ['90d', `2026-08-22T12:34:56.789Z to ${end} by day`],
    ['12mo', `2025-12-01T00:00:00.000Z to ${end} by week`],
    ['all', `2025-03-01T08:00:00.000Z to ${end} by week`],
    [undefined, `2026-10-21T12:34:56.789Z to ${end} by day`],
  ])('of %s ends now', (interval, expected) => {
    expect(span({ interval })).toBe(expected)
  })

  it('of all time is at least a day, and by month when it is long', () => {
    expect(span({ interval: 'all' }, now)).toBe(`2026-11-19T12:34:56.789Z to ${end} by hour`)
    expect(span({ interval: 'all' }, new Date('2020-01-01T00:00:00Z'))).toMatch(/by month$/)
  })

  it('is what was asked for, in any time zone', () => {
    const query = { from: '2026-11-01T00:00:00+01:00', to: '2026-11-02T00:00:00-05:00' }
    expect(span(query)).toBe('2026-10-31T23:00:00.000Z to 2026-11-02T05:00:00.000Z by hour')
    expect(span({ ...query, granularity: 'day' })).toMatch(/by day$/)
  })

  it('ends now, or begins thirty days before its end, where only the other one is said', () => {
    expect(span({ from: '2026-11-20T00:00:00Z' })).toBe(
      `2026-11-20T00:00:00.000Z to ${end} by hour`,
    )
    expect(span({ to: '2026-01-31T00:00:00Z' })).toBe(
      '2026-01-01T00:00:00.000Z to 2026-01-31T00:00:00.000Z by day',
    )
  })

  it.each<[RangeQuery, string]>([
    [{ from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }, 'from'],
    [{ from: '2026-11-20T00:00:00Z', to: '2026-11-20T00:00:00Z' }, 'from'],
    [{ from: '2026-11-21T00:00:00Z' }, 'from'],
    [{ interval: '7d', from: '2026-11-01T00:00:00Z' }, 'interval'],
    [{ interval: '7d', to: '2026-11-01T00:00:00Z' }, 'interval'],
    [{ interval: '90d', granularity: 'hour' }, 'granularity'],
    [{ from: '1800-01-01T00:00:00Z', granularity: 'month' }, 'granularity'],
  ])('%j is refused', (query, field) => {
    expect(span(query)).toBe(`422 ${field}`)
  })

  it('may have two thousand buckets, and not one more', () => {
    const query = (hours: number): RangeQuery => ({
      from: '2026-01-01T00:00:00Z',
      to: new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString(),
      granularity: 'hour',
    })
    expect(span(query(2_000))).toMatch(/by hour$/)
    expect(span(query(2_001))).toBe('422 granularity')
  })

  it('of every name is one that can be answered', () => {
    for (const interval of intervals) expect(span({ interval })).toContain(' to ')
  })
})
