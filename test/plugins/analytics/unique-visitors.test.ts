import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import uniqueVisitors from '../../../plugins/analytics/unique-visitors.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import campaigns from '../../../plugins/organization/campaigns.ts'
import { boot, type Harness, type ShownLink, type VisitOptions } from '../../harness.ts'
import { agents } from './agents.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot([campaigns, visitsTracking, uniqueVisitors], { at: '2026-11-20T12:30:00Z' })
  link = await linnet.create()
})
afterEach(() => linnet.stop())

async function visitors(path = `/links/${link.id}`, query = ''): Promise<unknown> {
  const { body } = await linnet.api('GET', `${path}/analytics?${query}`)
  return body.data.totals.uniqueVisitors
}

/** The salt is random: once in some thousand runs two of a few visitors leave their marks in one place. */
const byChance = { retry: 2 }

const visitFrom = (ip: string, more: VisitOptions = {}) => linnet.visit(link, { ip, ...more })

describe('unique visitors', byChance, () => {
  it('are told apart by address and user agent, however often they come', async () => {
    const headers = { 'user-agent': agents.firefoxOnLinux }
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await visitFrom(ip)
    await visitFrom('192.0.2.1', { headers })
    expect(await visitors()).toBe(3)
    expect(await visitors('', 'dimensions=uniqueVisitors')).toBe(3)
  })

  it('are one to a network of IPv6, in which addresses change by the hour', async () => {
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']) await visitFrom(ip)
    expect(await visitors()).toBe(2)
  })

  it('of two links in one campaign are one, and of two days are two', async () => {
    const { body } = await linnet.api('POST', '/campaigns', { name: 'Spring' })
    const campaignId = body.data.id
    link = await linnet.create({ campaignId })
    await visitFrom('192.0.2.1')
    link = await linnet.create({ campaignId })
    await visitFrom('192.0.2.1')
    expect(await visitors(`/campaigns/${campaignId}`)).toBe(1)
    linnet.at('2026-11-21T00:10:00Z')
    await visitFrom('192.0.2.1')
    expect(await visitors(`/campaigns/${campaignId}`)).toBe(2)
    expect(await visitors(`/campaigns/${campaignId}`, 'from=2026-11-21')).toBe(1)
  })

  it('are compared with the span before', async () => {
    linnet.at('2026-11-19T09:00:00Z')
    for (const ip of ['192.0.2.1', '192.0.2.2']) await visitFrom(ip)
    linnet.at('2026-11-20T09:00:00Z')
    for (const ip of ['192.0.2.1', '192.0.2.3', '192.0.2.4']) await visitFrom(ip)
    const day = 'from=2026-11-20&to=2026-11-21&compare=previous'
    const { body } = await linnet.api('GET', `/links/${link.id}/analytics?${day}`)
    expect(body.data).toMatchObject({
      totals: { visits: 3, uniqueVisitors: 3 },
      previous: { totals: { uniqueVisitors: 2 }, change: { uniqueVisitors: 0.5 } },
    })
  })

  it('are told for each day, also of the span before, and not by the hour', async () => {
    linnet.at('2026-11-18T09:00:00Z')
    await visitFrom('192.0.2.1')
    linnet.at('2026-11-20T09:00:00Z')
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.2']) await visitFrom(ip)
    const ask = async (query: string) =>
      (await linnet.api('GET', `/links/${link.id}/analytics?${query}`)).body.data
    const days = 'from=2026-11-19&to=2026-11-21&compare=previous'
    expect(await ask(`${days}&granularity=day`)).toMatchObject({
      totals: { visits: 3, uniqueVisitors: 2 },
      uniqueVisitors: [
        { start: '2026-11-19T00:00:00.000Z', visits: 0 },
        { start: '2026-11-20T00:00:00.000Z', visits: 2 },
      ],
      previous: {
        uniqueVisitors: [
          { start: '2026-11-17T00:00:00.000Z', visits: 0 },
          { start: '2026-11-18T00:00:00.000Z', visits: 1 },
        ],
      },
    })
    expect((await ask(`${days}&granularity=hour`)).uniqueVisitors).toEqual([])
    const { body } = await linnet.api(
      'GET',
      `/links/${link.id}/analytics.csv?${days}&granularity=week&dimensions=uniqueVisitors`,
    )
    expect(String(body).split('\r\n')).toContain(
      'current,uniqueVisitors,2026-11-16T00:00:00.000Z,2026-11-16,,,2,',
    )
  })

  it.each<[string, VisitOptions]>([
    ['robots', { headers: { 'user-agent': agents.googlebot } }],
    ['who sends DNT', { headers: { dnt: '1' } }],
    ['who sends Sec-GPC', { headers: { 'sec-gpc': '1' } }],
    ['HEAD', { method: 'HEAD' }],
  ])('leave out %s', async (_, visit) => {
    await visitFrom('192.0.2.1', visit)
    expect(await visitors()).toBe(0)
  })

  it('count again after a restart, for the salt of the day is gone with the process', async () => {
    await visitFrom('192.0.2.1')
    const again = await linnet.restart([campaigns, visitsTracking, uniqueVisitors])
    await again.visit(link, { ip: '192.0.2.1' })
    const { body } = await again.api('GET', `/links/${link.id}/analytics`)
    expect(body.data.totals).toMatchObject({ visits: 2, uniqueVisitors: 2 })
    await again.app.close()
  })

  it('need the plan', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', {
      extensions: { 'analytics.uniqueVisitors': false },
    })
    await visitFrom('192.0.2.1')
    expect(await linnet.api('GET', '/analytics?dimensions=uniqueVisitors')).toMatchObject({
      status: 403,
    })
    expect(await visitors()).toBeUndefined()
  })
})

describe('where days are not those of UTC', byChance, () => {
  // In New York it is still the evening of the 20th.
  it.each(['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland'])(
    'a visitor of this hour is in every span that ends now, in %s',
    async timezone => {
      for (const now of ['2026-11-21T01:10:00Z', '2026-11-21T11:10:00Z', '2026-11-21T23:10:00Z']) {
        linnet.at(now)
        link = await linnet.create()
        await visitFrom('192.0.2.1')
        for (const interval of ['24h', '7d', '12mo']) {
          expect(await visitors(undefined, `interval=${interval}&timezone=${timezone}`)).toBe(1)
        }
      }
    },
  )

  it.each(['America/New_York', 'Europe/Berlin', 'Asia/Tokyo'])(
    'a whole day that is over is one day, in %s',
    async timezone => {
      for (const day of [19, 20, 21]) {
        linnet.at(`2026-11-${day}T12:00:00Z`)
        for (let visitor = 0; visitor < day - 17; visitor += 1)
          await visitFrom(`192.0.2.${visitor}`)
      }
      linnet.at('2026-11-25T12:00:00Z')
      const day = `from=2026-11-20&to=2026-11-21&timezone=${timezone}`
      expect(await visitors(undefined, day)).toBe(3)
    },
  )
})
