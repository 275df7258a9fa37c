import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boot, type Harness, type ShownLink } from '../harness.ts'
import { aPerson } from './people.ts'

let linnet: Harness
let link: ShownLink
beforeEach(async () => {
  linnet = await boot(
    ['organization.tags', 'analytics.visitsTracking', 'analytics.visitsOverTime'],
    { at: '2026-11-20T12:00:30Z' },
  )
  link = await linnet.create()
})
afterEach(() => linnet.stop())

/** Reads the last minutes. The first request waits until the visits are stored. */
async function live(path = '', headers?: Readonly<Record<string, string>>) {
  await linnet.api('GET', '/analytics')
  const { status, body } = await linnet.api('GET', `${path}/analytics/live`, undefined, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

describe('the last minutes', () => {
  it('have the visits of five and of thirty minutes, and those of each minute', async () => {
    expect(await live()).toMatchObject({ last5Minutes: 0, last30Minutes: 0, links: 0 })
    await linnet.visit(link)
    linnet.at('2026-11-20T12:10:00Z')
    await linnet.visit(link)
    await linnet.visit(await linnet.create())
    linnet.at('2026-11-20T12:14:59Z')
    const { points, ...sums } = await live()
    expect(sums).toMatchObject({ last5Minutes: 2, last30Minutes: 3, links: 2 })
    expect(points).toHaveLength(30)
    expect(points.filter(({ visits }: { visits: number }) => visits > 0)).toEqual([
      { start: '2026-11-20T12:00:00.000Z', visits: 1 },
      { start: '2026-11-20T12:10:00.000Z', visits: 2 },
    ])
    expect(points.at(-1).start).toBe('2026-11-20T12:14:00.000Z')
    linnet.at('2026-11-20T12:15:00Z')
    expect(await live()).toMatchObject({ last5Minutes: 0, last30Minutes: 3 })
    linnet.at('2026-11-20T12:30:00Z')
    expect(await live()).toMatchObject({ last5Minutes: 0, last30Minutes: 2, links: 2 })
  })

  it('leave out robots, and links that are deleted', async () => {
    const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    await linnet.visit(link, { headers: { 'user-agent': robot } })
    expect((await live()).last5Minutes).toBe(0)
    await linnet.visit(link)
    expect((await live()).last5Minutes).toBe(1)
    await linnet.api('DELETE', `/links/${link.id}`)
    expect(await live()).toMatchObject({ last5Minutes: 0, links: 0 })
  })

  it('are those of a link, of a tag, or of a host', async () => {
    const tag = (await linnet.api('POST', '/tags', { name: 'News' })).body.data.id
    const tagged = await linnet.create({ tag_ids: [tag] })
    await linnet.visit(link)
    await linnet.visit(tagged)
    await linnet.visit(tagged)
    expect((await live(`/tags/${tag}`)).last5Minutes).toBe(2)
    expect((await live(`/links/${link.id}`)).last5Minutes).toBe(1)
    const onHost = async (domain: string) =>
      (await linnet.api('GET', `/analytics/live?domain=${domain}`)).body.data.last5Minutes
    expect(await onHost('go.example.org')).toBe(3)
    expect(await onHost('elsewhere.example.org')).toBe(0)
  })

  it('are nobody else’s', async () => {
    await linnet.visit(link)
    const stranger = await (await aPerson(linnet)).session()
    expect((await live('', stranger)).last30Minutes).toBe(0)
    const asked = `/links/${link.id}/analytics/live`
    expect((await linnet.api('GET', asked, undefined, stranger)).status).toBe(404)
  })

  it('say since when they are complete, which is not before the start', async () => {
    const { since } = await live()
    const now = Date.parse('2026-11-20T12:00:30Z')
    expect(Date.parse(since)).toBeGreaterThan(now - 30 * 60_000)
    expect(Date.parse(since)).toBeLessThanOrEqual(now)
  })

  it('have no points where the plan has none', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { visitsOverTime: false } })
    await linnet.visit(link)
    const { points, last5Minutes } = await live()
    expect([points, last5Minutes]).toEqual([undefined, 1])
  })
})
