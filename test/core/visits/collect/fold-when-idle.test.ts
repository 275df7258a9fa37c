import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { foldWhenIdle } from '../../../../core/visits/collect/fold-when-idle.ts'
import type { Folded } from '../../../../core/visits/fold/fold.ts'
import { trackRetries } from '../../../../core/visits/upkeep/retry-state.ts'
import { listeningLog } from '../fixtures.ts'

/** A folder whose slices give these answers in turn, the last one for ever. */
function folderOf(
  answers: readonly (Folded | Error)[],
  { isBusy = false, sliceMs = 0 }: { isBusy?: boolean; sliceMs?: number } = {},
) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  let slices = 0
  const log = listeningLog()
  const folder = foldWhenIdle({
    async fold() {
      const answer = answers[Math.min(slices, answers.length - 1)]
      slices += 1
      if (sliceMs > 0) await new Promise(resolve => setTimeout(resolve, sliceMs))
      if (answer instanceof Error || answer === undefined) throw answer
      return answer
    },
    isBusy: () => isBusy,
    retries: trackRetries(log, 'It fails.', 'It works again.'),
  })
  return { ...folder, slices: () => slices, log }
}

const all: Folded = { done: true, upTo: 0 }
const elsewhere: Folded = { done: false, upTo: 0, isElsewhere: true }
const gatherMs = 5_000

describe('folding when idle', () => {
  it('looks for what an earlier run left, a while after the start, and then rests', async () => {
    const { slices } = folderOf([{ done: false, upTo: 5 }, all])
    await vi.advanceTimersByTimeAsync(gatherMs - 1)
    expect(slices()).toBe(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(slices()).toBe(2)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(slices()).toBe(2)
  })

  it('lets batches gather for five seconds and folds them together', async () => {
    const { slices, stored } = folderOf([all])
    await vi.advanceTimersByTimeAsync(gatherMs)
    stored(1)
    await vi.advanceTimersByTimeAsync(gatherMs / 2)
    stored(2)
    await vi.advanceTimersByTimeAsync(gatherMs / 2 - 1)
    expect(slices()).toBe(1)
    await vi.advanceTimersByTimeAsync(gatherMs)
    expect(slices()).toBe(2)
  })

  it('works a tenth of the time while visits come in fast', async () => {
    const { slices, stored } = folderOf([{ done: false, upTo: 1 }], { isBusy: true, sliceMs: 10 })
    stored(2)
    await vi.advanceTimersByTimeAsync(gatherMs + 10 * 100)
    expect(slices()).toBe(11)
  })

  it('does not rest when too many batches wait', async () => {
    const { slices, stored } = folderOf([{ done: false, upTo: 1 }], { isBusy: true, sliceMs: 10 })
    stored(502)
    await vi.advanceTimersByTimeAsync(gatherMs + 10 * 12)
    expect(slices()).toBe(11)
  })

  it('tries again, less and less often, when it fails', async () => {
    const { slices, log } = folderOf([new Error('no'), new Error('no'), all])
    await vi.advanceTimersByTimeAsync(gatherMs)
    expect(slices()).toBe(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(slices()).toBe(2)
    await vi.advanceTimersByTimeAsync(199)
    expect(slices()).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(slices()).toBe(3)
    expect(log.lines).toEqual(['It fails.', 'It works again.'])
  })

  it('leaves visits that another server folds to it, and looks again later without a failure', async () => {
    const { slices, log } = folderOf([elsewhere, elsewhere, all])
    await vi.advanceTimersByTimeAsync(2 * gatherMs - 1)
    expect(slices()).toBe(1)
    await vi.advanceTimersByTimeAsync(gatherMs + 1)
    expect(slices()).toBe(3)
    expect(log.lines).toEqual([])
  })

  it('waits for another server that folds what somebody wants to see', async () => {
    const folder = folderOf([...Array(6).fill(elsewhere), all])
    vi.useRealTimers()
    const askedAt = Date.now()
    await folder.foldNow()
    expect(Date.now() - askedAt).toBeGreaterThan(1_000)
    expect(folder.slices()).toBe(7)
    expect(folder.log.lines).toEqual([])
  })

  it('goes no further than was stored when it was asked for the counts', async () => {
    const folder = folderOf([
      { done: false, upTo: 3 },
      { done: false, upTo: 7 },
    ])
    folder.stored(7)
    const folded = folder.foldNow()
    folder.stored(100)
    await folded
    expect(folder.slices()).toBe(2)
  })

  it('does nothing for the counts when nothing was stored since', async () => {
    const folder = folderOf([all])
    await folder.foldNow()
    await folder.foldNow()
    expect(folder.slices()).toBe(1)
    folder.stored(1)
    await folder.foldNow()
    expect(folder.slices()).toBe(2)
  })

  it('ends at its time when it is closed, and takes no failure after that for one', async () => {
    const { close, slices, log } = folderOf([{ done: false, upTo: 1 }, new Error('closed')], {
      sliceMs: 60,
    })
    const closed = close(100)
    await vi.advanceTimersByTimeAsync(100)
    expect(await closed).toBe(false)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(slices()).toBe(2)
    expect(log.lines).toEqual([])
  })

  it('says whether everything was folded when it was closed', async () => {
    expect(await folderOf([all]).close(1_000)).toBe(true)
  })

  it('says why the counts cannot be had', async () => {
    await expect(folderOf([new Error('disk full')]).foldNow()).rejects.toThrow('disk full')
  })
})
