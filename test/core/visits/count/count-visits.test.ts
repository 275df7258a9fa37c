import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createVisitCounter } from '../../../../core/visits/count/count-visits.ts'
import { createMarker } from '../../../../core/visits/count/marker.ts'
import type { NamedDimension } from '../../../../core/visits/facts/dimensions.ts'
import type { Owner, RawVisit } from '../../../../core/visits/facts/open-visit.ts'
import { placeUnknown } from '../../../../core/visits/facts/place.ts'
import type { CountedVisits } from '../../../../core/visits/wire/counted-visits.ts'
import { packBatch } from '../../../../core/visits/wire/packed-batch.ts'
import { createVisitPacker } from '../../../../core/visits/wire/packed-visits.ts'
import { batchOf, dimensions, robot, visitOf } from '../fixtures.ts'

const markOf = createMarker()

const owner: Owner = {
  accountId: 1,
  collect: ['visits', 'bots', 'overTime', 'from', 'broken', 'long'],
  maxTrackedVisits: 0,
}
const link = linkOf(owner)

function linkOf(owner: Owner) {
  const view = {
    id: 'lnk_a',
    rowId: 1,
    accountId: 1,
    domain: '',
    shortCode: 'abc',
    originalUrl: 'https://example.com/',
  }
  return { id: 1, view, owner }
}

/** What each visit counts under: `visits overTime from=news`. */
function namesOf(visits: readonly RawVisit[], counting = dimensions) {
  const { counted } = createVisitCounter(counting, placeUnknown, markOf)(batchOf(visits))
  return spellOut(counted)
}

function spellOut(counted: CountedVisits): readonly string[] {
  return Array.from({ length: counted.size }, (_, visit) => {
    const words: string[] = []
    for (let at = counted.startOf(visit); at < counted.startOf(visit + 1); at += 1) {
      const { dimension, value } = counted.names.name(counted.entry(at))
      words.push(value === '' ? dimension : `${dimension}=${value}`)
    }
    return words.join(' ')
  })
}

describe('counting visits', () => {
  it('asks every dimension that the plan of the link allows', () => {
    const other = linkOf({ ...owner, collect: ['from'] })
    expect(
      namesOf([visitOf(link, { query: 'from=a' }), visitOf(other, { query: 'from=b' })]),
    ).toEqual(['visits overTime from=a', 'from=b'])
  })

  it('counts robots apart from people', () => {
    expect(namesOf([visitOf(link, { userAgent: robot, query: 'from=a' }), visitOf(link)])).toEqual([
      'bots',
      'visits overTime',
    ])
  })

  it('counts who asked not to be tracked in the totals only', () => {
    const query = 'from=a'
    expect(
      namesOf([
        visitOf(link, { query, totalsOnly: true }),
        visitOf(link, { query, totalsOnly: true, userAgent: robot }),
      ]),
    ).toEqual(['visits overTime', 'bots'])
  })

  it('leaves out a visit of which nothing is collected', () => {
    const nothing = linkOf({ ...owner, collect: [] })
    const noBots = linkOf({ ...owner, collect: ['visits'] })
    const onlyFrom = linkOf({ ...owner, collect: ['from'] })
    expect(
      namesOf([visitOf(nothing), visitOf(noBots, { userAgent: robot }), visitOf(onlyFrom)]),
    ).toEqual([])
  })

  it('drops only the count of a dimension that throws, and says how often', () => {
    const broken: NamedDimension = {
      name: 'broken',
      label: 'Broken',
      of: () => {
        throw new Error('no idea')
      },
    }
    const count = createVisitCounter([broken, ...dimensions], placeUnknown, markOf)
    const { counted, failedDimensions } = count(batchOf([visitOf(link), visitOf(link)]))
    expect(counted.size).toBe(2)
    expect(failedDimensions).toEqual({ broken: 2 })
  })

  it('takes a value that is no text for a failure', () => {
    const wrong = { name: 'broken', label: 'Wrong', of: () => 7 } as unknown as NamedDimension
    const count = createVisitCounter([wrong], placeUnknown, markOf)
    expect(count(batchOf([visitOf(link)])).failedDimensions).toEqual({ broken: 1 })
  })

  it('cuts values at 128 characters and leaves nothing in them that a database refuses', () => {
    const long: NamedDimension = { name: 'long', label: 'Long', of: ({ referer }) => referer }
    expect(namesOf([visitOf(link, { referer: 'x'.repeat(300) })], [long])).toEqual([
      `long=${'x'.repeat(128)}`,
    ])
    expect(namesOf([visitOf(link, { referer: 'a\0b\ud800' })], [long])).toEqual([
      'long=a\ufffdb\ufffd',
    ])
  })

  it('goes on with the next batches, however much was said in those before', () => {
    const newBatch = createVisitPacker().newBatch
    const count = createVisitCounter(dimensions, placeUnknown, markOf)
    for (let round = 0; round < 5; round += 1) {
      const said = Array.from({ length: 6_000 }, (_, at) => `from=${round * 3_000 + at}`)
      const batch = newBatch()
      for (const query of said) batch.add(visitOf(link, { query }))
      const { counted } = count(batch.packed())
      expect(spellOut(counted)).toEqual(said.map(words => `visits overTime ${words}`))
    }
  })

  it('forgets what was said when all of it has got long', () => {
    const asked: (string | null)[] = []
    const watching: NamedDimension = {
      name: 'from',
      label: 'From',
      of: ({ query }) => {
        asked.push(query.get('from'))
        return undefined
      },
    }
    const newBatch = createVisitPacker().newBatch
    const count = createVisitCounter([watching], placeUnknown, markOf)
    const countAll = (queries: readonly string[]) => {
      const batch = newBatch()
      for (const query of queries) batch.add(visitOf(link, { query }))
      count(batch.packed())
    }
    const long = Array.from({ length: 1_000 }, (_, at) => `${at}${'x'.repeat(2_000)}`)
    countAll(['from=a'])
    for (const round of ['b', 'c', 'd']) countAll(long.map(words => `${round}${words}`))
    countAll(['from=a'])
    countAll(['from=a'])
    expect(asked.filter(from => from === 'a')).toEqual(['a', 'a'])
  })

  it('forgets after a minute what was said', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const asked: string[] = []
    const watching: NamedDimension = {
      name: 'from',
      label: 'From',
      of: ({ query }) => {
        asked.push(String(query.get('from')))
        return 'one'
      },
    }
    const newBatch = createVisitPacker().newBatch
    const count = createVisitCounter([watching], placeUnknown, markOf)
    const countOne = () => {
      const batch = newBatch()
      batch.add(visitOf(link, { query: 'from=a' }))
      expect(count(batch.packed()).counted.size).toBe(1)
    }
    countOne()
    countOne()
    expect(asked).toEqual(['a'])
    vi.advanceTimersByTime(60_000)
    countOne()
    expect(asked).toEqual(['a', 'a'])
  })

  it('keeps nothing that tells who the visitor was', () => {
    const batch = batchOf([visitOf(link, { query: 'from=a' })])
    const { counted } = createVisitCounter(dimensions, placeUnknown, markOf)(batch)
    const kept = packBatch(counted, Uint32Array.of(0)).toString('latin1')
    expect(kept).toContain('from\0a')
    expect(kept).not.toMatch(/203\.0\.113|Firefox|Mozilla/)
  })
})
