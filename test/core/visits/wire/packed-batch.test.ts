import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrackedLink } from '../../../../core/visits/facts/open-visit.ts'
import { LinkSums } from '../../../../core/visits/fold/link-sums.ts'
import { markOf } from '../../../../core/visits/tables/sketch.ts'
import { CountedVisits } from '../../../../core/visits/wire/counted-visits.ts'
import { type CountName, createNameTable } from '../../../../core/visits/wire/name-table.ts'
import { openBatch, packBatch } from '../../../../core/visits/wire/packed-batch.ts'
import { countAt, countLength } from '../../../../core/visits/wire/visit-batch.ts'
import { hourMs } from '../fixtures.ts'

const midnight = Date.UTC(2026, 10, 21)
const midnightHour = midnight / hourMs
const midnightDay = midnightHour / 24

const name = (dimension: string, differing: Partial<CountName> = {}): CountName => ({
  dimension,
  ...{ value: '', bots: false, summed: false, marked: false },
  ...differing,
})

/** Of people, of robots, and one that marks are left under. */
const [forPeople, forRobots, visitors] = [
  [name('visits', { summed: true }), name('from', { value: 'ä' }), name('from', { value: 'b' })],
  name('bots', { bots: true }),
  name('visitors', { marked: true }),
]

const visit = fc.record({
  linkNumber: fc.nat({ max: 2 }),
  at: fc.integer({ min: -2 * hourMs, max: 2 * hourMs }).map(ms => midnight + ms),
  isBot: fc.boolean(),
  names: fc.subarray(forPeople),
  marks: fc.array(
    fc.nat({ max: 2 ** 32 - 1 }).map(hash => markOf(hash)),
    { maxLength: 2 },
  ),
})
type Visit = typeof visit extends fc.Arbitrary<infer T> ? T : never
const visits = fc.array(visit, { maxLength: 40 })

/** One that is more than 32 bits long is as good as any. */
const linkIds = [70, 80, 2 ** 40]

function counted(visits: readonly Visit[]): CountedVisits {
  const names = createNameTable()
  const links = linkIds.map(id => ({ id }) as TrackedLink)
  const taken = new CountedVisits(names, links, { visits: visits.length, each: 20 })
  for (const { names: of, marks, ...visit } of visits) {
    for (const it of visit.isBot ? [forRobots] : of) taken.count(names.numberOf(it))
    if (!visit.isBot) for (const mark of marks) taken.mark(names.numberOf(visitors), mark)
    taken.end(visit)
  }
  return taken
}

const all = (visits: CountedVisits) => Uint32Array.from({ length: visits.size }, (_, at) => at)
const pack = (visits: readonly Visit[]) => packBatch(counted(visits), all(counted(visits)))

/** What is in the bytes, added up by link, as lines. */
function linesOf(packed: Uint8Array): readonly string[] {
  const names = createNameTable()
  const batch = openBatch(packed, names)
  const ids = Array.from(batch.linkIds)
  return [...new Set(ids)].flatMap(linkId => {
    const sums = new LinkSums()
    sums.begin(linkId)
    for (const [part, id] of ids.entries()) if (id === linkId) batch.add(part, sums)
    const { visits, lastVisitAt, counts, marked } = sums.end()
    const lines = [`${linkId} total`, visits, lastVisitAt].join(' ')
    const counted = new Map<string, number>()
    for (let at = 0; at < counts.length; at += countLength) {
      const { name, hour, count } = countAt(counts, at)
      const line = `${linkId} ${JSON.stringify(names.name(name))} ${hour}`
      counted.set(line, (counted.get(line) ?? 0) + count)
    }
    return [
      lines,
      ...Array.from(counted, ([line, count]) => `${line} ${count}`),
      ...marked.map(({ day, visits, marks }) => `${linkId} on ${day} ${visits}: ${marks}`),
    ]
  })
}

/** The same of the visits themselves. */
function expectedLines(visits: readonly Visit[]): readonly string[] {
  const of = visits.filter(({ isBot, names, marks }) => isBot || names.length + marks.length > 0)
  return linkIds.flatMap((linkId, linkNumber) => {
    const ofLink = of.filter(it => it.linkNumber === linkNumber)
    if (ofLink.length === 0) return []
    const people = ofLink.filter(it => !it.isBot)
    const counted = ofLink.flatMap(({ at, isBot, names }) =>
      (isBot ? [forRobots] : names).map(
        it => `${linkId} ${JSON.stringify(it)} ${Math.floor(at / hourMs)}`,
      ),
    )
    const days = [midnightDay - 1, midnightDay].flatMap(day => {
      const marked = people.filter(({ at }) => Math.floor(at / hourMs / 24) === day)
      const marks = marked.flatMap(({ marks }) => marks)
      return marks.length === 0 ? [] : [`${linkId} on ${day} ${marks.length}: ${marks}`]
    })
    return [
      [`${linkId} total`, people.length, Math.max(0, ...people.map(({ at }) => at))].join(' '),
      ...new Set(counted.map(line => `${line} ${counted.filter(it => it === line).length}`)),
      ...days,
    ]
  })
}

describe('a packed batch', () => {
  it('adds up to what was counted, by link, name and hour, whatever that is', () => {
    fc.assert(
      fc.property(visits, visits => {
        expect([...linesOf(pack(visits))].sort()).toEqual([...expectedLines(visits)].sort())
      }),
    )
  })

  it('has those visits that it was given', () => {
    const one = { at: midnight, isBot: false, names: forPeople.slice(0, 1), marks: [] }
    const batch = counted([0, 2, 0].map(linkNumber => ({ ...one, linkNumber })))
    expect(linesOf(packBatch(batch, Uint32Array.of(1)))).toEqual([
      `${2 ** 40} total 1 ${midnight}`,
      `${2 ** 40} ${JSON.stringify(forPeople[0])} ${midnightHour} 1`,
    ])
    expect(linesOf(packBatch(batch, Uint32Array.of()))).toEqual([])
  })

  it('holds a name once, however many visits count under it', () => {
    const firefox = name('visitsByBrowser', { value: 'Firefox' })
    const one = { at: midnight, isBot: false, names: [firefox], marks: [], linkNumber: 1 }
    const packed = pack(Array.from({ length: 500 }, () => one))
    expect(packed.toString('latin1').split('Firefox')).toHaveLength(2)
    expect(packed.length).toBeLessThan(500 * 24)
  })

  it('has room for more names than two bytes can number', () => {
    const names = Array.from({ length: 70_000 }, (_, value) => name('from', { value: `v${value}` }))
    const one = { linkNumber: 0, at: midnight, isBot: false, marks: [] }
    const lines = linesOf(pack(names.map(it => ({ ...one, names: [it] }))))
    expect([lines.length, lines.at(-1)]).toEqual([
      70_001,
      `70 ${JSON.stringify(names.at(-1))} ${midnightHour} 1`,
    ])
  })

  it('is refused when its end is missing, or something follows it', () => {
    fc.assert(
      fc.property(visits, fc.double({ min: 0, max: 0.999, noNaN: true }), (visits, part) => {
        const packed = pack(visits)
        const cut = packed.subarray(0, Math.floor(packed.length * part))
        expect(() => linesOf(cut)).toThrow(RangeError)
        expect(() => linesOf(Buffer.concat([packed, Buffer.of(0)]))).toThrow(RangeError)
      }),
    )
  })

  it('is refused when a newer program packed it', () => {
    const packed = pack([])
    packed[0] = 4
    expect(() => linesOf(packed)).toThrow('version 4 is not known here')
  })
})

describe('a visit without anything to count', () => {
  it('is left out', () => {
    const nothing = { linkNumber: 0, at: 0, isBot: false, names: [], marks: [] }
    expect(counted([nothing, { ...nothing, names: forPeople }, nothing]).size).toBe(1)
  })
})
