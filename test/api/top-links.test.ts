import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../harness.ts'
import type { PluginOrFeature } from '../with-ours.ts'
import { aPerson } from './people.ts'

/** Counts the value of `?from=`, robots included. */
const visitsFrom = definePlugin({
  feature: 'test.visitsFrom',
  about: 'Count visits by what their query says.',
  dimensions: {
    visitsFrom: {
      label: 'From',
      of: ({ query }) => query.get('from') ?? undefined,
      labelOf: value => (value === 'de' ? 'Germany' : value),
    },
    robotsBy: {
      label: 'Robot',
      bots: true,
      of: ({ userAgent }) => /(\w+bot)/i.exec(userAgent)?.[1],
    },
  },
})

const plugins: readonly PluginOrFeature[] = [
  'organization.tags',
  'analytics.visitsTracking',
  'analytics.visitsOverTime',
  visitsFrom,
]

let linnet: Harness
let spring: ShownLink
let summer: ShownLink
beforeEach(async () => {
  linnet = await boot(plugins)
  spring = await linnet.create({ title: 'Spring' })
  summer = await linnet.create({ title: 'Summer' })
})
afterEach(() => linnet.stop())

const ask = (query = '', path = '') => linnet.api('GET', `${path}/analytics/links?${query}`)

async function answer(query = '', path = '') {
  const { status, body } = await ask(query, path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

/** Titles and visits, in the order of the answer. */
async function linksOf(query = '', path = ''): Promise<readonly (readonly [string, number])[]> {
  const { links } = await answer(query, path)
  return links.map(({ title, visits }: { title: string; visits: number }) => [title, visits])
}

async function visit(link: ShownLink, day: string, from?: string, times = 1) {
  linnet.at(`2026-${day}T12:00:00Z`)
  for (let time = 0; time < times; time += 1) {
    await linnet.visit(link, from === undefined ? {} : { query: `?from=${from}` })
  }
}

describe('the links that were visited most', () => {
  it('are those of the span, whatever was before it', async () => {
    await visit(spring, '09-01', undefined, 5)
    await visit(summer, '11-19', undefined, 3)
    await visit(spring, '11-20', undefined, 1)
    expect(await linksOf('interval=7d')).toEqual([
      ['Summer', 3],
      ['Spring', 1],
    ])
    expect(await linksOf('from=2026-08-01')).toEqual([
      ['Spring', 6],
      ['Summer', 3],
    ])
    expect(await linksOf('from=2026-08-01&limit=1')).toEqual([['Spring', 6]])
    expect(await linksOf('from=2026-10-01&to=2026-10-02')).toEqual([])
  })

  it('tell what they are, their share of all, points over time, and the span before', async () => {
    await visit(spring, '11-12', undefined, 2)
    await visit(spring, '11-19', undefined, 1)
    await visit(summer, '11-20', undefined, 3)
    const { links, visits, points, previous } = await answer(
      'from=2026-11-18&to=2026-11-21&granularity=day&compare=previous',
    )
    expect(visits).toBe(4)
    expect(points.map((point: { visits: number }) => point.visits)).toEqual([0, 1, 3])
    expect(links).toEqual([
      {
        id: summer.id,
        shortUrl: summer.shortUrl,
        shortCode: summer.shortCode,
        domain: summer.domain,
        originalUrl: summer.originalUrl,
        title: 'Summer',
        visits: 3,
        share: 0.75,
        previousVisits: 0,
      },
      expect.objectContaining({ title: 'Spring', visits: 1, share: 0.25, previousVisits: 0 }),
    ])
    expect(previous).toMatchObject({ from: '2026-11-15T00:00:00.000Z', visits: 0, change: null })
    const { links: week, previous: before } = await answer('interval=7d&compare=previous')
    expect(week[1]).toMatchObject({ title: 'Spring', visits: 1, previousVisits: 2 })
    expect(before).toMatchObject({ visits: 2, change: 1 })
  })

  it('are told for one value of a dimension, also for none', async () => {
    await visit(spring, '11-20', 'de', 2)
    await visit(spring, '11-20')
    await visit(summer, '11-20', 'at')
    await visit(summer, '11-20', undefined, 4)
    const german = 'dimension=visitsFrom&value=de'
    expect(await linksOf(german)).toEqual([['Spring', 2]])
    expect(await answer(german)).toMatchObject({ label: 'Germany', visits: 2 })
    expect(await linksOf('dimension=visitsFrom&value=(none)')).toEqual([
      ['Summer', 4],
      ['Spring', 1],
    ])
    expect(await answer('dimension=visitsFrom&value=(none)')).toMatchObject({
      label: 'Unknown',
      visits: 5,
    })
    expect(await answer('dimension=visitsFrom&value=fr')).toMatchObject({ visits: 0, links: [] })
  })

  it('are told of robots, who are in no total', async () => {
    await visit(spring, '11-20')
    const robot = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }
    for (let time = 0; time < 3; time += 1) await linnet.visit(summer, { headers: robot })
    expect(await linksOf('dimension=robotsBy&value=Googlebot&limit=1')).toEqual([['Summer', 3]])
    expect(await linksOf('dimension=robotsBy&value=(none)')).toEqual([])
    expect(await linksOf()).toEqual([['Spring', 1]])
  })

  it('are those of a tag, and of a link itself', async () => {
    const tag = (await linnet.api('POST', '/tags', { name: 'News' })).body.data.id
    const tagged = await linnet.create({ title: 'Tagged', tag_ids: [tag] })
    await visit(tagged, '11-20')
    await visit(spring, '11-20', undefined, 2)
    expect(await linksOf('', `/tags/${tag}`)).toEqual([['Tagged', 1]])
    expect(await linksOf('', `/links/${spring.id}`)).toEqual([['Spring', 2]])
    const stranger = await (await aPerson(linnet)).session()
    for (const path of [`/tags/${tag}`, `/links/${spring.id}`]) {
      const asked = await linnet.api('GET', `${path}/analytics/links`, undefined, stranger)
      expect(asked.status).toBe(404)
    }
    expect(
      (await linnet.api('GET', '/analytics/links', undefined, stranger)).body.data.links,
    ).toEqual([])
  })

  it('lose one that is deleted', async () => {
    await visit(spring, '11-20', undefined, 2)
    await visit(summer, '11-20')
    await linnet.api('DELETE', `/links/${spring.id}`)
    expect(await linksOf()).toEqual([['Summer', 1]])
    expect((await answer()).visits).toBe(1)
  })

  it('have no points where the plan has none', async () => {
    await linnet.api('PATCH', '/admin/plans/pro', { analytics: { visitsOverTime: false } })
    await linnet.api('PATCH', `/admin/accounts/${linnet.account.id}`, { plan: 'pro' })
    expect(await answer()).not.toHaveProperty('points')
  })

  it('are a file too', async () => {
    await visit(spring, '11-20', undefined, 2)
    const { headers, body } = await linnet.api('GET', '/analytics/links.csv?interval=7d')
    expect(headers['content-disposition']).toBe(
      'attachment; filename="linnet_links_2026-11-14_2026-11-20.csv"',
    )
    expect(String(body).replace('\ufeff', '').trimEnd().split('\r\n')).toEqual([
      'id,short_url,title,original_url,visits,previous_visits,share',
      `${spring.id},${spring.shortUrl},Spring,${spring.originalUrl},2,,1`,
    ])
  })

  it.each([
    ['dimension=visitsFrom', 'value'],
    ['value=de', 'dimension'],
    ['dimension=visits&value=de', 'dimension'],
    ['dimension=mood&value=de', 'dimension'],
    ['dimensions=visitsFrom', 'dimensions'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['interval=1y', 'interval'],
    ['compare=previous&interval=all', 'compare'],
  ])('are 422 for ?%s', async (query, field) => {
    const { status, body } = await ask(query)
    expect([status, body.errors[0].field]).toEqual([422, field])
  })
})

describe('the numbers of one domain', () => {
  it('are those of its links alone', async () => {
    await visit(spring, '11-20', 'de')
    const here = encodeURIComponent(String(spring.domain))
    expect(await linksOf(`domain=${here}`)).toEqual([['Spring', 1]])
    expect(await linksOf('domain=go.example.net')).toEqual([])
    const { body } = await linnet.api('GET', `/analytics?domain=${here}`)
    expect(body.data).toMatchObject({ totals: { visits: 1 }, visitsFrom: [{ value: 'de' }] })
    const other = await linnet.api('GET', '/analytics?domain=go.example.net')
    expect(other.body.data.totals.visits).toBe(0)
    expect((await ask('domain=')).status).toBe(422)
  })
})
