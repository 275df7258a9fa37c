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
})
