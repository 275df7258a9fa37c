import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchDrops } from '../../../../core/visits/collect/watch-drops.ts'
import { rememberingLog } from '../../accounts/fixtures.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const began = 'Visits come faster than they can be stored, so some are dropped'

it('it is logged once that visits are dropped, and how many were when that has ended', () => {
  const log = rememberingLog()
  const { add } = watchDrops(log)
  for (let visit = 0; visit < 3; visit += 1) add()
  vi.advanceTimersByTime(10_000)
  add()
  expect(log.warnings).toEqual([began])
  vi.advanceTimersByTime(20_000)
  const ended = 'No more visits are dropped: 4 since this began'
  expect(log.warnings).toEqual([began, ended])

  add()
  vi.advanceTimersByTime(20_000)
  const again = 'No more visits are dropped: 1 since this began'
  expect(log.warnings).toEqual([began, ended, began, again])
})

it('it is logged each hour while visits are dropped, and at the stop', () => {
  const log = rememberingLog()
  const { add, close } = watchDrops(log)
  for (let minute = 0; minute < 130 * 12; minute += 1) {
    add()
    vi.advanceTimersByTime(5_000)
  }
  expect(log.warnings).toHaveLength(3)
  expect(log.warnings[1]).toBe('Visits are still dropped: 720 since this began')
  expect(log.warnings[2]).toBe('Visits are still dropped: 1440 since this began')
  close()
  expect(log.warnings.at(-1)).toBe('No more visits are dropped: 1560 since this began')
  close()
  expect(log.warnings).toHaveLength(4)
})
