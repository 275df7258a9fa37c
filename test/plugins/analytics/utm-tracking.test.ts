import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import utmTracking from '../../../plugins/analytics/utm-tracking.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import utmParameters from '../../../plugins/link/utm-parameters.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'
import { agents } from './agents.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot([utmParameters, visitsTracking, utmTracking])
  link = await linnet.create()
})
afterEach(() => linnet.stop())

const nothing = { utmSource: {}, utmMedium: {}, utmCampaign: {}, utmTerm: {}, utmContent: {} }

const counted = async (of = link) => {
  const { visits: _, bots: __, ...utm } = await linnet.counts(of)
  return utm
}

describe('UTM parameters', () => {
  it('of a visit are counted, each by itself', async () => {
    const query =
      '?utm_source=news%20letter&utm_medium=mail&utm_campaign=spring&utm_term=shoes&utm_content=top'
    await linnet.visit(link, { query })
    await linnet.visit(link, { query: '?utm_source=poster' })
    expect(await counted()).toEqual({
      utmSource: { 'news letter': 1, poster: 1 },
      utmMedium: { mail: 1 },
      utmCampaign: { spring: 1 },
      utmTerm: { shoes: 1 },
      utmContent: { top: 1 },
    })
  })

  it.each(['', '?utm_source=', '?utm_source=%20%20', '?source=news', '?UTM_SOURCE=news'])(
    'that %j does not have are not made up',
    async query => {
      await linnet.visit(link, { query })
      expect(await counted()).toEqual(nothing)
    },
  )

  it('in the address of the link count where the visit has none', async () => {
    const tagged = await linnet.create({
      originalUrl: 'https://example.com/?utm_source=letter&utm_campaign=spring',
    })
    await linnet.visit(tagged)
    await linnet.visit(tagged, { query: '?utm_source=poster&utm_campaign=' })
    expect(await counted(tagged)).toEqual({
      ...nothing,
      utmSource: { letter: 1, poster: 1 },
      utmCampaign: { spring: 2 },
    })
  })

  it('that were given to a link count like those in its address', async () => {
    const given = await linnet.create({ utm: { source: 'letter', medium: 'mail' } })
    await linnet.visit(given)
    expect(await counted(given)).toEqual({
      ...nothing,
      utmSource: { letter: 1 },
      utmMedium: { mail: 1 },
    })
  })

  it.each([
    ['dnt', '1'],
    ['sec-gpc', '1'],
    ['user-agent', agents.googlebot],
  ])('are not asked of who sends %s: %s', async (name, value) => {
    await linnet.visit(link, { query: '?utm_source=news', headers: { [name]: value } })
    expect(await counted()).toEqual(nothing)
  })

  it('are recorded only in a plan that has them, and 403 when they are named', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { utmTracking: false } })
    await linnet.visit(link, { query: '?utm_source=news' })
    const named = await linnet.api('GET', `/links/${link.id}/analytics?dimensions=utmSource`)
    expect(named).toMatchObject({ status: 403, body: { code: 'feature_not_in_plan' } })
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { utmTracking: true } })
    expect(await counted()).toEqual(nothing)
  })
})
