import { describe, expect, it } from 'vitest'
import { mostWorkers, shareMemory } from '../../../../core/lib/memory/memory-shares.ts'

const mebibyte = 2 ** 20

describe('the shares of a memory limit', () => {
  it('are all that the parts can use, from 1 GiB on', () => {
    const { limitBytes, shortBytes, counting, ...shares } = shareMemory(8 * 1024 * mebibyte)
    expect(shares).toEqual({
      running: 500,
      bodiesBytes: 256 * mebibyte,
      answerBytes: 32 * mebibyte,
      guessers: 20_000,
      links: 100_000,
      waitingVisitsBytes: 64 * mebibyte,
      locationPagesBytes: 16 * mebibyte,
      foldBytes: 8 * mebibyte,
      sliceWork: 25_000,
      countedValues: 200_000,
      sumsOfMinutes: 250_000,
      computations: 8,
      summedValues: 250_000,
      databasePagesBytes: 2 * mebibyte,
      growingPercent: 0,
      isTight: false,
    })
    expect(counting.youngBytes).toBe(48 * mebibyte)
    expect({ ...shareMemory(1024 * mebibyte), limitBytes, shortBytes, counting }).toEqual({
      ...{ ...shares, limitBytes, shortBytes, counting },
    })
  })

  it.each([64, 128, 192, 256, 384, 512, 768])('leave room for the rest, of %i MiB', limit => {
    const { links, waitingVisitsBytes, locationPagesBytes, shortBytes } = shareMemory(
      limit * mebibyte,
    )
    // A link takes a kilobyte on both threads, and three files of locations may be in use.
    const kept = links * 1_024 + waitingVisitsBytes + 3 * locationPagesBytes
    expect(kept).toBeLessThan((limit * mebibyte) / 4)
    expect(shortBytes).toBeLessThan(limit * mebibyte)
  })

  it('leave less to everything where memory counts for more than speed', () => {
    const [tight, small] = [shareMemory(128 * mebibyte), shareMemory(192 * mebibyte)]
    expect([tight.isTight, small.isTight]).toEqual([true, false])
    expect([tight.computations, small.computations]).toEqual([1, 2])
    expect(tight.databasePagesBytes).toBeLessThan(small.databasePagesBytes)
    expect(tight.growingPercent).toBeLessThan(small.growingPercent)
    // Beside it, the kernel and the files that Node reads again and again need as much as with a higher limit.
    expect(128 * mebibyte - tight.shortBytes).toBeGreaterThan(28 * mebibyte)
  })

  it('leave something to every part, however little there is', () => {
    const { isTight: _, counting, ...shares } = shareMemory(16 * mebibyte)
    for (const share of [...Object.values(shares), ...Object.values(counting)]) {
      expect(share).toBeGreaterThan(0)
    }
  })
})

it('has room for as many workers as have what a small container has, beside the process that starts them', () => {
  const within = [64, 128, 256, 319, 320, 512, 1024].map(it => mostWorkers(it * mebibyte))
  expect(within).toEqual([1, 1, 1, 1, 2, 3, 7])
})
