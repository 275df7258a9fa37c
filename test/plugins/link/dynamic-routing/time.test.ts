import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Visit } from '../../../../core/plugin.ts'
import { compileTimes, times } from '../../../../plugins/link/dynamic-routing/time.ts'

afterEach(() => vi.restoreAllMocks())

const visit = { at: new Date('2026-11-20T12:00:00.000Z') } as Visit
const zones = Intl.supportedValuesOf('timeZone')

describe('a daily window', () => {
  test.each([
    ['europe/berlin', '13:00 Europe/Berlin'],
    ['EUROPE/BERLIN', '13:00 Europe/Berlin'],
    ['us/eastern', '07:00 America/New_York'],
    ['+05:45', '17:45 +05:45'],
  ])('in %s tells the time by the one name of the zone', (zone, seen) => {
    expect(compileTimes(`09:00-17:00 ${zone}`).seen(visit)).toBe(seen)
  })

  test('takes no clock of its own: a zone has one, however it is spelled, on all links', () => {
    const windows = zones
      .flatMap(zone => [zone, zone.toLowerCase(), zone.toUpperCase()])
      .map(zone => `09:00-17:00 ${zone}`)
    const made = vi.spyOn(Intl, 'DateTimeFormat')
    for (const window of windows) compileTimes(times.parse(window))
    expect(made.mock.calls.length).toBeLessThanOrEqual(2 * zones.length)
    made.mockClear()
    for (const window of windows) compileTimes(times.parse(window)).seen(visit)
    expect(made).not.toHaveBeenCalled()
  })

  test('tells the time of a zone once a minute, however many conditions ask at each visit', () => {
    const windows = zones.map(zone => compileTimes(`03:00-03:01 ${zone}`))
    const clocks: { readonly format: object } = Intl.DateTimeFormat.prototype
    const told = vi.spyOn(clocks, 'format', 'get')
    const seenAt = (time: string) => {
      const visit = { at: new Date(time) } as Visit
      for (const { isWithin } of [...windows, ...windows]) isWithin(visit)
      return told.mock.calls.length
    }
    const known = new Set(windows.map(it => it.seen(visit).replace(/^\S+ /, ''))).size
    told.mockClear()
    expect(seenAt('2026-11-20T12:01:00.000Z')).toBe(known)
    expect(seenAt('2026-11-20T12:01:59.999Z')).toBe(known)
    expect(seenAt('2026-11-20T12:02:00.000Z')).toBe(2 * known)
  })

  test.each([
    ['Europe/Berlin', '2026-10-25T00:59:59.999Z', '02:59'],
    ['Europe/Berlin', '2026-10-25T01:00:00.000Z', '02:00'],
    ['Europe/Berlin', '2026-03-29T00:59:59.000Z', '01:59'],
    ['Europe/Berlin', '2026-03-29T01:00:30.000Z', '03:00'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59.000Z', '01:59'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00.000Z', '01:30'],
    // 44 minutes and 30 seconds behind UTC, until 1972.
    ['Africa/Monrovia', '1971-06-01T12:00:29.000Z', '11:15'],
    ['Africa/Monrovia', '1971-06-01T12:00:30.000Z', '11:16'],
    ['Africa/Monrovia', '1969-12-31T23:59:30.000Z', '23:15'],
    ['Africa/Monrovia', '2026-06-01T12:00:30.000Z', '12:00'],
  ])('tells the time of %s at %s', (zone, at, time) => {
    const { seen } = compileTimes(`09:00-17:00 ${zone}`)
    for (const other of ['2026-11-20T12:00:00Z', at]) seen({ at: new Date(other) } as Visit)
    expect(seen({ at: new Date(at) } as Visit)).toBe(`${time} ${zone}`)
  })
})
