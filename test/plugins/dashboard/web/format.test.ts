import { expect, it } from 'vitest'
import {
  formatAgo,
  formatMoment,
  withValuesOfHere,
} from '../../../../plugins/dashboard/web/shared/text/format.ts'

const now = Date.parse('2026-11-20T18:20:00Z')

it.each([
  ['2026-11-20T18:19:01Z', 'just now'],
  ['2026-11-20T18:19:00Z', '1 minute ago'],
  ['2026-11-20T17:20:01Z', '59 minutes ago'],
  ['2026-11-20T15:00:00Z', '3 hours ago'],
  ['2026-11-19T18:20:00Z', 'yesterday'],
  ['2026-11-14T18:00:00Z', '6 days ago'],
  ['2026-11-12T12:00:00Z', 'Nov 12, 2026'],
])('what happened at %s is said as “%s”', (iso, words) => {
  expect(formatAgo(iso, now)).toBe(words)
})

it.each(['2026-11-20T18:20:35Z', '2026-11-20T20:00:00Z', '2027-01-01T00:00:00Z'])(
  'what happened at %s, for a clock that is behind, is “just now”',
  iso => {
    expect(formatAgo(iso, now)).toBe('just now')
  },
)

it('a sentence of the server has its moments as all others here', () => {
  const iso = '2026-11-24T16:55:43.000Z'
  const sentence = withValuesOfHere(`The newest of 7 backups is from ${iso}, and has 958.5 kB.`)
  expect(sentence).toBe(`The newest of 7 backups is from ${formatMoment(iso)}, and has 958.5 kB.`)
  expect(sentence).not.toContain('T16')
})
