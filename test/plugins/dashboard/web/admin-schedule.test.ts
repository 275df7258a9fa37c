import { expect, it } from 'vitest'
import { formatBytes } from '../../../../plugins/dashboard/web/pages/admin/format-bytes.ts'
import { formatSpan } from '../../../../plugins/dashboard/web/pages/admin/format-span.ts'
import { scheduleInWords } from '../../../../plugins/dashboard/web/pages/admin/jobs/schedule.ts'

it.each([
  ['15 3 * * *', 'Every day at 03:15 UTC'],
  ['0 12 * * 1', 'Every Monday at 12:00 UTC'],
  ['0 12 * * 7', 'Every Sunday at 12:00 UTC'],
  ['5 0 1 * *', 'On day 1 of the month at 00:05 UTC'],
  ['7 * * * *', 'Every hour, at minute 7'],
  ['*/10 * * * *', 'Every 10 minutes'],
  ['* * * * *', 'Every minute'],
  ['5 0 1 1 *', 'Cron schedule: 5 0 1 1 * (UTC)'],
  ['0 9-17 * * 1-5', 'Cron schedule: 0 9-17 * * 1-5 (UTC)'],
])('the schedule %s is said as “%s”', (every, words) => {
  expect(scheduleInWords(every)).toBe(words)
})

it.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1_000, '1 kB'],
  [2_148_000, '2.1 MB'],
  [3e15, '3,000 TB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words)
})

it.each([
  ['2026-11-20T12:00:00.007Z', '7 ms'],
  ['2026-11-20T12:00:02.100Z', '2.1 sec'],
  ['2026-11-20T12:01:30.000Z', '1.5 min'],
  ['2026-11-20T14:00:00.000Z', '2 hr'],
  ['2026-11-20T11:59:00.000Z', '0 ms'],
])('from noon to %s took %s', (end, words) => {
  expect(formatSpan('2026-11-20T12:00:00.000Z', end)).toBe(words)
})
