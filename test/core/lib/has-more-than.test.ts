import { expect, it } from 'vitest'
import { hasMoreThan } from '../../../core/lib/has-more-than.ts'

const shared = { a: 'bc' }

it.each([
  ['nothing', undefined, 0],
  ['a number', 7, 0],
  ['a text', 'abc', 3],
  ['bytes', new Uint8Array(5), 5],
  ['a list', ['ab', 'c', []], 6],
  ['an object', { a: 'b', c: { d: 'ef' } }, 6],
  ['an object with another twice', { one: shared, two: [shared] }, 9],
])('%s has as much as it has', (_, value, size) => {
  expect(hasMoreThan(value, size)).toBe(false)
  if (size > 0) expect(hasMoreThan(value, size - 1)).toBe(true)
})

it('a value with more entries than it may have has more, however small they are', () => {
  expect(hasMoreThan({ a: [1, 2], b: 'text' }, 100, 4)).toBe(false)
  expect(hasMoreThan({ a: [1, 2], b: 'text' }, 100, 3)).toBe(true)
})

it.each([
  ['a list of holes', new Array(2 ** 32 - 1)],
  ['a list of lists of holes', [[], [[new Array(2 ** 32 - 1)]]]],
  ['a list of three million', new Array(3_000_000).fill('low')],
  ['bytes', { all: new Uint8Array(2_000_000) }],
  ['a text that stands in it often', new Array(1_000).fill('low'.repeat(1_000))],
])('%s is found to be more without a look at all', (_, value) => {
  const begun = performance.now()
  expect(hasMoreThan(value, 1_000_000)).toBe(true)
  expect(performance.now() - begun).toBeLessThan(500)
})

const parent: { a: number; child?: unknown } = { a: 1 }
parent.child = { parent }
const list: unknown[] = ['low']
list.push([list])

it.each([
  ['an object that has itself in it by another', parent],
  ['a list that has itself in it', list],
  ['an object with both', { one: { two: [parent, list] } }],
])('%s has more than anything, which is known as soon as it is met again', (_, value) => {
  expect(hasMoreThan(value, Number.MAX_SAFE_INTEGER)).toBe(true)
})
