import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { givingBackMemory } from '../../../../core/visits/collect/give-back-memory.ts'
import type { VisitWriter } from '../../../../core/visits/collect/visit-writer.ts'
import { batchOf, visitOf } from '../fixtures.ts'

const idle: VisitWriter = {
  store: async () => ({ batchId: 1, visited: [], failedDimensions: {}, failures: {} }),
  fold: async () => ({ done: true, upTo: 1 }),
  recent: async () => ({ rememberedMs: 0, firstMinute: 0, sums: Float64Array.of() }),
  close: async () => undefined,
}

const owner = { accountId: 1, collect: [], maxTrackedVisits: 0 }
const view = {
  id: 'lnk_a',
  rowId: 1,
  accountId: 1,
  domain: '',
  shortCode: 'a',
  originalUrl: 'https://a/',
}
const few = [visitOf({ id: 1, view, owner })]
const many = Array.from({ length: 50 }, () => few).flat()

function watched() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let times = 0
  const writer = givingBackMemory(idle, async () => {
    times += 1
  })
  return { writer, times: () => times }
}

/** A batch each second, and none after them for as long as given. */
async function storeAll(writer: VisitWriter, batches: readonly (typeof few)[], calmMs: number) {
  for (const visits of batches) {
    await writer.store(1, batchOf(visits))
    vi.advanceTimersByTime(1_000)
  }
  vi.advanceTimersByTime(calmMs)
}

describe('memory', () => {
  it('is given back once when a busy time is over, and not in it', async () => {
    const { writer, times } = watched()
    await storeAll(writer, Array(60).fill(many), 0)
    expect(times(), 'nor for its start').toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(times()).toBe(1)
    await storeAll(writer, [many], 60_000)
    expect(times()).toBe(2)
  })

  it('is given back though a few visits still come', async () => {
    const { writer, times } = watched()
    await storeAll(writer, [many, ...Array(30).fill(few)], 0)
    expect(times()).toBe(1)
  })

  it('is given back after the start, and left alone where there is no busy time', async () => {
    const { writer, times } = watched()
    await storeAll(writer, Array(10).fill(few), 60_000)
    expect(times()).toBe(1)
    await storeAll(writer, Array(10).fill(few), 60_000)
    expect(times()).toBe(1)
  })
})
