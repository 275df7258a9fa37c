import { expect, test } from 'vitest'
import { weighted } from '../../../../core/lib/text/weighted.ts'

test.each([
  ['de-AT', [['de-AT', 1]]],
  [
    'de;q=0.5, en',
    [
      ['de', 0.5],
      ['en', 1],
    ],
  ],
  ['text/html; level=1; Q=0.25', [['text/html', 0.25]]],
  [
    'a;q=0,b;q=1.000',
    [
      ['a', 0],
      ['b', 1],
    ],
  ],
  [
    'a;q=2, b;q=-1, c;q=much',
    [
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ],
  ],
  ['', [['', 1]]],
])('%j has values with weights', (header, values) => {
  expect(weighted(header).map(({ value, weight }) => [value, weight])).toEqual(values)
})
