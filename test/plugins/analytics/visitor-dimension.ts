import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Plugin } from '../../../core/plugin.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'
import { agents } from './agents.ts'

/** The headers of a visit. */
export type Headers = Readonly<Record<string, string>>

/**
 * What every dimension that looks at the visitor keeps to. `cases` are headers of visits with the value
 * each counts under, undefined for none: the first one must have a value.
 */
export function looksAtVisitors(
  plugin: Plugin,
  cases: readonly (readonly [headers: Headers, value: string | undefined])[],
  /** The first one's value as people read it. */
  label = cases[0]?.[1],
): void {
  const name = plugin.feature.slice('analytics.'.length)
  const [typical = {}, value = ''] = cases[0] ?? []
  let linnet: Harness
  let link: ShownLink

  beforeEach(async () => {
    linnet = await boot([visitsTracking, plugin], { at: '2026-11-20T12:30:00Z' })
    link = await linnet.create()
  })
  afterEach(() => linnet.stop())

  const counted = async () => (await linnet.counts(link))[name]
  const named = () => linnet.api('GET', `/links/${link.id}/analytics?dimensions=${name}`)
  const inPlan = (included: boolean) =>
    linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { [name]: included } })

  it.each(cases)('counts %j as %s', async (headers, expected) => {
    expect(await linnet.visit(link, { headers })).toMatchObject({ status: 302 })
    expect(await counted()).toEqual(expected === undefined ? {} : { [expected]: 1 })
  })

  it('adds up, the most frequent first, each with its share', async () => {
    for (const [headers] of cases) await linnet.visit(link, { headers })
    for (let again = 0; again < cases.length; again++)
      await linnet.visit(link, { headers: typical })

    const expected = tally([...cases.map(([, of]) => of), ...cases.map(() => value)])
    expect(await counted()).toEqual(expected)
    const { body } = await named()
    const all = cases.length * 2
    const none = cases.filter(([, of]) => of === undefined).length
    const visits = [...Object.values(expected), ...(none > 0 ? [none] : [])].sort((a, b) => b - a)
    expect(body.data[name].map((row: { visits: number }) => row.visits)).toEqual(visits)
    expect(body.data[name][0]).toEqual({
      value,
      label,
      visits: visits[0],
      share: Number(visits[0]) / all,
    })
    expect(body.data.totals).toEqual({ visits: all })
  })

  it('is told apart by link, and added up for the account', async () => {
    const other = await linnet.create()
    await linnet.visit(link, { headers: typical })
    await linnet.visit(other, { headers: typical })
    expect(await counted()).toEqual({ [value]: 1 })
    const { body } = await linnet.api('GET', `/analytics?dimensions=${name}`)
    expect(body.data[name]).toMatchObject([{ value, visits: 2 }])
  })

  it('records nothing while it is off in the plan, and is 403 when it is named', async () => {
    await linnet.visit(link, { headers: typical })
    await inPlan(false)
    await linnet.visit(link, { headers: typical })
    expect(await named()).toMatchObject({ status: 403, body: { code: 'feature_not_in_plan' } })
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 2 } })
    expect(await counted()).toBeUndefined()
    await inPlan(true)
    expect(await counted()).toEqual({ [value]: 1 })
  })

  it('records nothing while visits are not tracked, and redirects go on', async () => {
    await linnet.api('PATCH', '/admin/features', { visitTrackingEnabled: false })
    expect(await linnet.visit(link, { headers: typical })).toMatchObject({ status: 302 })
    expect(await named()).toMatchObject({ status: 403, body: { code: 'feature_disabled' } })
    await linnet.api('PATCH', '/admin/features', { visitTrackingEnabled: true })
    expect(await counted()).toEqual({})
  })

  it.each(['dnt', 'sec-gpc'])('is not asked about who sends %s: 1', async header => {
    await linnet.visit(link, { headers: { ...typical, [header]: '1' } })
    expect(await counted()).toEqual({})
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 } })
  })

  it('is not asked about robots', async () => {
    await linnet.visit(link, { headers: { ...typical, 'user-agent': agents.googlebot } })
    expect(await counted()).toEqual({})
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 0 }, bots: { '': 1 } })
  })
}

function tally(values: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
