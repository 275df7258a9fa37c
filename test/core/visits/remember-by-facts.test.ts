import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Visit } from '../../../core/plugin.ts'
import { numberTexts } from '../../../core/visits/numbered-visits.ts'
import { placeUnknown } from '../../../core/visits/place.ts'
import { rememberByFacts } from '../../../core/visits/remember-by-facts.ts'
import { openVisit, type RawVisit } from '../../../core/visits/visit.ts'
import { batchOf, visitOf } from './fixtures.ts'

const view = { id: 'lnk_a', rowId: 1, domain: '', shortCode: 'abc', originalUrl: 'https://a/' }
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
  visit => visit.notes.rule ?? visit.visitor,
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
    notes: fc.constantFrom(undefined, { rule: 'first' }, { rule: 'second' }),
  }),
  { maxLength: 40 },
) as fc.Arbitrary<RawVisit[]>

describe('a function remembered by the facts it reads', () => {
  it('answers what it would answer to each visit by itself', () => {
    fc.assert(
      fc.property(visits, visits => {
        const asking = rememberByFacts(numberTexts(batchOf(visits)), placeUnknown)
        for (const of of questions) {
          const expected = visits.map(raw => of(openVisit(raw, placeUnknown)))
          for (const ask of [asking.once(of), asking.each(of)]) {
            expect(visits.map((_, visit) => ask(visit))).toEqual(expected)
          }
        }
      }),
    )
  })

  it('is called once for all visits that it cannot tell apart', () => {
    const [link] = links
    if (!link) throw new Error('There are two.')
    const languages = ['de', 'en', 'de', 'en', 'de']
    const { once } = rememberByFacts(
      numberTexts(batchOf(languages.map((language, at) => visitOf(link, { language, at })))),
      placeUnknown,
    )
    let calls = 0
    const ask = once(({ language }) => {
      calls += 1
      return language
    })
    expect(languages.map((_, visit) => ask(visit))).toEqual(languages)
    expect(calls).toBe(2)
  })

  it('is called for each visit when it reads what no two have in common', () => {
    const [link] = links
    if (!link) throw new Error('There are two.')
    const { once } = rememberByFacts(
      numberTexts(batchOf([visitOf(link), visitOf(link)])),
      placeUnknown,
    )
    let calls = 0
    const ask = once(({ at }) => {
      calls += 1
      return at.getTime()
    })
    expect(ask(0)).toBe(ask(1))
    expect(calls).toBe(2)
  })
})
