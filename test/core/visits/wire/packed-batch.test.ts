import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNameTable } from '../../../../core/visits/wire/name-table.ts'
import { openBatch, packBatch } from '../../../../core/visits/wire/packed-batch.ts'
import { countAt, countLength, type VisitBatch } from '../../../../core/visits/wire/visit-batch.ts'

const whole = fc.maxSafeNat()
const name = fc.record({
  dimension: fc.string({ unit: 'grapheme' }),
  value: fc.string({ unit: 'grapheme', maxLength: 128 }),
  bots: fc.constant<boolean>(false),
  summed: fc.constant<boolean>(true),
})
const marks = fc
  .uniqueArray(fc.nat({ max: 65_535 }))
  .map((numbers): readonly number[] => numbers.sort((one, other) => one - other))
const links = fc.array(
  fc.record({
    linkId: whole,
    visits: whole,
    lastVisitAt: whole,
    counts: fc.array(fc.record({ name, hour: whole, count: whole })),
    marked: fc.array(fc.record({ name, day: whole, visits: whole, marks })),
  }),
)
type Links = typeof links extends fc.Arbitrary<infer T> ? T : never

/** The batch with its names in a table. */
function batchOf(links: Links): VisitBatch {
  const names = createNameTable()
  const numbered = links.map(link => ({
    ...link,
    counts: link.counts.flatMap(({ name, hour, count }) => [names.numberOf(name), hour, count]),
    marked: link.marked.map(it => ({ ...it, name: names.numberOf(it.name) })),
  }))
  return { names, links: numbered }
}

/** What is in the bytes, its names spelled out. */
function unpack(packed: Uint8Array): Links {
  const names = createNameTable()
  const { links, read } = openBatch(packed, names)
  // In whatever order they are read.
  const unpacked = links.toReversed().map(({ place }) => read(place))
  return unpacked.toReversed().map(link => ({
    ...link,
    counts: Array.from({ length: link.counts.length / countLength }, (_, index) => {
      const { name, ...rest } = countAt(link.counts, index * countLength)
      return { name: names.name(name), ...rest }
    }),
    marked: link.marked.map(it => ({ ...it, name: names.name(it.name) })),
  }))
}

describe('a packed batch', () => {
  it('unpacks to what was packed, whatever that is', () => {
    fc.assert(
      fc.property(links, batch => {
        expect(unpack(packBatch(batchOf(batch)))).toEqual(batch)
      }),
    )
  })

  it('holds a name once, however many links count under it', () => {
    const name = { dimension: 'visitsByBrowser', value: 'Firefox', bots: false, summed: false }
    const batch = Array.from({ length: 500 }, (_, linkId) => ({
      linkId,
      visits: 1,
      lastVisitAt: 1_795_000_000_000,
      counts: [{ name, hour: 498_612, count: 1 }],
      marked: [],
    }))
    const packed = packBatch(batchOf(batch))
    expect(packed.toString('latin1').split('Firefox')).toHaveLength(2)
    expect(packed.length).toBeLessThan(500 * 14)
  })

  it('is refused when its end is missing, or something follows it', () => {
    fc.assert(
      fc.property(links, fc.double({ min: 0, max: 0.999, noNaN: true }), (batch, part) => {
        const packed = packBatch(batchOf(batch))
        const cut = packed.subarray(0, Math.floor(packed.length * part))
        expect(() => unpack(cut)).toThrow(RangeError)
        expect(() => unpack(Buffer.concat([packed, Buffer.of(0)]))).toThrow(RangeError)
      }),
    )
  })

  it('is refused when a newer program packed it', () => {
    const packed = packBatch(batchOf([]))
    packed[0] = 3
    expect(() => unpack(packed)).toThrow('version 3 is not known here')
  })
})
