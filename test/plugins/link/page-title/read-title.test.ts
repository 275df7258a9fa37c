import { expect, it } from 'vitest'
import { readTitle } from '../../../../plugins/link/page-title/read-title.ts'

it('takes no longer for a hostile page than for any other', () => {
  const hostile = '<title '.repeat(37_000)
  const tenth = hostile.slice(0, hostile.length / 10)
  // Were it quadratic, the whole would take ten times as long as ten tenths. Each pair is measured at one moment, and the
  // least of many counts, because the machine may be busy.
  const growths = Array.from({ length: 20 }, () => timeOf(hostile, 1) / timeOf(tenth, 10))
  expect(Math.min(...growths)).toBeLessThan(4)
})

function timeOf(html: string, times: number): number {
  const startedAt = performance.now()
  for (let time = 0; time < times; time += 1) readTitle(html)
  return performance.now() - startedAt
}
