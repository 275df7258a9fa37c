import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import visitsByCity from '../../../plugins/analytics/visits-by-city.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness, type HarnessOptions } from '../../harness.ts'
import { mmdbFile } from '../../mmdb.ts'
import { agents } from './agents.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const city = (name: string, region: string, country: string) => ({
  city: { names: { en: name } },
  subdivisions: [{ names: { en: region } }],
  country: { iso_code: country },
})

const [springfieldIllinois, springfieldOregon, berlin, vatican] = [
  '81.2.69.142',
  '81.2.70.1',
  '2a02:2e0:3fe::1',
  '9.9.9.9',
]

async function bootWith(options: HarnessOptions = {}) {
  const networks = {
    '81.2.69.0/24': city('Springfield', 'Illinois', 'US'),
    '81.2.70.0/24': city('Springfield', 'Oregon', 'US'),
    '2a02:2e0::/32': city('Berlin', 'Berlin', 'DE'),
    '9.9.9.0/24': { city: { names: { en: 'Vatican City' } }, country: { iso_code: 'VA' } },
  }
  const geoipFile = mmdbFile(networks, { type: 'GeoLite2-City' })
  linnet = await boot([visitsTracking, visitsByCity], { geoipFile, ...options })
  return linnet.create()
}

const rows = async (id: string) => {
  const path = `/links/${id}/analytics?dimensions=visitsByCity`
  return (await linnet.api('GET', path)).body.data.visitsByCity
}

async function manifestEntry() {
  const { body } = await linnet.api('GET', '/plugins')
  return body.data.find(({ feature }: { feature: string }) => feature === visitsByCity.feature)
}

describe('cities', () => {
  it('of one name are told apart, and named with where they are', async () => {
    const link = await bootWith()
    linnet.at('2026-11-20T12:30:00Z')
    const visitors = [berlin, springfieldOregon, springfieldIllinois, berlin, vatican, berlin]
    for (const ip of [...visitors, springfieldOregon]) await linnet.visit(link, { ip })
    linnet.at('2026-11-20T13:00:00Z')
    expect(await rows(link.id)).toMatchObject([
      { value: 'DE|Berlin|Berlin', label: 'Berlin, Germany', visits: 3 },
      { value: 'US|Oregon|Springfield', label: 'Springfield, Oregon, United States', visits: 2 },
      { label: 'Springfield, Illinois, United States', visits: 1 },
      { value: 'VA||Vatican City', label: 'Vatican City', visits: 1 },
    ])
  })

  it('are known without a file or a key, and DB-IP is named for it', async () => {
    const link = await bootWith({ geoipFile: undefined })
    await linnet.visit(link, { ip: '8.8.8.8' })
    expect(await linnet.counts(link)).toMatchObject({
      visitsByCity: { 'US|California|Mountain View': 1 },
    })
    expect((await manifestEntry()).dimensions).toEqual([
      {
        name: 'visitsByCity',
        label: 'City',
        chart: 'table',
        attribution: { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com/' },
      },
    ])
  })

  it('ask to name whose data the operator chose', async () => {
    await bootWith()
    expect((await manifestEntry()).dimensions[0].attribution).toEqual({
      text: 'GeoLite data created by MaxMind',
      url: 'https://www.maxmind.com/',
    })
  })

  it.each(['127.0.0.1', '192.168.1.1', '::1', '7.7.7.7'])('are not made up for %s', async ip => {
    const link = await bootWith()
    await linnet.visit(link, { ip })
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 }, visitsByCity: {} })
  })

  it.each([
    ['dnt', '1'],
    ['sec-gpc', '1'],
    ['user-agent', agents.googlebot],
  ])('are not asked about who sends %s: %s', async (name, value) => {
    const link = await bootWith()
    await linnet.visit(link, { ip: berlin, headers: { [name]: value } })
    expect(await linnet.counts(link)).toMatchObject({ visitsByCity: {} })
  })

  it('are not in the free plan: not recorded, and 403 when they are named', async () => {
    const link = await bootWith({ plan: 'free' })
    await linnet.visit(link, { ip: berlin })
    const named = await linnet.api('GET', `/links/${link.id}/analytics?dimensions=visitsByCity`)
    expect(named).toMatchObject({ status: 403, body: { code: 'feature_not_in_plan' } })
    expect(await linnet.counts(link)).not.toHaveProperty('visitsByCity')
  })

  it('that nobody can tell leave links as they are, and health says so', async () => {
    const link = await bootWith({ geoipFile: '/nowhere/cities.mmdb' })
    expect(await linnet.visit(link, { ip: berlin })).toMatchObject({ status: 302 })
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 }, visitsByCity: {} })
    const health = await inject(linnet.app.server.handle, { url: '/health/ready' })
    expect(health.json().checks.visits).toEqual({
      status: 'degraded',
      note: 'Cities of visitors are unknown; the log says why.',
    })
  })
})
