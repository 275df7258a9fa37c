import { expect, test } from 'vitest'
import { excessOf } from '../../../../core/lib/text/json.ts'

const of = (text: string) => excessOf(new TextEncoder().encode(text))?.of
const many = (count: number, value: string) => Array.from({ length: count }, () => value).join(',')
const named = (count: number) => Array.from({ length: count }, (_, n) => `"n${n}":1`).join(', ')

test.each([
  ['a list is itself a value', `[${many(49_999, '1')}]`, `[${many(50_000, '1')}]`],
  ['an empty one has none inside', `[${many(49_999, '[ ]')}]`, `[${many(50_000, '{}')}]`],
  ['what looks like more in a text', `["${'[{,:'.repeat(60_000)}"]`, `[${many(50_000, '","')}]`],
  ['a quote that is escaped', `["\\"${'[,'.repeat(60_000)}\\\\"]`, `["\\\\",${many(50_000, '1')}]`],
  ['a thousand names in one object', `{${named(1_000)}}`, `{${named(1_001)}}`],
  [
    'names of objects beside each other',
    `[{${named(999)}},{${named(999)}}]`,
    `{"a":{${named(1_001)}}}`,
  ],
  ['the names around an object', `{"a":{"b":1},${named(999)}}`, `{"a":{"b":1},${named(1_000)}}`],
])('values of JSON are counted as a parser would count them: %s', (_, most, more) => {
  expect([JSON.parse(most), of(most)]).toEqual([expect.anything(), undefined])
  expect([JSON.parse(more), of(more)]).toEqual([expect.anything(), 'size'])
})

test('the depth of JSON is counted', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  expect([of(deep(33)), of(deep(34)), of('['.repeat(1_000_000))]).toEqual([
    undefined,
    'depth',
    'depth',
  ])
  expect(of(`[${many(1_000, '[[]]')}]`)).toBeUndefined()
})

test('a text that is no JSON is measured like any other', () => {
  for (const text of ['', '"', '"\\', ']]]', '}:,', '{"a"', '\\"']) expect(of(text)).toBeUndefined()
})
