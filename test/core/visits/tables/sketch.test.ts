import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  estimateDistinct,
  markOf,
  mergeInto,
  packSketch,
  rankOf,
  registerOf,
  registers,
} from '../../../../core/visits/tables/sketch.ts'
import { firstOf, itAtNight, tries } from '../../../at-night.ts'

/** Few marks and many, so that both forms come up. */
const marks = fc
  .oneof(
    fc.array(fc.nat({ max: 2 ** 32 - 1 }), { maxLength: 20 }),
    fc.array(fc.nat({ max: 2 ** 32 - 1 }), { minLength: 1_500, maxLength: 2_500 }),
  )
  .map(hashes => hashes.map(markOf))

/** The marks of a sketch, in the order of their registers. */
function marksOf(sketch: Buffer): readonly number[] {
  const ranks = new Uint8Array(registers)
  mergeInto(ranks, sketch)
  return Array.from(ranks, (rank, register) => (register << 4) | rank).filter(it => rankOf(it) > 0)
}

const merged = (...sketches: readonly Buffer[]) =>
  sketches.reduce((all, sketch) => packSketch(marksOf(sketch), all))

/** So many different values, others for each seed; always the same, for an error is a matter of luck. */
function sketchesOf(count: number, seed = 0): Buffer {
  const mark = (value: number) =>
    markOf(Number.parseInt(hash('sha256', `${seed} ${value}`).slice(0, 8), 16))
  return packSketch(Array.from({ length: count }, (_, value) => mark(value)))
}

describe('a mark', () => {
  it('is the register of twelve bits, and how many zeroes follow them', () => {
    const mark = (bits: string) => markOf(Number.parseInt(bits.padEnd(32, '0'), 2))
    expect(registerOf(mark('000000000101'))).toBe(5)
    expect(registerOf(mark('111111111111'))).toBe(registers - 1)
    expect(rankOf(mark('0000000001011'))).toBe(1)
    expect(rankOf(mark('000000000101001'))).toBe(3)
    expect(rankOf(mark('000000000101'))).toBe(15)
  })
})

describe('a sketch', () => {
  it('has the highest mark of each register, in their order', () => {
    fc.assert(
      fc.property(marks, marks => {
        const highest = new Map<number, number>()
        for (const mark of marks) {
          highest.set(registerOf(mark), Math.max(mark, highest.get(registerOf(mark)) ?? 0))
        }
        const expected = [...highest.values()].sort((one, other) => one - other)
        expect(marksOf(packSketch(marks))).toEqual(expected)
      }),
    )
  })

  it('is merged in any order, in any groups, and with itself, to the same bytes', () => {
    fc.assert(
      fc.property(marks, marks, marks, (...all) => {
        const [a, b, c] = all.map(marks => packSketch(marks)) as [Buffer, Buffer, Buffer]
        expect(merged(a, b)).toEqual(merged(b, a))
        expect(merged(merged(a, b), c)).toEqual(merged(a, merged(b, c)))
        expect(merged(a, a, b)).toEqual(merged(a, b))
        expect(merged(a, b)).toEqual(packSketch(all.slice(0, 2).flat()))
      }),
      tries(40),
    )
  })

  it('takes two bytes a value at first, and 2,048 at most', () => {
    expect(packSketch([])).toHaveLength(0)
    expect(sketchesOf(1)).toHaveLength(2)
    expect(sketchesOf(10).length).toBeLessThanOrEqual(20)
    expect(sketchesOf(1_000).length).toBeLessThan(2_000)
    expect(sketchesOf(10_000)).toHaveLength(2_048)
  })

  it('is refused when its bytes are none', () => {
    for (const bytes of [1, 2_047, 2_050]) {
      expect(() => packSketch([], Buffer.alloc(bytes))).toThrow(RangeError)
    }
  })
})

describe('the estimate', () => {
  it('is none of none, and exact of a few', () => {
    expect(estimateDistinct([])).toBe(0)
    for (const count of [1, 2, 5]) {
      const mark = (value: number) => ((value * 37) << 4) | 1
      const sketch = packSketch(Array.from({ length: count }, (_, value) => mark(value)))
      expect(Math.round(estimateDistinct([sketch]))).toBe(count)
    }
  })

  it('is what it would be of the merged sketch', () => {
    fc.assert(
      fc.property(marks, marks, (a, b) => {
        const together = estimateDistinct([packSketch(a), packSketch(b)])
        expect(together).toBe(estimateDistinct([packSketch([...a, ...b])]))
      }),
    )
  })

  const standardError = 1.04 / Math.sqrt(registers)

  it.each(firstOf(6, [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]))(
    'of %i values is right within three standard errors, and without a bias',
    count => {
      const errors = Array.from(
        { length: 8 },
        (_, seed) => estimateDistinct([sketchesOf(count, seed)]) / count - 1,
      )
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(3 * standardError)
      expect(Math.abs(mean)).toBeLessThan((3 * standardError) / Math.sqrt(errors.length))
    },
  )

  itAtNight('holds where registers are full', () => {
    let state = 1
    // A generator of Marsaglia's, xorshift32: ten million digests would take too long.
    const random = () => {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return state >>> 0
    }
    const ranks = new Map<number, number>()
    for (let value = 0; value < 10_000_000; value += 1) {
      const mark = markOf(random())
      const register = registerOf(mark)
      if (mark > (ranks.get(register) ?? 0)) ranks.set(register, mark)
    }
    const estimate = estimateDistinct([packSketch([...ranks.values()])])
    expect(Math.abs(estimate / 10_000_000 - 1)).toBeLessThan(3 * standardError)
  })
})
