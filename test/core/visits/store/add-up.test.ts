import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CountedVisits } from '../../../../core/visits/count/counted-visits.ts'
import { dayOf, hourOf } from '../../../../core/visits/facts/buckets.ts'
import type { TrackedLink } from '../../../../core/visits/facts/visit.ts'
import { addUp } from '../../../../core/visits/store/add-up.ts'
import { highestMarks, markOf } from '../../../../core/visits/tables/sketch.ts'
import { createNameTable } from '../../../../core/visits/wire/name-table.ts'

const hourMs = 3_600_000

/** Three links with numbers of their own, and visits around a midnight, not always in order. */
const visit = fc.record({
  linkNumber: fc.nat({ max: 2 }),
  at: fc.integer({ min: -2 * hourMs, max: 2 * hourMs }).map(ms => Date.UTC(2026, 10, 21) + ms),
  isBot: fc.boolean(),
  names: fc.uniqueArray(fc.nat({ max: 4 })),
  marks: fc.array(fc.record({ name: fc.nat({ max: 1 }), hash: fc.nat({ max: 2 ** 32 - 1 }) })),
})
type Visit = typeof visit extends fc.Arbitrary<infer T> ? T : never

function counted(visits: readonly Visit[]): CountedVisits {
  const names = createNameTable()
  for (const dimension of ['a', 'b', 'c', 'd', 'e']) {
    names.numberOf({ dimension, value: '', bots: false, summed: false })
  }
  const links = [70, 80, 90].map(id => ({ id }) as TrackedLink)
  const taken = new CountedVisits(names, links, { visits: visits.length, each: 20 })
  for (const { names, marks, ...visit } of visits) {
    for (const name of names) taken.count(name)
    for (const { name, hash } of marks) taken.mark(name, markOf(hash))
    taken.end(visit)
  }
  return taken
}

/** What has the same key, together. */
function sumsOf(entries: readonly (readonly [key: string, count: number])[]) {
  const sums = new Map<string, number>()
  for (const [key, count] of entries) sums.set(key, (sums.get(key) ?? 0) + count)
  return sums
}

const all = (visits: CountedVisits) => Uint32Array.from({ length: visits.size }, (_, at) => at)

describe('adding visits up', () => {
  it('gives each link what its visits count under, by name and hour', () => {
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 40 }), visits => {
        const batch = counted(visits)
        const { links } = addUp(batch, all(batch))
        const found = links.flatMap(({ linkId, counts }) =>
          Array.from({ length: counts.length / 3 }, (_, at) => {
            const [name, hour, count = 0] = counts.slice(at * 3)
            return [`${linkId} ${name} ${hour}`, count] as const
          }),
        )
        const expected = visits.flatMap(({ linkNumber, at, names }) =>
          names.map(name => [`${70 + linkNumber * 10} ${name} ${hourOf(at)}`, 1] as const),
        )
        expect(sumsOf(found)).toEqual(sumsOf(expected))
        expect(new Set(links.map(({ linkId }) => linkId)).size).toBe(links.length)
      }),
    )
  })

  it('gives each link the highest marks of a name and day, and of how many visits they are', () => {
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 40 }), visits => {
        const batch = counted(visits)
        const found = addUp(batch, all(batch)).links.flatMap(({ linkId, marked }) =>
          marked.map(({ name, day, ...rest }) => [`${linkId} ${name} ${day}`, rest] as const),
        )
        const expected = new Map<string, number[]>()
        for (const { linkNumber, at, marks } of visits) {
          for (const { name, hash } of marks) {
            const key = `${70 + linkNumber * 10} ${name} ${dayOf(at)}`
            expected.set(key, [...(expected.get(key) ?? []), markOf(hash)])
          }
        }
        const highest = Array.from(expected, ([key, marks]) => [
          key,
          { visits: marks.length, marks: highestMarks(marks) },
        ])
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(highest))
      }),
    )
  })

  it('counts as visits those of people, and knows the last of them', () => {
    const at = Date.UTC(2026, 10, 21)
    const one = { linkNumber: 1, at, isBot: false, names: [0], marks: [] }
    const batch = counted([one, { ...one, at: at + 5 }, { ...one, at: at + 9, isBot: true }])
    expect(addUp(batch, all(batch)).links).toMatchObject([
      { linkId: 80, visits: 2, lastVisitAt: at + 5, counts: [0, hourOf(at), 3] },
    ])
  })

  it('leaves out those that it is not given', () => {
    const one = { linkNumber: 0, at: 0, isBot: false, names: [0], marks: [] }
    const batch = counted([one, { ...one, linkNumber: 2 }, one])
    expect(addUp(batch, Uint32Array.of(1)).links.map(({ linkId }) => linkId)).toEqual([90])
    expect(addUp(batch, Uint32Array.of()).links).toEqual([])
  })
})

describe('a visit without anything to count', () => {
  it('is left out', () => {
    const nothing = { linkNumber: 0, at: 0, isBot: false, names: [], marks: [] }
    const batch = counted([nothing, { ...nothing, names: [2] }, nothing])
    expect(batch.size).toBe(1)
    const names: number[] = []
    batch.eachName(0, name => names.push(name))
    expect(names).toEqual([2])
  })
})
