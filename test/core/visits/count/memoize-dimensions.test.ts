import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Place, Visit } from '../../../../core/plugin.ts'
import { internTexts, TextNumbers } from '../../../../core/visits/count/interned-visits.ts'
import { memoizeDimensions } from '../../../../core/visits/count/memoize-dimensions.ts'
import { openVisit, type RawVisit } from '../../../../core/visits/facts/open-visit.ts'
import { type PlaceOfFiles, placeUnknown } from '../../../../core/visits/facts/place.ts'
import { createVisitPacker } from '../../../../core/visits/wire/packed-visits.ts'
import { visitOf } from '../fixtures.ts'

const view = {
  id: 'lnk_a',
  rowId: 1,
  accountId: 1,
  domain: '',
  shortCode: 'abc',
  originalUrl: 'https://a/',
}
const owner = { accountId: 1, collect: [], maxTrackedVisits: 0 }
const links = [1, 2].map(id => ({ id, view: { ...view, rowId: id }, owner }))

/** Pure functions that read this and that, some of it only at times. */
const questions: readonly ((visit: Visit) => unknown)[] = [
  () => 'always',
  visit => visit.language,
  visit => visit.userAgent.length,
  visit => visit.query.get('from') ?? visit.referer,
  visit => (visit.language === 'en' ? visit.link.rowId : visit.at.getTime()),
  visit => `${visit.referer} ${visit.language} ${visit.referer}`,
  visit => visit.variants.rule ?? visit.visitor,
  visit => [visit.ip, visit.agent.bot, visit.place.country, visit.answers.password],
]

const few = fc.constantFrom('', 'a', 'en')
const visits: fc.Arbitrary<RawVisit[]> = fc.array(
  fc.record({
    link: fc.constantFrom(...links),
    at: fc.integer({ min: 1, max: 3 }),
    ip: fc.constantFrom('', '203.0.113.7'),
    userAgent: few,
    referer: few,
    language: few,
    query: fc.constantFrom('', 'from=b'),
    totalsOnly: fc.constant(false),
    variants: fc.constantFrom(undefined, { rule: 'first' }, { rule: 'second' }),
  }),
  { maxLength: 40 },
) as fc.Arbitrary<RawVisit[]>

/** One asks batch after batch, as their packer and the numbers of their texts go on. */
function askAll<T>(
  batches: readonly (readonly RawVisit[])[],
  of: (visit: Visit) => T,
  how: 'once' | 'each',
  placeOf: PlaceOfFiles = placeUnknown,
  afterBatch?: () => void,
): readonly (readonly T[])[] {
  const newBatch = createVisitPacker().newBatch
  const texts = new TextNumbers()
  const asking = memoizeDimensions(placeOf)
  /** What is remembered are numbers. */
  const answers: T[] = []
  const noting = (visit: Visit) => answers.push(of(visit)) - 1
  const ask = how === 'once' ? asking.once(noting) : asking.each(noting)
  return batches.map(visits => {
    const open = newBatch()
    for (const visit of visits) open.add(visit)
    asking.begin(internTexts(open.packed(), texts))
    const answered = visits.map((_, visit) => answers[ask(visit)] as T)
    afterBatch?.()
    return answered
  })
}

/** Places in a file that tells the city by the last bit of an address. */
function placesByLastBit(cities: () => readonly Place['city'][]): PlaceOfFiles {
  let records: ReturnType<PlaceOfFiles['records']['city']>
  let of: readonly Place['city'][]
  const now = () => {
    if (of !== cities()) {
      const places = cities().map(city => ({ country: 'US', city }))
      of = cities()
      records = {
        find: (_family, words) => ((words[3] ?? 0) % 2) + 1,
        fact: record => places[record - 1],
      }
    }
    return records
  }
  return {
    country: () => 'US',
    city: ip => of[Number(ip.at(-1)) % 2],
    records: { country: now, city: now },
  }
}

/** How often a function is called for all visits of these batches. */
function callsFor(
  batches: readonly (readonly RawVisit[])[],
  of: (visit: Visit) => unknown,
  placeOf: PlaceOfFiles = placeUnknown,
): number {
  let calls = 0
  const counting = (visit: Visit) => {
    calls += 1
    return of(visit)
  }
  const answers = askAll(batches, counting, 'once', placeOf)
  expect(answers).toEqual(batches.map(visits => visits.map(raw => of(openVisit(raw, placeOf)))))
  return calls
}

describe('a function remembered by the facts it reads', () => {
  it('answers what it would answer to each visit by itself, batch after batch', () => {
    fc.assert(
      fc.property(fc.array(visits, { maxLength: 3 }), batches => {
        for (const of of questions) {
          const expected = batches.map(visits =>
            visits.map(raw => of(openVisit(raw, placeUnknown))),
          )
          for (const how of ['once', 'each'] as const) {
            expect(askAll(batches, of, how)).toEqual(expected)
          }
        }
      }),
    )
  })

  const [link] = links
  if (!link) throw new Error('There are two.')
  const from = (...ips: string[]) => ips.map(ip => visitOf(link, { ip }))
  const cities = ['Springfield', 'Shelbyville'].map(name => ({ name, region: '', country: 'US' }))

  const speaking = (...languages: string[]) =>
    languages.map((language, at) => visitOf(link, { language, at }))

  it('is called once for all visits that it cannot tell apart', () => {
    const batches = [speaking('de', 'en', 'de', 'en', 'de'), speaking('en', 'fr')]
    expect(callsFor(batches, ({ language }) => language)).toBe(3)
  })

  it('is called once for all visits from one place, whatever their addresses', () => {
    const placeOf = placesByLastBit(() => cities)
    const batches = [from('81.2.69.1', '81.2.69.2', '81.2.69.3'), from('81.2.69.5')]
    expect(callsFor(batches, ({ place }) => place.country, placeOf)).toBe(1)
    expect(callsFor(batches, ({ place }) => place.city?.name, placeOf)).toBe(2)
    expect(callsFor(batches, ({ place }) => ({ ...place }), placeOf)).toBe(2)
  })

  it('learns what a file says anew once the file was replaced', () => {
    let now = cities
    const placeOf = placesByLastBit(() => now)
    const batches = [from('81.2.69.1', '81.2.69.2'), from('81.2.69.1', '81.2.69.2')]
    const asked = ({ place }: Visit) => place.city?.name
    const answers = askAll(batches, asked, 'once', placeOf, () => {
      now = [...cities].reverse()
    })
    expect(answers).toEqual([
      ['Shelbyville', 'Springfield'],
      ['Springfield', 'Shelbyville'],
    ])
  })

  it('does not look up an address that is not public', () => {
    const placeOf = placesByLastBit(() => cities)
    const asked = ({ place }: Visit) => place.city?.name
    expect(askAll([from('10.0.0.1', '')], asked, 'once', placeOf)).toEqual([[undefined, undefined]])
  })

  it('is called for each visit when it reads what no two have in common', () => {
    const batches = [[visitOf(link), visitOf(link)]]
    expect(callsFor(batches, ({ at }) => at.getTime())).toBe(2)
    expect(callsFor(batches, ({ ip, language }) => `${ip} ${language}`)).toBe(2)
    expect(callsFor(batches, ({ visitor }) => visitor)).toBe(2)
  })
})
