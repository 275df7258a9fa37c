import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  internTexts,
  ipOf,
  linkOf as linkIn,
  momentOf,
  numberIn,
  TextNumbers,
  textOf,
  variantsOf,
} from '../../../../core/visits/count/interned-visits.ts'
import type { RawVisit, TrackedLink } from '../../../../core/visits/facts/open-visit.ts'
import {
  column,
  createVisitPacker,
  receiveLinkDelta,
  sendLinkDelta,
} from '../../../../core/visits/wire/packed-visits.ts'

const owner = { accountId: 1, collect: ['visits'], maxTrackedVisits: 10 }

function linkOf(id: number): TrackedLink {
  const view = {
    id: `lnk_${id}`,
    rowId: id,
    accountId: 1,
    domain: '',
    shortCode: `c${id}`,
    originalUrl: 'https://a/',
  }
  return { id, view, owner }
}

/** The last bits of their row ids are alike. */
const links = Array.from({ length: 5 }, (_, index) => linkOf(7 + 4_096 * index))
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
    variants: fc.constant({ 'link.dynamicRouting': 'rule' }),
  },
  { requiredKeys: ['link', 'totalsOnly', 'at', 'ip', 'userAgent', 'referer', 'language', 'query'] },
)

/** Batches of one packer. */
function packAll(batches: readonly (readonly RawVisit[])[]) {
  const newBatch = createVisitPacker().newBatch
  return batches.map(visits => {
    const batch = newBatch()
    for (const visit of visits) batch.add(visit)
    return batch.packed()
  })
}

function visitsOf(packed: ReturnType<typeof packAll>[0]) {
  const batch = internTexts(packed, new TextNumbers())
  return Array.from(batch.at, (_, visit) => {
    const text = (from: number) => textOf(batch, visit, from)
    const variants = variantsOf(batch, visit)
    return {
      link: linkIn(batch, visit),
      totalsOnly: numberIn(batch, visit, column.totalsOnly) === 1,
      at: momentOf(batch, visit),
      ip: ipOf(batch, visit),
      userAgent: text(column.userAgent),
      referer: text(column.referer),
      language: text(column.language),
      query: text(column.query),
      ...(Object.keys(variants).length > 0 && { variants }),
    }
  })
}

const manyVisits = fc.array(fc.array(visit, { maxLength: 100 }), { maxLength: 5 })

describe('packed visits', () => {
  it('unpack to what was packed, batch after batch', () => {
    fc.assert(
      fc.property(manyVisits, batches => {
        expect(packAll(batches).map(visitsOf)).toEqual(batches)
      }),
    )
  })

  it('have one number for each text, whatever batch it came in', () => {
    const one = visitTo(links[0])
    const known = new TextNumbers()
    const batches = packAll([[one, one], [{ ...one, referer: one.userAgent }]])
    for (const packed of batches) internTexts(packed, known)
    expect(known.texts).toEqual(['', one.userAgent])
  })

  it('keep no address of a visitor for the next batch', () => {
    const known = new TextNumbers()
    const ips = ['203.0.113.7', '203.0.113.8', '203.0.113.7']
    const batches = packAll([ips.map(ip => ({ ...visitTo(links[0]), ip })), [visitTo(links[0])]])
    expect(batches.map(packed => internTexts(packed, known).ips)).toEqual([
      ['203.0.113.7', '203.0.113.8', '203.0.113.7'],
      [''],
    ])
    expect(known.texts.join()).not.toContain('203.0.113')
  })

  it('are those of their batch, however long the ones before were', () => {
    const long = { ...visitTo(links[0]), query: 'ä'.repeat(20_000) }
    const short = { ...visitTo(links[1]), query: 'a=b' }
    expect(packAll([[long, long], [short]]).map(visitsOf)).toEqual([[long, long], [short]])
  })
})

describe('visits on their way to a thread', () => {
  it('arrive as they were, batch after batch', () => {
    fc.assert(
      fc.property(manyVisits, batches => {
        const [send, receive] = [sendLinkDelta(), receiveLinkDelta()]
        const arrived = packAll(batches).map(packed => receive(structuredClone(send(packed))))
        expect(arrived.map(visitsOf)).toEqual(batches)
      }),
    )
  })

  it('carry each link once, and again for a thread that does not know it', () => {
    const [first, second] = packAll([[visitTo(links[0]), visitTo(links[0])], [visitTo(links[0])]])
    const send = sendLinkDelta()
    expect(first && send(first).newLinks).toEqual([links[0]])
    expect(second && send(second).newLinks).toEqual([])
    expect(second && sendLinkDelta()(second).newLinks).toEqual([links[0]])
  })

  it('arrive also when a batch is sent again', () => {
    const [first, second] = packAll([[visitTo(links[0])], [visitTo(links[1])]])
    if (!first || !second) throw new Error('There are two.')
    const [send, receive] = [sendLinkDelta(), receiveLinkDelta()]
    const sent = [first, first, second, second].map(packed => receive(send(packed)))
    const arrived = sent.flatMap(visitsOf).map(({ link }) => link)
    expect(arrived).toEqual([links[0], links[0], links[1], links[1]])
  })

  it('of more links than are remembered begin again', () => {
    const many = Array.from({ length: 100_001 }, (_, id) => visitTo(linkOf(id)))
    const last = visitTo(linkOf(7))
    const [send, receive] = [sendLinkDelta(), receiveLinkDelta()]
    const [before, after] = packAll([many, [last]])
    if (!before || !after) throw new Error('There are two.')
    receive(send(before))
    const begun = send(after)
    expect([begun.firstLink, begun.newLinks.length]).toEqual([0, 1])
    expect(visitsOf(receive(begun))).toEqual([last])
  })
})

function visitTo(link = linkOf(0)): RawVisit {
  return {
    link,
    totalsOnly: false,
    at: 1,
    ip: '',
    userAgent: 'Firefox',
    referer: '',
    language: '',
    query: '',
  }
}
