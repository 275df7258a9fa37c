import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  eachCount,
  packCounts,
  type RowCounts,
  unpackCounts,
} from '../../../../core/visits/tables/packed-counts.ts'

const id = fc.integer({ min: 1, max: 2 ** 31 })
const amount = fc.oneof(
  fc.constant(1),
  fc.integer({ min: -300, max: 300 }).filter(it => it !== 0),
  fc.integer({ min: 1, max: 2 ** 50 }),
)

/** Counts of a row: each pair once, in order. */
const counts = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.integer({ min: 1, max: 5 }), id), id, amount), {
    selector: ([dimension, value]) => `${dimension} ${value}`,
  })
  .map(all => all.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat())

const pack = (all: RowCounts, hour = 495_612) => packCounts(hour, all) ?? Buffer.of()

function sumsOf(...rows: readonly RowCounts[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 3) {
      const key = `${row[at]} ${row[at + 1]}`
      sums.set(key, (sums.get(key) ?? 0) + (row[at + 2] ?? 0))
    }
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0))
}

describe('counts of an hour', () => {
  it('are unpacked as they were packed', () => {
    fc.assert(
      fc.property(counts, all => {
        expect(unpackCounts(pack(all))).toEqual(all)
      }),
    )
  })

  it('are read one row after another as if they were one', () => {
    fc.assert(
      fc.property(fc.array(counts), rows => {
        expect(unpackCounts(Buffer.concat(rows.map(row => pack(row))))).toEqual(rows.flat())
      }),
    )
  })

  it('say of which bucket they are, also among others', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 2 ** 22 }), counts)), rows => {
        const packed = Buffer.concat(rows.map(([bucket, all]) => pack(all, bucket)))
        const seen: number[] = []
        eachCount(packed, (dimension, bucket) => (value, count) => {
          seen.push(bucket, dimension, value, count)
        })
        const all = rows.flatMap(([bucket, of]) =>
          of.flatMap((number, at) => (at % 3 === 0 ? [bucket, number] : [number])),
        )
        expect(seen).toEqual(all)
      }),
    )
  })

  it('are skipped by dimension where nobody looks at them', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 6 }), (all, wanted) => {
        const seen: number[] = []
        eachCount(pack(all), dimension =>
          dimension === wanted
            ? (value, count) => {
                seen.push(dimension, value, count)
              }
            : undefined,
        )
        const ofWanted: number[] = []
        for (let at = 0; at < all.length; at += 3) {
          if (all[at] === wanted) ofWanted.push(...all.slice(at, at + 3))
        }
        expect(seen).toEqual(ofWanted)
      }),
    )
  })

  it('are added up in order, and what comes to nothing is left out', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const both = packCounts(7, b, pack(a, 7)) ?? Buffer.of()
        expect(sumsOf(unpackCounts(both))).toEqual(sumsOf(a, b))
        expect(both).toEqual(pack(unpackCounts(both), 7))
        const without = packCounts(7, unpackCounts(pack(b), -1), both) ?? Buffer.of()
        expect(without).toEqual(pack(a, 7))
        expect(packCounts(7, unpackCounts(pack(a), -1), pack(a, 7))).toBeUndefined()
      }),
    )
  })

  it('of a single visit take about three bytes for a dimension', () => {
    const visit = Array.from({ length: 13 }, (_, dimension) => [dimension + 1, 5_000, 1]).flat()
    expect(pack(visit).length).toBeLessThanOrEqual(1 + 3 + 13 * 3)
  })

  it.each([
    ['nothing that is known', [2, 4]],
    ['a later format', [0, 1, 3, 3]],
    ['a dimension that ends too early', [1, 5, 2, 9, 3]],
    ['a dimension that ends too late', [1, 5, 2, 1, 128, 1]],
    ['a count that is cut off', [1, 5, 3]],
  ])('are refused where the bytes are %s', (_, bytes) => {
    expect(() => unpackCounts(Uint8Array.from(bytes))).toThrow(RangeError)
  })
})
