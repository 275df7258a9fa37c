import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nameAsSent,
  pathOf,
  readNames,
  toCamel,
  toSnake,
} from '../../../../core/lib/text/casing.ts'

const camelCased = (sent: unknown) => readNames(sent).value

describe('casing', () => {
  test.each([
    ['original_url', 'originalUrl'],
    ['utm_source_2', 'utmSource2'],
    ['originalUrl', 'originalUrl'],
    ['__proto__', '__proto__'],
    ['_private', '_private'],
    ['a__b', 'a__b'],
    ['Original_Url', 'Original_Url'],
    ['', ''],
  ])('%s becomes %s', (sent, name) => expect(toCamel(sent)).toBe(name))

  test('there and back is the same name', () => {
    const names = fc.stringMatching(/^[a-z]+([A-Z][a-z]+)*$/)
    fc.assert(fc.property(names, name => toCamel(toSnake(name)) === name))
  })

  test('sets no prototype', () => {
    const cased = camelCased(JSON.parse('{"__proto__":{"a_b":1},"c":[{"__proto__":null}]}'))
    expect(Object.getPrototypeOf(cased)).toBe(Object.prototype)
    expect(JSON.stringify(cased)).toBe('{"__proto__":{"aB":1},"c":[{"__proto__":null}]}')
  })

  test('changes no value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const sent = JSON.parse(JSON.stringify({ value }))
        const again = camelCased(camelCased(sent))
        return JSON.stringify(again) === JSON.stringify(camelCased(sent))
      }),
    )
    expect(camelCased({ a_b: ['c_d', 1, null, true] })).toEqual({ aB: ['c_d', 1, null, true] })
  })

  test('finds every field that was sent twice', () => {
    const sent = { a_b: 1, aB: 2, list: [{ c_d: 1, cD: { e_f: 1, eF: 1 } }] }
    expect(readNames(sent).twice.map(it => it.field)).toEqual(['aB', 'list[0].cD', 'list[0].cD.eF'])
  })

  test('finds every name that zod would pass over', () => {
    const sent = JSON.parse('{"__proto__":1,"a":[{"b":{"__proto__":{}}}],"c":"__proto__"}')
    expect(readNames(sent).unsafe).toEqual(['__proto__', 'a[0].b.__proto__'])
  })

  test('finds the name that was sent again', () => {
    const sent = { link_rules: [{ originalUrl: 1 }] }
    const path = ['linkRules', 0, 'originalUrl', 'deepName']
    expect(nameAsSent(sent, path, 'snake')).toBe('link_rules[0].originalUrl.deep_name')
    expect(nameAsSent(sent, path, 'camel')).toBe('link_rules[0].originalUrl.deepName')
  })

  test('reads a name as the path it stands for', () => {
    expect(pathOf('rules[2].original_url')).toEqual(['rules', 2, 'originalUrl'])
  })
})
