import { expect, it } from 'vitest'
import { hasMoreThan } from '../../../core/lib/has-more-than.ts'

it.each([
  ['nothing', undefined, 0],
  ['a number', 7, 0],
  ['a text', 'abc', 3],
  ['bytes', new Uint8Array(5), 5],
  ['a list', ['ab', 'c', []], 6],
  ['an object', { a: 'b', c: { d: 'ef' } }, 6],
])('%s has as much as it has', (_, value, size) => {
  expect(hasMoreThan(value, size)).toBe(false)
  if (size > 0) expect(hasMoreThan(value, size - 1)).toBe(true)
})

it.each([
  ['a list of holes', new Array(2 ** 32 - 1)],
  ['a list of lists of holes', [[], [[new Array(2 ** 32 - 1)]]]],
  ['a list of three million', new Array(3_000_000).fill('low')],
  ['bytes', { all: new Uint8Array(2_000_000) }],
  ['a text that stands in it often', new Array(1_000).fill('low'.repeat(1_000))],
  ['what has itself in it', Object.assign([], { 0: 0 })],
])('%s is found to be more without a look at all', (_, value) => {
  if (Array.isArray(value) && value[0] === 0) value.push(value, value)
  const begun = performance.now()
  expect(hasMoreThan(value, 1_000_000)).toBe(true)
  expect(performance.now() - begun).toBeLessThan(500)
})
