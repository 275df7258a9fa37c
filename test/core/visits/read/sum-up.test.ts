import { describe, expect, it } from 'vitest'
import { keepMostFrequent } from '../../../../core/visits/read/sum-up.ts'

const other = 99

function kept(counts: readonly (readonly [value: number, count: number])[]): object {
  const sums = new Map(counts)
  keepMostFrequent(sums, other, 6)
  return Object.fromEntries(sums)
}

describe('too many values of a dimension', () => {
  it('leave the most frequent ones, and the others count as other values', () => {
    const counts = [3, 9, 1, 8, 2, 7, 1].map((count, at) => [at, count] as const)
    expect(kept(counts)).toEqual({ 1: 9, 3: 8, [other]: 3 + 1 + 2 + 7 + 1 })
    expect(kept([...counts, [other, 50]])).toEqual({ 1: 9, 3: 8, [other]: 50 + 14 })
  })

  it('lose no visit if all are as frequent', () => {
    const sums = kept(Array.from({ length: 7 }, (_, value) => [value, 1] as const))
    expect(Object.values(sums).reduce((sum, count) => sum + count, 0)).toBe(7)
    expect(sums).toMatchObject({ [other]: 5 })
  })

  it('change nothing where they are few', () => {
    const few = [1, 2, 3, 4, 5, 6].map(value => [value, value] as const)
    expect(kept(few)).toEqual(Object.fromEntries(few))
  })
})
