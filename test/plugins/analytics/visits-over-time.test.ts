import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsOverTime from '../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'
import { agents } from './agents.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot([visitsTracking, visitsOverTime], { at: '2026-11-18T23:59:59.999Z' })
  link = await linnet.create()
})
afterEach(() => linnet.stop())

type Point = { readonly start: string; readonly visits: number }

/** The points of the curve at which there was somebody, as `2026-11-18T23 1`. */
async function curve(query: string): Promise<readonly string[]> {
  const { status, body } = await linnet.api('GET', `/links/${link.id}/analytics?${query}`)
  expect(status).toBe(200)
  return (body.data.visitsOverTime as Point[])
    .filter(({ visits }) => visits > 0)
    .map(({ start, visits }) => `${start.slice(0, 13)} ${visits}`)
}

describe('visits over time', () => {
  it('stand in the hour, day, week and month of UTC in which they were', async () => {
    await linnet.visit(link)
    linnet.at('2026-11-19T00:00:00Z')
    await linnet.visit(link)
    await linnet.visit(link)
    linnet.at('2026-12-01T08:30:00Z')
    await linnet.visit(link)

    const span = 'from=2026-11-01T00:00:00Z&to=2026-12-02T00:00:00Z&granularity='
    expect(await curve(`${span}hour`)).toEqual([
      '2026-11-18T23 1',
      '2026-11-19T00 2',
      '2026-12-01T08 1',
    ])
    expect(await curve(`${span}day`)).toEqual([
      '2026-11-18T00 1',
      '2026-11-19T00 2',
      '2026-12-01T00 1',
    ])
    expect(await curve(`${span}week`)).toEqual(['2026-11-16T00 3', '2026-11-30T00 1'])
    expect(await curve(`${span}month`)).toEqual(['2026-11-01T00 3', '2026-12-01T00 1'])
  })

  it('have a point for every bucket, also for the empty ones', async () => {
    await linnet.visit(link)
    const { body } = await linnet.api(
      'GET',
      `/links/${link.id}/analytics?from=2026-11-17T00:00:00Z&to=2026-11-20T00:00:00Z&granularity=day`,
    )
    expect(body.data).toMatchObject({
      from: '2026-11-17T00:00:00.000Z',
      to: '2026-11-20T00:00:00.000Z',
      granularity: 'day',
      totals: { visits: 1, bots: 0 },
      visitsOverTime: [
        { start: '2026-11-17T00:00:00.000Z', visits: 0 },
        { start: '2026-11-18T00:00:00.000Z', visits: 1 },
        { start: '2026-11-19T00:00:00.000Z', visits: 0 },
      ],
    })
  })

  it('leave out what was before and after', async () => {
    await linnet.visit(link)
    linnet.at('2026-11-20T12:00:00Z')
    const whole = 'granularity=hour&'
    expect(await curve(`${whole}to=2026-11-18T23:00:00Z&from=2026-11-01T00:00:00Z`)).toEqual([])
    expect(await curve(`${whole}from=2026-11-19T00:00:00Z`)).toEqual([])
    expect(await curve(`${whole}interval=24h`)).toEqual([])
    expect(await curve(`${whole}interval=7d`)).toEqual(['2026-11-18T23 1'])
  })

  it('count who asked not to be tracked, but no robots', async () => {
    await linnet.visit(link, { headers: { dnt: '1' } })
    await linnet.visit(link, { headers: { 'sec-gpc': '1' } })
    await linnet.visit(link, { headers: { 'user-agent': agents.googlebot } })
    expect(await curve('interval=24h')).toEqual(['2026-11-18T23 2'])
  })

  it('are not recorded while they are off in the plan, and 403 when they are named', async () => {
    const inPlan = (visitsOverTime: boolean) =>
      linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { visitsOverTime } })
    await inPlan(false)
    await linnet.visit(link)
    const named = await linnet.api('GET', `/links/${link.id}/analytics?dimensions=visitsOverTime`)
    expect(named).toMatchObject({ status: 403, body: { code: 'feature_not_in_plan' } })
    await inPlan(true)
    expect(await curve('interval=24h')).toEqual([])
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 } })
  })

  it('stop for everybody with the switch, and redirects go on', async () => {
    await linnet.api('PATCH', '/admin/features', { visitTrackingEnabled: false })
    expect(await linnet.visit(link)).toMatchObject({ status: 302 })
    const named = await linnet.api('GET', '/analytics?dimensions=visitsOverTime')
    expect(named).toMatchObject({ status: 403, body: { code: 'feature_disabled' } })
    await linnet.api('PATCH', '/admin/features', { visitTrackingEnabled: true })
    expect(await curve('interval=24h')).toEqual([])
  })
})

it('needs visits to be tracked', async () => {
  const linnet = await boot(visitsOverTime)
  const features = linnet.app.plugins.running.map(({ plugin }) => plugin.feature)
  expect(features).toEqual(['analytics.visitsTracking', 'analytics.visitsOverTime'])
  await linnet.stop()
})
