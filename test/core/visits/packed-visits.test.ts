import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVisitPacker, createVisitUnpacker } from '../../../core/visits/packed-visits.ts'
import type { RawVisit, TrackedLink } from '../../../core/visits/visit.ts'

const owner = { accountId: 1, collect: ['visits'], maxTrackedVisits: 10 }

function linkOf(id: number): TrackedLink {
  const view = {
    id: `lnk_${id}`,
    rowId: id,
    domain: '',
    shortCode: `c${id}`,
    originalUrl: 'https://a/',
  }
  return { id, view, owner }
}

const links = Array.from({ length: 5 }, (_, id) => linkOf(id))
const text = fc.constantFrom('', 'a', 'b', 'Mozilla/5.0 (ä)')

const visit: fc.Arbitrary<RawVisit> = fc.record(
  {
    link: fc.constantFrom(...links),
    totalsOnly: fc.boolean(),
    at: fc.integer({ min: 0, max: 2 ** 45 }),
    ip: text,
    userAgent: text,
    referer: text,
    language: text,
    query: text,
    notes: fc.constant({ 'link.dynamicRouting': 'rule' }),
  },
  { requiredKeys: ['link', 'totalsOnly', 'at', 'ip', 'userAgent', 'referer', 'language', 'query'] },
)

describe('packed visits', () => {
  it('unpack to what was packed, batch after batch', () => {
    fc.assert(
      fc.property(fc.array(fc.array(visit, { maxLength: 20 }), { maxLength: 5 }), batches => {
        const pack = createVisitPacker()
        const unpack = createVisitUnpacker()
        for (const batch of batches) {
          expect(unpack(structuredClone(pack(batch)))).toEqual(batch)
        }
      }),
    )
  })

  it('carry each link once, and again for a thread that does not know it', () => {
    const [link = linkOf(0)] = links
    const one: RawVisit = {
      link,
      totalsOnly: false,
      at: 1,
      ip: '',
      userAgent: '',
      referer: '',
      language: '',
      query: '',
    }
    const pack = createVisitPacker()
    expect(pack([one, one]).newLinks).toEqual([link])
    expect(pack([one]).newLinks).toEqual([])
    expect(createVisitPacker()([one]).newLinks).toEqual([link])
  })

  it('of more links than are remembered begin again', () => {
    const pack = createVisitPacker()
    const unpack = createVisitUnpacker()
    const many = Array.from({ length: 60_000 }, (_, id) => ({
      link: linkOf(id),
      totalsOnly: false,
      at: id,
      ip: '',
      userAgent: '',
      referer: '',
      language: '',
      query: '',
    }))
    unpack(pack(many))
    const [first] = many
    if (!first) throw new Error('There is none.')
    const begun = pack([first])
    expect(begun.firstLink).toBe(0)
    expect(unpack(begun)).toEqual([first])
  })
})
