import { describe, expect, it } from 'vitest'
import { openSums, type SumKey } from '../../../../core/visits/read/sum-up.ts'

const other = 99
const most = 6

type Counts = readonly (readonly [value: number, count: number])[]

/** Adds up the counts of some dimensions, in this order. */
function summed(by: SumKey, ...dimensions: readonly Counts[]): readonly Record<number, number>[] {
  const { all, open } = openSums(new Map(dimensions.map((_, it) => [it, by])), other, most)
  for (const [dimension, counts] of dimensions.entries()) {
    for (const [at, [value, count]] of counts.entries()) open(dimension, at)?.(value, count)
  }
  return dimensions.map((_, it) => Object.fromEntries(all.get(it) ?? []))
}

describe('too many values', () => {
  const counts = [3, 9, 1, 8, 2, 7, 1].map((count, at) => [at, count] as const)

  it('leave the most frequent ones, and the others count as other values', () => {
    expect(summed('value', counts)).toEqual([{ 1: 9, 3: 8, [other]: 3 + 1 + 2 + 7 + 1 }])
    expect(summed('value', [...counts, [other, 50]])).toEqual([{ 1: 9, 3: 8, [other]: 50 + 14 }])
  })

  it('lose no visit if all are as frequent', () => {
    const [sums = {}] = summed(
      'value',
      Array.from({ length: 7 }, (_, value) => [value, 1]),
    )
    expect(Object.values(sums).reduce((sum, count) => sum + count, 0)).toBe(7)
    expect(sums).toMatchObject({ [other]: 5 })
  })

  it('are those of all dimensions together, and the one with most of them gives way', () => {
    const few: Counts = [
      [1, 1],
      [2, 1],
    ]
    const [large = {}, small, last] = summed('value', counts.slice(0, 5), few, few)
    expect(small).toEqual({ 1: 1, 2: 1 })
    expect(last).toEqual({ 1: 1, 2: 1 })
    expect(large).toEqual({ 1: 9, [other]: 3 + 1 + 8 + 2 })
  })

  it('change nothing where they are few', () => {
    const few = [1, 2, 3, 4, 5, 6].map(value => [value, value] as const)
    expect(summed('value', few)).toEqual([Object.fromEntries(few)])
  })

  it('are not hours, of which a period has so many and no more', () => {
    const hours = counts.map(([at, count]) => [at, count] as const)
    expect(summed('hour', hours)).toEqual([Object.fromEntries(counts)])
  })
})
