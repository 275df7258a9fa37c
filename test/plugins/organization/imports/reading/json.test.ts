import { expect, it } from 'vitest'
import { parseJson } from '../../../../../plugins/organization/imports/reading/json.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it('reads JSON, also with control characters in its texts', () => {
  expect(parseJson('{"a": [1, "[,{\\"]", null]}', 10)).toEqual({ a: [1, '[,{"]', null] })
  expect(parseJson('["a\u0001b"]', 10)).toEqual(['a b'])
  expect(parseJson('nothing', 10)).toBeUndefined()
})

it('reads none that is nested too deep or has too many values, whatever is in its texts', () => {
  expect(parseJson(nested(100), 1_000)).toBeDefined()
  expect(parseJson(nested(101), 1_000)).toBeUndefined()
  expect(parseJson(nested(900_000), 1_000_000)).toBeUndefined()
  expect(parseJson('[[],[],[]]', 6)).toHaveLength(3)
  expect(parseJson('[[],[],[]]', 5)).toBeUndefined()
  expect(parseJson(`"${'[,{'.repeat(1_000)}"`, 5)).toHaveLength(3_000)
})
