import { afterEach, describe, expect, it } from 'vitest'
import {
  type Context,
  definePlugin,
  isRefusal,
  type LinkPast,
  type PastVisits,
} from '../../../../core/plugin.ts'
import { boot, type Harness, type HarnessOptions } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

let context: Context

/** Hands out its context, and counts robots, moods, and readers of a day. */
const importer = definePlugin({
  feature: 'a.importer',
  about: 'Brings visits.',
  dimensions: {
    visitsByMood: { label: 'Mood', of: ({ query }) => query.get('mood') ?? undefined },
    calmVisits: {
      label: 'Calm',
      chart: 'number',
      of: ({ query }) => query.get('calm') ?? undefined,
    },
  },
  unstable: { totals: { calm: 'calmVisits' } },
  setup(its) {
    context = its as Context
  },
})

async function start(options: HarnessOptions = {}) {
  linnet = await boot(
    [
      importer,
      'analytics.visitsTracking',
      'analytics.visitsOverTime',
      'analytics.visitsByCountry',
      'analytics.uniqueVisitors',
      'link.linkExpiration',
      'organization.campaigns',
    ],
    { at: '2026-11-26T09:30:00Z', ...options },
  )
}

async function made(past?: LinkPast, more = {}) {
  const body = { originalUrl: 'https://example.com/', ...more }
  const link = await context.links.create(linnet.account.rowId, body, past)
  if (isRefusal(link)) throw new Error(`${link.code}: ${link.field} ${link.detail}`)
  return link
}
const add = (id: string, key: string, visits: PastVisits) =>
  context.links.addVisits(linnet.account.rowId, id, key, visits)
const shown = async ({ id }: { readonly id: string }) =>
  (await linnet.api('GET', `/links/${id}`)).body.data
const analytics = async (path: string) => (await linnet.api('GET', path)).body.data
const points = (rows: readonly { readonly start: string; readonly visits: number }[]) =>
  Object.fromEntries(rows.filter(it => it.visits > 0).map(it => [it.start.slice(0, 13), it.visits]))
const values = (rows: readonly { readonly value: string; readonly visits: number }[]) =>
  Object.fromEntries(rows.map(it => [it.value, it.visits]))

const past: PastVisits = {
  undated: 1_000,
  counts: [
    { at: '2024-05-03', visits: 12, by: { visitsByCountry: { DE: 9, AT: 1 }, uniqueVisitors: 7 } },
    { at: new Date('2024-05-04T17:20:00Z'), visits: 3, by: { visitsByMood: { calm: 2 } } },
    { at: '2024-05-04', visits: 5, by: { calmVisits: 4, bots: 30 } },
  ],
}

describe('visits that a link brings from elsewhere', () => {
  it('are in its total, and the undated ones are told apart', async () => {
    await start()
    const link = await made({ visits: past })
    expect(await shown(link)).toMatchObject({
      visits: { total: 1_020, undated: 1_000, calm: 4 },
      lastVisitAt: '2024-05-04T17:20:00.000Z',
    })
    await linnet.visit(link)
    expect((await shown(link)).visits).toEqual({ total: 1_021, undated: 1_000, calm: 4 })
    const { data } = (await linnet.api('GET', '/links?sort=-visits')).body
    expect(data[0].visits).toMatchObject({ total: 1_021, undated: 1_000 })
  })

  it('are in analytics at their time and by their values, for link, account, group and file', async () => {
    await start()
    const { id: campaign } = (await linnet.api('POST', '/campaigns', { name: 'a' })).body.data
    const link = await made({ visits: past }, { campaignId: campaign })
    await made({ visits: { undated: 1, counts: [{ at: '2024-05-03', visits: 1 }] } })
    const span = 'from=2024-05-01&to=2024-05-10&granularity=day'
    for (const path of [`/links/${link.id}`, `/campaigns/${campaign}`]) {
      const data = await analytics(`${path}/analytics?${span}`)
      expect(data).toMatchObject({
        totals: { visits: 20, bots: 30, calmVisits: 4, uniqueVisitors: 7 },
        undated: 1_000,
      })
      expect(points(data.visitsOverTime)).toEqual({ '2024-05-03T00': 12, '2024-05-04T00': 8 })
      expect(points(data.uniqueVisitors)).toEqual({ '2024-05-03T00': 7 })
      expect(values(data.visitsByCountry)).toEqual({ DE: 9, AT: 1, '(none)': 10 })
      expect(values(data.visitsByMood)).toEqual({ calm: 2, '(none)': 18 })
    }
    const all = await analytics('/analytics?interval=all')
    expect(all).toMatchObject({ totals: { visits: 21 }, undated: 1_001 })
    expect(all.from).toBe('2024-05-03T12:00:00.000Z')
    const hours = await analytics(`/links/${link.id}/analytics?from=2024-05-04&to=2024-05-05`)
    expect(points(hours.visitsOverTime)).toEqual({ '2024-05-04T12': 5, '2024-05-04T17': 3 })
    const top = await analytics(`/analytics/links?${span}`)
    expect(top.links.map((it: { visits: number }) => it.visits)).toEqual([20, 1])
    const csv = (await linnet.api('GET', `/links/${link.id}/analytics.csv?${span}`)).body
    expect(csv.toString().split('\r\n')).toContain('undated,visits,,,,,1000,')
    const { data } = (await linnet.api('GET', '/campaigns')).body
    expect(data[0].visits).toBe(1_020)
  })

  it('can be added to a link that exists, once for each key', async () => {
    await start()
    const link = await made({ visits: { undated: 5 } })
    expect(await shown(link)).toMatchObject({ visits: { total: 5, undated: 5 }, lastVisitAt: null })
    const counts = [{ at: '2024-05-03', visits: 2 }]
    expect(await add(link.id, 'part 1', { counts })).toBe(true)
    expect(await add(link.id, 'part 1', { counts })).toBe(false)
    expect(await add(link.id, 'part 2', { undated: 1 })).toBe(true)
    expect((await shown(link)).visits).toMatchObject({ total: 8, undated: 6 })
    const again = await Promise.all(Array.from({ length: 5 }, () => add(link.id, '3', { counts })))
    expect(again.filter(Boolean)).toHaveLength(1)
    expect((await shown(link)).visits.total).toBe(10)
  })

  it('come with a new link under the keys with which they would be added to it', async () => {
    await start()
    const visits = { undated: 5, counts: [{ at: '2024-05-03', visits: 2 }] }
    const [link, other] = [await made({ visits, visitKeys: ['1', '2'] }), await made({ visits })]
    expect(await add(link.id, '1', { undated: 1 })).toBe(false)
    expect(await add(link.id, '2', { undated: 1 })).toBe(false)
    expect(await add(link.id, '3', { undated: 1 })).toBe(true)
    expect(await add(other.id, '1', { undated: 1 })).toBe(true)
    expect((await shown(link)).visits).toMatchObject({ total: 8, undated: 6 })
  })

  it('are added together for links that get some at the same moment, each once, without one that is gone', async () => {
    await start()
    const links = await Promise.all(Array.from({ length: 40 }, () => made({}, { maxVisits: 3 })))
    const [gone] = links
    await context.links.remove(linnet.account.rowId, `${gone?.id}`)
    const batches = async () =>
      (await linnet.db.selectFrom('visit_batches').select('id').execute()).length
    const before = await batches()
    const added = await Promise.all(
      [...links, ...links].map(({ id }) => add(id, 'part', { undated: 3 })),
    )
    expect(added.filter(it => it === true)).toHaveLength(39)
    expect(added.filter(it => it === false)).toHaveLength(39)
    expect(added.filter(isRefusal).map(({ code }) => code)).toEqual(['not_found', 'not_found'])
    expect((await batches()) - before).toBeLessThan(10)
    for (const link of links.slice(1)) {
      expect(await shown(link)).toMatchObject({ visits: { total: 3 }, status: 'exhausted' })
    }
  })

  it('use up a limit of visits, whether they are dated or not', async () => {
    await start()
    const link = await made(
      { visits: { undated: 1, counts: [{ at: '2024-05-03', visits: 1 }] } },
      { maxVisits: 3 },
    )
    expect((await linnet.visit(link)).status).toBe(302)
    expect((await linnet.visit(link)).status).toBe(410)
    const other = await made({}, { maxVisits: 5 })
    expect((await linnet.visit(other)).status).toBe(302)
    await add(other.id, 'a', { undated: 400 })
    expect((await linnet.visit(other)).status).toBe(410)
    expect((await shown(other)).status).toBe('exhausted')
    const without = await made({ visits: { undated: 3 } })
    await linnet.api('PATCH', `/links/${without.id}`, { maxVisits: 1 })
    expect((await linnet.visit(without)).status).toBe(302)
  })

  it('use up nothing of what the plan includes', async () => {
    await start({ plan: 'free' })
    await made({ visits: { undated: 1_000_000 } })
    const { usage } = (await linnet.api('GET', '/profile')).body.data.plan
    expect(usage.visitsTrackedThisMonth).toBe(0)
  })

  it('go with the link', async () => {
    await start({ deletedDays: 0 })
    const link = await made({ visits: past })
    await analytics('/analytics')
    await context.links.remove(linnet.account.rowId, link.id)
    expect(await analytics('/analytics?interval=all')).toMatchObject({
      totals: { visits: 0, bots: 0, uniqueVisitors: 0 },
      undated: 0,
    })
    expect(await linnet.db.selectFrom('link_counts').selectAll().execute()).toEqual([])
    expect(await linnet.db.selectFrom('account_counts').selectAll().execute()).toEqual([])
    // Some that were not added up yet.
    const hasty = await made({ visits: past })
    await context.links.remove(linnet.account.rowId, hasty.id)
    expect((await analytics('/analytics?interval=all')).undated).toBe(0)
    expect(await linnet.db.selectFrom('account_counts').selectAll().execute()).toEqual([])
  })

  it('come back with the link, and so do the keys that it took', async () => {
    await start()
    const link = await made({ visits: past })
    await add(link.id, 'a', { undated: 1 })
    const numbers = async () => [
      (await shown(link)).visits,
      await analytics('/analytics?interval=all'),
    ]
    const before = await numbers()
    await context.links.remove(linnet.account.rowId, link.id)
    expect((await analytics('/analytics?interval=all')).undated).toBe(0)
    await context.links.restore(linnet.account.rowId, link.id)
    expect(await numbers()).toEqual(before)
    expect(await add(link.id, 'a', { undated: 1 })).toBe(false)
    expect(await numbers()).toEqual(before)
  })

  it('outlive the night in which hours become days', async () => {
    await start()
    const link = await made({ visits: past })
    await analytics('/analytics')
    await linnet.run('visits.tidyCounts')
    const data = await analytics(`/links/${link.id}/analytics?interval=all`)
    expect(data).toMatchObject({ totals: { visits: 20, uniqueVisitors: 7 }, undated: 1_000 })
    expect((await shown(link)).visits).toMatchObject({ total: 1_020, undated: 1_000 })
  })

  it('of today are there at once, although noon is still to come', async () => {
    await start()
    const link = await made({ visits: { counts: [{ at: '2026-11-26', visits: 4 }] } })
    expect((await analytics(`/links/${link.id}/analytics?interval=24h`)).totals.visits).toBe(4)
    expect((await shown(link)).lastVisitAt).toBe('2026-11-26T09:30:00.000Z')
  })

  it('are added up exactly, however they are cut into calls', async () => {
    await start()
    const link = await made()
    const random = seeded(20_261_126)
    const expected = { visits: 0, undated: 0, countries: {} as Record<string, number> }
    for (let call = 0; call < 12; call += 1) {
      const undated = Math.floor(random() * 1_000_000_000)
      const counts = Array.from({ length: 40 }, () => {
        const [DE, AT] = [Math.floor(random() * 900_000_000), Math.floor(random() * 5)]
        const at = new Date(Date.UTC(2024, 4, 1 + random() * 20, random() * 24))
        for (const [country, visits] of Object.entries({ DE, AT })) {
          expected.countries[country] = (expected.countries[country] ?? 0) + visits
        }
        const visits = DE + AT + Math.floor(random() * 3)
        expected.visits += visits
        return {
          at: random() < 0.5 ? at : at.toISOString().slice(0, 10),
          ...{ visits, by: { visitsByCountry: { DE, AT } } },
        }
      })
      expected.undated += undated
      expect(await add(link.id, `${call}`, { undated, counts })).toBe(true)
    }
    const data = await analytics(`/links/${link.id}/analytics?interval=all`)
    const { '(none)': _, ...countries } = values(data.visitsByCountry)
    expect(data).toMatchObject({ totals: { visits: expected.visits }, undated: expected.undated })
    expect(countries).toEqual(expected.countries)
    const { total, undated } = (await shown(link)).visits
    expect({ total, undated }).toEqual({
      total: expected.visits + expected.undated,
      undated: expected.undated,
    })
  })
})

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, as in Numerical Recipes */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe('what is refused', () => {
  const why = async (visits: unknown, more = {}) => {
    const body = { originalUrl: 'https://example.com/', ...more }
    const refused = await context.links.create(linnet.account.rowId, body, {
      visits: visits as PastVisits,
    })
    if (!isRefusal(refused)) return 'nothing'
    const [error] = refused.errors ?? []
    return `${refused.status} ${error?.field ?? refused.field}: ${error?.message ?? refused.detail}`
  }
  const day = (more: object) => ({ counts: [{ at: '2024-05-03', visits: 5, ...more }] })

  it('is what cannot have been, and nothing is made then', async () => {
    await start()
    const refused = async (visits: unknown, expected: string) =>
      expect(await why(visits)).toContain(expected)
    await refused({ undated: -1 }, '422 visits.undated: ')
    await refused({ undated: 1.5 }, '422 visits.undated: ')
    await refused({ undated: 2_000_000_000 }, '422 visits.undated: ')
    await refused({ hits: 1 }, '422 visits.hits: ')
    await refused(day({ at: '2024-02-30' }), '422 visits.counts[0].at: Must be a date')
    await refused(day({ at: '2026-11-27' }), '422 visits.counts[0].at: Must be a day or a moment')
    await refused(day({ at: new Date('2026-11-26T09:30:01Z') }), 'visits.counts[0].at: ')
    await refused(day({ at: '1970-01-01' }), 'visits.counts[0].at: ')
    await refused(day({ visits: '5' }), '422 visits.counts[0].visits: ')
    await refused(
      day({ by: { visitsByCuntry: { DE: 1 } } }),
      'by.visitsByCuntry: The dimensions are',
    )
    for (const by of [[], 1, { visitsByCountry: null }, { visitsByCountry: ['1'] }])
      await refused(day({ by }), '422 visits.counts[0].by: Must be numbers')
    for (const count of [-1, 0.5, '1', 2_000_000_000])
      await refused(day({ by: { visitsByCountry: { DE: count } } }), 'counts[0].by: Must be')
    await refused(day({ by: { visitsByCountry: { '': 1 } } }), 'counts[0].by: Must be')
    await refused(day({ by: { visitsByCountry: 1 } }), 'Must be numbers by value.')
    await refused(day({ by: { calmVisits: { a: 1 } } }), 'Must be a number.')
    await refused(day({ by: { visitsOverTime: 1 } }), 'Each of the visits counts there.')
    await refused(
      day({ at: new Date('2024-05-03'), by: { uniqueVisitors: 1 } }),
      'for a whole day only',
    )
    await refused(
      day({ by: { visitsByCountry: { DE: 3, AT: 3 } } }),
      '2024-05-03 has 6 visits in visitsByCountry, but only 5 visits.',
    )
    await refused({ ...day({}), lastVisitAt: new Date('2024-05-02T10:00:00Z') }, '.lastVisitAt: ')
    await refused({ undated: 1, lastVisitAt: new Date('2026-12-01') }, '.lastVisitAt: ')
    const many = Array.from({ length: 10_001 }, () => ({ at: '2024-05-03', visits: 1 }))
    await refused({ counts: many }, '422 visits: At most 10,000 numbers')
    const by = { visitsByMood: Object.fromEntries(many.map((_, mood) => [`${mood}`, 1])) }
    await refused(day({ visits: 20_000, by }), '422 visits: At most 10,000 numbers')
    expect((await linnet.api('GET', '/links')).body.meta.total).toBe(0)
  })

  it('is what the plan does not include, or nothing counts', async () => {
    await start({
      plan: 'free',
      settings: { plans: { free: { analytics: { visitsByCountry: false } } } },
    })
    expect(await why(day({ by: { visitsByCountry: { DE: 1 } } }))).toContain(
      '403 visits.counts[0].by.visitsByCountry: ',
    )
    expect(await why(day({}))).toBe('nothing')
    await linnet.stop()
    linnet = await boot([importer])
    expect(await why({ undated: 1 })).toContain('Visits are not counted on this instance.')
  })

  it('is a key that is none, and a link that is not there', async () => {
    await start()
    const link = await made()
    for (const key of ['', 'x'.repeat(201)]) {
      expect(await add(link.id, key, { undated: 1 })).toMatchObject({ status: 422 })
      const body = { originalUrl: 'https://example.com/' }
      expect(
        await context.links.create(linnet.account.rowId, body, { visitKeys: ['a', key] }),
      ).toMatchObject({ status: 422, errors: [{ field: 'visitKeys[1]' }] })
    }
    expect(await add('lnk_none', 'a', { undated: 1 })).toMatchObject({ code: 'not_found' })
    expect((await shown(link)).visits.total).toBe(0)
  })
})
