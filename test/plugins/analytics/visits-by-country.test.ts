import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../core/plugin.ts'
import visitsByCountry from '../../../plugins/analytics/visits-by-country.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness, type HarnessOptions } from '../../harness.ts'
import { mmdbFile } from '../../mmdb.ts'
import { agents } from './agents.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const british = '81.2.69.142'
const german = '2a02:2e0:3fe::1'

async function bootWith(options: HarnessOptions = {}) {
  const geoipFile = mmdbFile({
    '81.2.69.0/24': { country: { iso_code: 'GB' } },
    '2a02:2e0::/32': { country: { iso_code: 'DE' } },
  })
  linnet = await boot([visitsTracking, visitsByCountry], { geoipFile, ...options })
  return linnet.create()
}

const rows = async (id: string) => {
  const path = `/links/${id}/analytics?dimensions=visitsByCountry`
  return (await linnet.api('GET', path)).body.data.visitsByCountry
}

async function checks() {
  const answer = await inject(linnet.app.server.handle, { url: '/health/ready' })
  expect(answer.statusCode).toBe(200)
  return answer.json().checks
}

describe('countries', () => {
  it('are counted by ISO code and named in English, the most frequent first', async () => {
    const link = await bootWith()
    linnet.at('2026-11-20T12:30:00Z')
    for (const ip of [german, british, german]) await linnet.visit(link, { ip })
    linnet.at('2026-11-20T13:00:00Z')
    expect(await rows(link.id)).toEqual([
      { value: 'DE', label: 'Germany', visits: 2, share: 2 / 3 },
      { value: 'GB', label: 'United Kingdom', visits: 1, share: 1 / 3 },
    ])
  })

  it('are known without a file or a key', async () => {
    const link = await bootWith({ geoipFile: undefined })
    await linnet.visit(link, { ip: '8.8.8.8' })
    expect(await linnet.counts(link)).toMatchObject({ visitsByCountry: { US: 1 } })
  })

  it.each(['127.0.0.1', '192.168.1.1', '::1', '7.7.7.7'])('are not made up for %s', async ip => {
    const link = await bootWith()
    await linnet.visit(link, { ip })
    expect(await linnet.counts(link)).toEqual({
      visits: { '': 1 },
      bots: { '': 0 },
      visitsByCountry: {},
    })
  })

  it.each([
    ['dnt', '1'],
    ['sec-gpc', '1'],
    ['user-agent', agents.googlebot],
  ])('are not asked about who sends %s: %s', async (name, value) => {
    const link = await bootWith()
    await linnet.visit(link, { ip: british, headers: { [name]: value } })
    expect(await linnet.counts(link)).toMatchObject({ visitsByCountry: {} })
  })

  it('are recorded only in a plan that has them, and 403 when they are named', async () => {
    const link = await bootWith()
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { visitsByCountry: false } })
    await linnet.visit(link, { ip: british })
    const named = await linnet.api('GET', `/links/${link.id}/analytics?dimensions=visitsByCountry`)
    expect(named).toMatchObject({ status: 403, body: { code: 'feature_not_in_plan' } })
    await linnet.api('PATCH', '/admin/plans/unlimited', { analytics: { visitsByCountry: true } })
    expect(await linnet.counts(link)).toMatchObject({ visitsByCountry: {} })
  })
})

describe('without the file', () => {
  const geoipFile = '/nowhere/places.mmdb'

  it('visitors arrive and are counted, and health and log say what is missing', async () => {
    const link = await bootWith({ geoipFile })
    expect(await linnet.visit(link, { ip: british })).toMatchObject({ status: 302 })
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 }, visitsByCountry: {} })
    const { visits } = await checks()
    // Anyone may ask: where the file should be is for the log alone.
    const note = 'Countries of visitors are unknown; the log says why.'
    expect(visits).toEqual({ status: 'degraded', note })
    expect(linnet.log.filter(line => line.includes(geoipFile))).toHaveLength(1)
  })

  it('nothing is missing while no plugin reads places', async () => {
    linnet = await boot(visitsTracking, { geoipFile })
    expect((await checks()).visits).toEqual({ status: 'ok', note: null })
    expect(linnet.log).toEqual([])
  })
})

it('keeps the label of a value that a plugin cannot name', async () => {
  const broken = definePlugin({
    feature: 'analytics.broken',
    about: 'Count visits and fail to name them.',
    dimensions: {
      broken: {
        label: 'Broken',
        of: () => 'value',
        labelOf() {
          throw new Error('no name')
        },
      },
    },
  })
  linnet = await boot([visitsTracking, broken], { at: '2026-11-20T12:30:00Z' })
  const link = await linnet.create()
  await linnet.visit(link)
  expect(await linnet.counts(link)).toMatchObject({ broken: { value: 1 } })
})
