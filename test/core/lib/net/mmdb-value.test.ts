import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMmdbValue } from '../../../../core/lib/net/mmdb-value.ts'

const read = (...bytes: number[]) => {
  const all = Buffer.from(bytes)
  const file = {
    size: all.length,
    bytes: all,
    locate(at: number) {
      if (at >= 0 && at < all.length) return at
      throw new RangeError('it ends before')
    },
    copy(at: number, length: number) {
      if (at + length <= all.length) return all.subarray(at, at + length)
      throw new RangeError('it ends before')
    },
  }
  return readMmdbValue(file, 0, 0)
}
const text = (value: string) => [(2 << 5) | value.length, ...Buffer.from(value)]

describe('a value of an MMDB file', () => {
  it.each<[what: string, bytes: readonly number[], value: unknown]>([
    ['a text', text('Oslo'), 'Oslo'],
    ['a text of 29 bytes', [(2 << 5) | 29, 0, ...Buffer.alloc(29, 'x')], 'x'.repeat(29)],
    ['a text of 300', [(2 << 5) | 30, 0, 15, ...Buffer.alloc(300, 'x')], 'x'.repeat(300)],
    [
      'a text of 65,821',
      [(2 << 5) | 31, 0, 0, 0, ...Buffer.alloc(65_821, 'x')],
      'x'.repeat(65_821),
    ],
    ['a number of 16 bits', [(5 << 5) | 2, 1, 2], 258],
    ['a number of no bytes', [6 << 5], 0],
    ['a number of 64 bits', [6, 2, 1, 0, 0, 0, 0, 1], 2 ** 40 + 1],
    ['yes', [1, 7], true],
    ['no', [0, 7], false],
    ['a list', [2, 4, ...text('a'), ...text('b')], ['a', 'b']],
    ['a map', [(7 << 5) | 1, ...text('a'), ...text('b')], { a: 'b' }],
    [
      'a list of a fraction, a longer number and bytes, which are skipped',
      [4, 4, (3 << 5) | 8, 1, 2, 3, 4, 5, 6, 7, 8, 4, 8, 1, 2, 3, 4, (4 << 5) | 1, 9, ...text('a')],
      [undefined, undefined, undefined, 'a'],
    ],
    [
      'two texts that are the same, of which one points at the other',
      [2, 4, ...text('a'), 1 << 5, 2],
      ['a', 'a'],
    ],
  ])('is %s', (_, bytes, value) => {
    expect(read(...bytes)).toEqual(value)
  })

  it.each<[what: string, bytes: readonly number[]]>([
    ['nothing', []],
    ['zeros', [0, 0, 0, 0]],
    ['a type that nobody knows', [0, 5]],
    ['a text that is cut off', [(2 << 5) | 4, 65]],
    ['a number that is cut off', [(6 << 5) | 4, 1]],
    ['a list in itself', [1, 4, 1 << 5, 0]],
    ['a pointer to itself', [1 << 5, 0]],
    ['a pointer beyond the end', [1 << 5, 200]],
    ['millions of values', [31, 4, 255, 255, 255, ...Buffer.alloc(20_000, 6 << 5)]],
  ])('is refused: %s', (_, bytes) => {
    expect(() => read(...bytes)).toThrow(/^it (is damaged|ends before)$/)
  })

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        try {
          read(...bytes)
        } catch (error) {
          expect(String(error)).toMatch(/it (is damaged|ends before)$/)
        }
      }),
      { numRuns: 5_000 },
    )
  })
})
