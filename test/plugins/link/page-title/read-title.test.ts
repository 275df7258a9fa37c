import { expect, it } from 'vitest'
import { readTitle } from '../../../../plugins/link/page-title/read-title.ts'

it('takes no longer for a hostile page than for any other', () => {
  const hostile = '<title '.repeat(37_000)
  // Were it quadratic, a page ten times as long would take a hundred times as long.
  const growth = leastMs(hostile) / leastMs(hostile.slice(0, hostile.length / 10))
  expect(growth).toBeLessThan(40)
})

function leastMs(html: string): number {
  const tookMs = Array.from({ length: 10 }, () => {
    const startedAt = performance.now()
    for (let read = 0; read < 20; read += 1) readTitle(html)
    return performance.now() - startedAt
  })
  return Math.min(...tookMs)
}
