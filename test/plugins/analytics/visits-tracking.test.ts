import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import { boot, type Harness, type ShownLink, type VisitOptions } from '../../harness.ts'
import { agents } from './agents.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot([visitsTracking, passwordProtection], { at: '2026-11-20T12:30:00Z' })
  link = await linnet.create()
})
afterEach(() => linnet.stop())

const counts = async (visits: number, bots = 0) =>
  expect(await linnet.counts(link)).toEqual({ visits: { '': visits }, bots: { '': bots } })

/** The link as its owner reads it. */
const shown = async () => (await linnet.api('GET', `/links/${link.id}`)).body.data

async function tracked(): Promise<number> {
  const { body } = await linnet.api('GET', '/profile')
  return body.data.plan.usage.visitsTrackedThisMonth
}

describe('visits', () => {
  it('are counted, and the last one is remembered', async () => {
    expect(await shown()).toMatchObject({ visits: { total: 0 }, lastVisitAt: null })
    await linnet.visit(link)
    linnet.at('2026-11-20T13:30:00Z')
    await linnet.visit(link)
    await counts(2)
    expect(await shown()).toMatchObject({
      visits: { total: 2 },
      lastVisitAt: '2026-11-20T13:30:00.000Z',
    })
    expect(await tracked()).toBe(2)
  })

  it.each<[string, VisitOptions]>([
    ['with DNT: 1', { headers: { dnt: '1' } }],
    ['with Sec-GPC: 1', { headers: { 'sec-gpc': '1' } }],
    ['without a user agent', { headers: { 'user-agent': '' } }],
    ['with any query', { query: '?utm_source=x&a=%00' }],
    ['typed at a terminal', { headers: { 'user-agent': agents.curl } }],
  ])('%s are counted too', async (_, visit) => {
    await linnet.visit(link, visit)
    await counts(1)
  })

  it.each<[string, VisitOptions]>([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['a prerendering', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['a prefetch of older browsers', { headers: { purpose: 'prefetch' } }],
    ['a prefetch of Firefox', { headers: { 'x-moz': 'prefetch' } }],
  ])('are not: %s redirects and is not counted', async (_, visit) => {
    expect(await linnet.visit(link, visit)).toMatchObject({ location: 'https://example.com/' })
    await counts(0)
    expect(await tracked()).toBe(0)
  })

  it('of robots are counted apart, and cost nothing of the plan', async () => {
    for (const agent of [agents.googlebot, agents.slackbot]) {
      await linnet.visit(link, { headers: { 'user-agent': agent } })
    }
    await linnet.visit(link, { headers: { 'user-agent': agents.firefoxOnLinux } })
    await counts(1, 2)
    expect(await tracked()).toBe(1)
    expect(await shown()).toMatchObject({ visits: { total: 1 } })
  })

  it('that end at an asking page are not counted, until the answer is right', async () => {
    link = await linnet.create({ password: 'sesame' })
    await linnet.visit(link)
    await linnet.visit(link, { answers: { password: 'barley' } })
    await counts(0)
    await linnet.visit(link, { answers: { password: 'sesame' } })
    await counts(1)
  })

  it('of an unknown code are nobody’s', async () => {
    expect((await linnet.visit('nowhere')).status).toBe(404)
    await counts(0)
    expect(await linnet.db.selectFrom('visit_batches').selectAll().execute()).toEqual([])
  })

  it('add up over all links of the account', async () => {
    const other = await linnet.create()
    for (const code of [link, other, other]) await linnet.visit(code)
    const { body } = await linnet.api('GET', '/analytics')
    expect(body.data.totals).toEqual({ visits: 3, bots: 0 })
  })

  it('go with their link', async () => {
    await linnet.visit(link)
    await linnet.api('DELETE', `/links/${link.id}`)
    expect((await linnet.api('GET', '/analytics')).body.data.totals).toEqual({ visits: 0, bots: 0 })
    expect((await linnet.api('DELETE', `/links/deleted/${link.id}`)).status).toBe(204)
    const counts = () => linnet.db.selectFrom('link_counts').selectAll().execute()
    await expect.poll(counts).toEqual([])
    expect(await tracked()).toBe(1)
  })
})

describe('tracking', () => {
  const switched = (on: boolean) =>
    linnet.api('PATCH', '/admin/features', { visitTrackingEnabled: on })

  it('is off for everybody at once, also for links followed before; redirects go on', async () => {
    await linnet.visit(link)
    await switched(false)
    expect(await linnet.visit(link)).toMatchObject({
      status: 302,
      location: 'https://example.com/',
    })
    expect(await linnet.api('GET', `/links/${link.id}/analytics?dimensions=visits`)).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled' },
    })
    await switched(true)
    await linnet.visit(link)
    await counts(2)
  })

  it('needs the plan', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { visitsTracking: false } })
    expect(await linnet.visit(link)).toMatchObject({ status: 302 })
    expect(await linnet.api('GET', '/analytics?dimensions=bots')).toMatchObject({
      status: 403,
      body: { code: 'feature_not_in_plan' },
    })
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { visitsTracking: true } })
    await counts(0)
  })

  it('stops at the month’s quota, and redirects go on; next month it begins again', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', { limits: { maxTrackedVisitsPerMonth: 3 } })
    for (let visit = 0; visit < 5; visit++) {
      expect(await linnet.visit(link)).toMatchObject({ status: 302 })
    }
    await counts(3)
    expect(await tracked()).toBe(3)
    linnet.at('2026-12-01T00:00:00Z')
    await linnet.visit(link)
    await counts(4)
    expect(await tracked()).toBe(1)
  })

  it('is not there without the plugin, and what was counted comes back with it', async () => {
    await linnet.visit(link)
    const without = await linnet.restart([passwordProtection])
    await without.visit(link)
    expect(await without.api('GET', '/analytics?dimensions=visits')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'dimensions' }] },
    })
    const again = await without.restart([visitsTracking])
    expect(await again.counts(link)).toMatchObject({ visits: { '': 1 } })
    await again.app.close()
  })
})
