import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packBatch, unpackBatch } from '../../../core/visits/packed-batch.ts'
import type { VisitBatch } from '../../../core/visits/visit-batch.ts'

const whole = fc.maxSafeNat()
const batches: fc.Arbitrary<VisitBatch> = fc.array(
  fc.record({
    linkId: whole,
    visits: whole,
    lastVisitAt: whole,
    counts: fc.array(
      fc.record({
        name: fc.record({
          dimension: fc.string({ unit: 'grapheme' }),
          value: fc.string({ unit: 'grapheme', maxLength: 128 }),
          bots: fc.boolean(),
        }),
        hour: whole,
        count: whole,
      }),
    ),
  }),
)

describe('a packed batch', () => {
  it('unpacks to what was packed, whatever that is', () => {
    fc.assert(
      fc.property(batches, batch => {
        expect(unpackBatch(packBatch(batch))).toEqual(batch)
      }),
    )
  })

  it('holds a name once, however many links count under it', () => {
    const name = { dimension: 'visitsByBrowser', value: 'Firefox', bots: false }
    const batch = Array.from({ length: 500 }, (_, linkId) => ({
      linkId,
      visits: 1,
      lastVisitAt: 1_795_000_000_000,
      counts: [{ name, hour: 498_612, count: 1 }],
    }))
    expect(packBatch(batch).toString('latin1').split('Firefox')).toHaveLength(2)
    expect(packBatch(batch).length).toBeLessThan(500 * 14)
  })

  it('is refused when its end is missing, or something follows it', () => {
    fc.assert(
      fc.property(batches, fc.double({ min: 0, max: 0.999, noNaN: true }), (batch, part) => {
        const packed = packBatch(batch)
        const cut = packed.subarray(0, Math.floor(packed.length * part))
        expect(() => unpackBatch(cut)).toThrow(RangeError)
        expect(() => unpackBatch(Buffer.concat([packed, Buffer.of(0)]))).toThrow(RangeError)
      }),
    )
  })

  it('is refused when a newer program packed it', () => {
    const packed = packBatch([])
    packed[0] = 2
    expect(() => unpackBatch(packed)).toThrow('version 2 is not known here')
  })
})
