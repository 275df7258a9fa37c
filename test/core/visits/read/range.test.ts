import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import {
  intervals,
  type RangeQuery,
  rangeBefore,
  readRange,
} from '../../../../core/visits/read/range.ts'

const now = new Date('2026-11-20T12:34:56.789Z')
const beginning = new Date('2025-03-01T08:40:00Z')

type Asked = Partial<RangeQuery>

const read = (query: Asked, since = beginning) =>
  readRange({ timezone: 'UTC', ...query }, now, since)

/** As `2026-11-19T13:00Z to 2026-11-20T13:00Z by hour`, or the field that is wrong. */
function asText(range: ReturnType<typeof readRange>): string {
  if (isRefusal(range)) return `${range.status} ${range.field}`
  const [from, to] = [range.from, range.to].map(at => at.toISOString().replace(':00.000Z', 'Z'))
  return `${from} to ${to} by ${range.granularity}`
}

const span = (query: Asked, since = beginning) => asText(read(query, since))

/** The end of the hour in progress. */
const end = '2026-11-20T13:00Z'

describe('a span of time', () => {
  it.each<[RangeQuery['interval'], string]>([
    ['24h', `2026-11-19T13:00Z to ${end} by hour`],
    ['7d', `2026-11-14T00:00Z to ${end} by day`],
    ['30d', `2026-10-22T00:00Z to ${end} by day`],
    ['90d', `2026-08-23T00:00Z to ${end} by day`],
    ['12mo', `2025-12-01T00:00Z to ${end} by week`],
    ['all', `2025-03-01T08:00Z to ${end} by week`],
    [undefined, `2026-10-22T00:00Z to ${end} by day`],
  ])('of %s ends with the hour in progress', (interval, expected) => {
    expect(span({ interval })).toBe(expected)
  })

  it.each<[string, string]>([
    ['Europe/Berlin', `2026-10-21T22:00Z to ${end} by day`],
    ['Asia/Kathmandu', `2026-10-21T18:15Z to ${end} by day`],
    ['Pacific/Kiritimati', `2026-10-22T10:00Z to ${end} by day`],
  ])('has whole days of %s, the last one in progress', (timezone, expected) => {
    expect(span({ timezone })).toBe(expected)
    const range = read({ timezone })
    expect(isRefusal(range) ? 0 : range.buckets.length).toBe(30)
  })

  it('begins before it ends, and says what is wrong otherwise', () => {
    const detail = (from: string, to: string) => {
      const range = read({ from, to })
      return isRefusal(range) ? `${range.field}: ${range.detail}` : 'fine'
    }
    expect(detail('2026-11-02', '2026-11-01')).toBe('from: The period ends before it begins.')
    expect(detail('2026-11-01', '2026-11-01')).toBe(
      'from: The period is empty: to is not included.',
    )
  })

  it('is within the years that dates have four digits for', () => {
    const year0 = { from: '0000-01-01', to: '0000-02-01' }
    expect(span(year0)).toBe('0000-01-01T00:00Z to 0000-02-01T00:00Z by day')
    expect(span({ ...year0, timezone: 'Asia/Tokyo' })).toBe('422 from')
    expect(span({ ...year0, granularity: 'week' })).toBe('422 from')
    const before = read(year0)
    expect(isRefusal(before) ? before : asText(rangeBefore(before, undefined))).toBe('422 from')
    const last = { from: '9999-12-01', to: '9999-12-31T23:59:59Z' }
    expect(span(last)).toBe('9999-12-01T00:00Z to 9999-12-31T23:59:59.000Z by day')
  })

  it('of all time is at least a day, and by month when it is long', () => {
    expect(span({ interval: 'all' }, now)).toBe(`2026-11-19T13:00Z to ${end} by hour`)
    expect(span({ interval: 'all' }, new Date('2020-01-01T00:00:00Z'))).toMatch(/by month$/)
  })

  it('is what was asked for, with any offset', () => {
    const query = { from: '2026-11-01T00:00:00+01:00', to: '2026-11-02T00:00:00-05:00' }
    expect(span(query)).toBe('2026-10-31T23:00Z to 2026-11-02T05:00Z by hour')
    expect(span({ ...query, granularity: 'day' })).toMatch(/by day$/)
  })

  it('of days is one of whole days in the zone, and the last one is not in it', () => {
    const query = { from: '2026-03-01', to: '2026-04-01' }
    expect(span({ ...query, timezone: 'Europe/Berlin' })).toBe(
      '2026-02-28T23:00Z to 2026-03-31T22:00Z by day',
    )
    expect(span(query)).toBe('2026-03-01T00:00Z to 2026-04-01T00:00Z by day')
  })

  it('ends now, or begins thirty days before its end, where only the other one is said', () => {
    expect(span({ from: '2026-11-20T00:00:00Z' })).toBe(`2026-11-20T00:00Z to ${end} by hour`)
    expect(span({ to: '2026-01-31T00:00:00Z' })).toBe(
      '2026-01-01T00:00Z to 2026-01-31T00:00Z by day',
    )
  })

  it.each([
    ['2026-11-20T12:10:00Z', end],
    ['2026-11-20T12:34:56.789Z', end],
    ['2026-11-20T12:59:00Z', end],
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00Z'],
    ['2026-11-20T15:20:00Z', '2026-11-20T15:20Z'],
  ])('to %s ends at %s', (to, expected) => {
    expect(span({ from: '2026-11-19T00:00:00Z', to })).toContain(` to ${expected} `)
  })

  it.each([
    // The middle of the hour counts.
    ['12:30', '14:30', [12, 14]],
    ['12:31', '14:31', [13, 15]],
    // Never nothing.
    ['12:40', '12:50', [12, 13]],
    ['12:10', '12:20', [12, 13]],
  ] as const)('from %s to %s has hours %j', (from, to, [first, last]) => {
    const day = Date.parse('2026-11-19T00:00:00Z') / 3_600_000
    const query = { from: `2026-11-19T${from}:00Z`, to: `2026-11-19T${to}:00Z` }
    expect(read(query)).toMatchObject({ hours: { first: day + first, end: day + last } })
  })

  it.each<[Asked, string]>([
    [{ from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }, 'from'],
    [{ from: '2026-11-20T00:00:00Z', to: '2026-11-20T00:00:00Z' }, 'from'],
    [{ from: '2026-11-21T00:00:00Z' }, 'from'],
    [{ interval: '7d', from: '2026-11-01T00:00:00Z' }, 'interval'],
    [{ interval: '7d', to: '2026-11-01T00:00:00Z' }, 'interval'],
    [{ interval: '90d', granularity: 'hour' }, 'granularity'],
    [{ from: '1800-01-01T00:00:00Z', granularity: 'month' }, 'granularity'],
    [{ from: '0000-01-01', to: '9999-12-31', timezone: 'Asia/Kathmandu' }, 'granularity'],
  ])('%j is refused', (query, field) => {
    expect(span(query)).toBe(`422 ${field}`)
  })

  it('may have two thousand buckets, and not one more', () => {
    const query = (hours: number): Asked => ({
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

describe('the span before', () => {
  /** That of what a request asks for. */
  function spanBefore(query: Asked): string {
    const range = read(query)
    return isRefusal(range) ? asText(range) : asText(rangeBefore(range, query.interval))
  }

  it.each<[Asked, string]>([
    [{ interval: '24h' }, '2026-11-18T13:00Z to 2026-11-19T13:00Z'],
    // To the same time of the same day of the week, for that one is over.
    [{ interval: '7d' }, '2026-11-07T00:00Z to 2026-11-13T13:00Z'],
    [{ interval: '12mo' }, '2024-12-01T00:00Z to 2025-11-20T13:00Z'],
    [{ from: '2026-03-01', to: '2026-04-01' }, '2026-02-01T00:00Z to 2026-03-01T00:00Z'],
    [{ from: '2026-01-01', to: '2026-04-01' }, '2025-10-01T00:00Z to 2026-01-01T00:00Z'],
    [{ from: '2026-03-02', to: '2026-03-09' }, '2026-02-23T00:00Z to 2026-03-02T00:00Z'],
    [
      { from: '2026-03-02T10:00:00Z', to: '2026-03-02T16:30:00Z' },
      '2026-03-02T03:30Z to 2026-03-02T10:00Z',
    ],
  ])('of %j', (query, expected) => {
    expect(spanBefore(query)).toContain(expected)
  })

  it('is of as many days, whatever daylight saving does to their hours', () => {
    const timezone = 'Europe/Berlin'
    expect(spanBefore({ timezone, from: '2026-03-29', to: '2026-03-30' })).toBe(
      '2026-03-27T23:00Z to 2026-03-28T23:00Z by hour',
    )
    // Thirty days earlier the clocks were an hour ahead; it was two o'clock then too.
    expect(spanBefore({ timezone, interval: '30d' })).toBe(
      '2026-09-21T22:00Z to 2026-10-21T12:00Z by day',
    )
  })

  it('of all is none', () => {
    expect(spanBefore({ interval: 'all' })).toBe('422 compare')
  })
})
