import { expect, it } from 'vitest'
import { weightOf } from '../../../../../plugins/organization/imports/engine/weight.ts'

it('counts texts, and what stands in each other', () => {
  expect(weightOf('abc', 1_000)).toBe(19)
  expect(weightOf({ a: ['abc', 1] }, 1_000)).toBeGreaterThan(weightOf({ a: ['abc'] }, 1_000))
})

it('ends soon for what is made to take long, however deep it is', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  const most = 2 ** 23
  expect(weightOf(deep, most)).toBeGreaterThan(most)
  expect(weightOf(new Array(1_000_000).fill(1), 1_000)).toBeLessThan(2_000)
})
