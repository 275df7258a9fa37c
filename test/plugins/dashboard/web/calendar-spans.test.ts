import { expect, it } from 'vitest'
import { calendarSpans } from '../../../../plugins/dashboard/web/pages/analytics/controls/calendar-spans.ts'

it.each([
  // A new year begins in Auckland while it is still the last day of the old one in UTC.
  ['Pacific/Auckland', '2027-01-01', '2026-12-31', '2027-01-01', '2026-12-01', '2026-12-31'],
  ['UTC', '2026-12-31', '2026-12-30', '2026-12-01', '2026-11-01', '2026-11-30'],
])('the spans of the calendar are those of %s', (zone, today, yesterday, first, before, last) => {
  expect(calendarSpans(new Date('2026-12-31T12:00Z'), zone)).toEqual({
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    thisMonth: { from: first, to: today },
    lastMonth: { from: before, to: last },
  })
})
