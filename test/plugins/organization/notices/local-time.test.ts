import { describe, expect, it } from 'vitest'
import {
  byDay,
  inTheMorning,
  isTimeZone,
  mondayOf,
} from '../../../../plugins/organization/notices/local-time.ts'

const at = (time: string) => Date.parse(time)
const shown = (ms: number) => new Date(ms).toISOString()

describe('the time at which mails go', () => {
  it.each([
    ['by day at once', 'Europe/Berlin', '2026-11-20T11:07:00Z', '2026-11-20T11:07:00.000Z'],
    ['before the morning', 'Europe/Berlin', '2026-11-20T02:41:00Z', '2026-11-20T07:00:00.000Z'],
    ['in the evening', 'Europe/Berlin', '2026-11-20T19:00:00Z', '2026-11-21T07:00:00.000Z'],
    ['elsewhere', 'America/New_York', '2026-11-20T02:41:00Z', '2026-11-20T13:00:00.000Z'],
    ['off by quarters', 'Asia/Kathmandu', '2026-11-20T16:00:00Z', '2026-11-21T02:15:00.000Z'],
    ['as clocks go forward', 'Europe/Berlin', '2026-03-28T21:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['as clocks go back', 'Europe/Berlin', '2026-10-24T21:00:00Z', '2026-10-25T07:00:00.000Z'],
  ])('is by day: %s, in %s', (_, timeZone, from, expected) => {
    expect(shown(byDay(at(from), timeZone))).toBe(expected)
  })

  it('is in the morning for what can wait', () => {
    const next = (from: string) => shown(inTheMorning(at(from), 'Europe/Berlin'))
    expect(next('2026-11-20T07:59:00Z')).toBe('2026-11-20T07:59:00.000Z')
    expect(next('2026-11-20T08:00:00Z')).toBe('2026-11-21T07:00:00.000Z')
  })

  it('is Monday morning for the week', () => {
    const of = (time: string, timeZone = 'Europe/Berlin') => mondayOf(at(time), timeZone)
    expect(of('2026-11-23T06:59:00Z')).toBe('2026-11-16')
    expect(of('2026-11-23T07:00:00Z')).toBe('2026-11-23')
    expect(of('2026-11-29T23:00:00Z')).toBe('2026-11-23')
    expect(of('2026-11-23T07:00:00Z', 'America/New_York')).toBe('2026-11-16')
    expect(of('2026-11-22T20:00:00Z', 'Pacific/Auckland')).toBe('2026-11-23')
    expect(of('2026-03-30T06:30:00Z')).toBe('2026-03-30')
  })

  it('is in a time zone that there is', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Base', ''].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
