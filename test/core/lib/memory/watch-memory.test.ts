import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { watchMemory } from '../../../../core/lib/memory/watch-memory.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('the watch on memory says that it is short at once and every three seconds, and when it is enough again', () => {
  const said: (number | 'enough')[] = []
  let bytes = 10
  const { stop } = watchMemory({
    shortBytes: 100,
    inUse: () => bytes,
    onShort: inUse => said.push(inUse),
    onEnough: () => said.push('enough'),
  })
  const after = (ms: number, inUse: number) => {
    bytes = inUse
    vi.advanceTimersByTime(ms)
  }
  after(5_000, 100)
  after(500, 101)
  after(2_500, 95)
  expect(said).toEqual([101])
  after(500, 96)
  after(500, 90)
  after(5_000, 95)
  expect(said).toEqual([101, 96, 'enough'])
  after(500, 200)
  stop()
  after(20_000, 300)
  expect(said).toEqual([101, 96, 'enough', 200])
})

it('memory is enough again ten seconds after a peak where the process rests little below it, and short at the next one', () => {
  let bytes = 101
  const { isShort, stop } = watchMemory({
    shortBytes: 100,
    inUse: () => bytes,
    onShort: () => undefined,
  })
  onTestFinished(stop)
  const after = (ms: number, inUse: number) => {
    bytes = inUse
    vi.advanceTimersByTime(ms)
    return isShort()
  }
  expect(after(60_000, 101)).toBe(true)
  expect(after(9_000, 99)).toBe(true)
  expect(after(100, 101)).toBe(true)
  expect(after(9_000, 99)).toBe(true)
  expect(after(2_000, 99)).toBe(false)
  expect(after(60_000, 100)).toBe(false)
  expect(after(100, 101)).toBe(true)
})

it('the watch on memory sees what this process holds, and not the files that it has read', () => {
  let seen = 0
  const { isShort, stop } = watchMemory({
    shortBytes: 1,
    onShort(inUse) {
      seen = inUse
    },
  })
  vi.advanceTimersByTime(500)
  stop()
  expect(isShort()).toBe(true)
  expect(seen).toBeGreaterThan(10 * 2 ** 20)
  expect(seen).toBeLessThanOrEqual(process.memoryUsage.rss())
})
