import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlaceFact } from '../../../../core/plugin.ts'
import { openPlaces } from '../../../../core/visits/facts/open-places.ts'
import { placesIn } from '../../../../core/visits/facts/place.ts'
import { placeFiles } from '../../../../core/visits/facts/place-files.ts'
import { mmdb, mmdbFile } from '../../../mmdb.ts'
import { listeningLog, temporaryFolder } from '../fixtures.ts'

const reading = (...facts: PlaceFact[]): ReadonlySet<PlaceFact> => new Set(facts)
const ip = '8.8.8.8'
const dbIp = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com/' }

describe('what comes with Linnet', () => {
  it('tells the countries of both kinds of addresses', () => {
    const log = listeningLog()
    const places = openPlaces(log, reading('place'))
    const countries = [ip, '2001:4860:4860::8888', '193.99.144.80', '192.168.1.1'].map(
      it => places.of(it).country,
    )
    expect(countries).toEqual(['US', 'US', 'DE', undefined])
    expect(places.troubles()).toEqual([])
    expect(log.lines).toEqual([])
  })

  it('tells their cities', () => {
    const log = listeningLog()
    const places = openPlaces(log, reading('city'))
    const cities = [ip, '193.99.144.80', '2a02:2e0:3fe::1', '192.168.1.1'].map(
      it => places.of(it).city,
    )
    expect(cities).toEqual([
      { name: 'Mountain View', region: 'California', country: 'US' },
      { name: 'Hanover', region: 'Lower Saxony', country: 'DE' },
      { name: 'Hanover', region: 'Lower Saxony', country: 'DE' },
      undefined,
    ])
    expect(log.lines).toEqual([])
  })

  it('is named where it shows', () => {
    const { attribution } = openPlaces(listeningLog(), reading('place', 'city'))
    expect(attribution('place')?.text).toContain('Number Resource Organization')
    expect(attribution('city')).toEqual(dbIp)
  })
})

describe('a fact that no plugin reads', () => {
  const country = { country: { iso_code: 'IS' } }
  const city = { ...country, city: { names: { en: 'Reykjavik' } } }

  it.each([
    ['place', { country: 'IS', city: undefined }],
    ['city', { country: undefined, city: { name: 'Reykjavik', country: 'IS' } }],
  ] as const)('is not told: %s is', (fact, place) => {
    const file = mmdbFile({ '8.8.8.0/24': city }, { type: 'GeoLite2-City' })
    expect(openPlaces(listeningLog(), reading(fact), file).of(ip)).toMatchObject(place)
  })
})

describe('an operator’s own file', () => {
  const iceland = { country: { iso_code: 'IS' }, city: { names: { en: 'Reykjavik' } } }

  it.each(['GeoLite2-City', 'GeoIP2-Enterprise', 'DBIP-City-Lite', 'DBIP-Location (compat=City)'])(
    'of type %s tells countries and cities, to another thread too',
    type => {
      const file = mmdbFile({ '8.8.8.0/24': iceland }, { type })
      const reads = reading('place', 'city')
      const places = openPlaces(listeningLog(), reads, file)
      for (const of of [places.of, placesIn(placeFiles(reads, file))]) {
        expect(of(ip)).toMatchObject({ country: 'IS', city: { name: 'Reykjavik' } })
      }
    },
  )

  it('about countries alone leaves cities to what comes with Linnet', () => {
    const file = mmdbFile({ '8.8.8.0/24': iceland }, { type: 'GeoLite2-Country' })
    const places = openPlaces(listeningLog(), reading('place', 'city'), file)
    expect(places.of(ip)).toMatchObject({ country: 'IS', city: { name: 'Mountain View' } })
    expect(places.attribution('city')).toEqual(dbIp)
  })

  it.each([
    ['GeoLite2-City', 'GeoLite data created by MaxMind'],
    ['DBIP-City-Lite', 'IP Geolocation by DB-IP'],
    ['Our-Own-City', undefined],
  ])('of type %s asks to name: %s', (type, text) => {
    const file = mmdbFile({}, { type })
    const { attribution } = openPlaces(listeningLog(), reading('place', 'city'), file)
    expect([attribution('place')?.text, attribution('city')?.text]).toEqual([text, text])
  })

  it.each(['missing', 'broken'])('is %s: the log says so once, and nothing is known', kind => {
    const file = join(temporaryFolder(), 'places.mmdb')
    if (kind === 'broken') writeFileSync(file, 'no database')
    const log = listeningLog()
    const places = openPlaces(log, reading('place', 'city'), file)
    expect(places.of(ip)).toEqual({ country: undefined, city: undefined })
    expect([places.troubles(), places.troubles()]).toEqual(
      Array(2).fill([
        'Countries of visitors are unknown; the log says why.',
        'Cities of visitors are unknown; the log says why.',
      ]),
    )
    expect(log.lines).toHaveLength(2)
    expect(log.lines[0]).toContain(`${file} cannot be read`)
    expect(log.lines[0]).toContain('set LINNET_GEOIP_FILE')
  })

  it('that breaks later goes on as it was, shows until it is whole again, and is read anew', () => {
    const file = mmdbFile({ '8.8.8.0/24': iceland })
    const log = listeningLog()
    const places = openPlaces(log, reading('place'), file)
    expect(places.of(ip).country).toBe('IS')
    writeFileSync(file, 'half of anoth')
    expect(places.troubles()).toEqual([
      'Countries of visitors are told by a file that is gone or broken now; the log says why.',
    ])
    expect(places.of(ip).country).toBe('IS')
    writeFileSync(file, mmdb({ '8.8.8.0/24': iceland, '9.9.9.0/24': iceland }))
    expect(places.troubles()).toEqual([])
    expect(log.lines).toHaveLength(1)
  })

  it('knows nothing any more when it is gone before the first visit', () => {
    const file = mmdbFile({ '8.8.8.0/24': iceland })
    const places = openPlaces(listeningLog(), reading('place'), file)
    rmSync(file)
    expect(places.of(ip).country).toBeUndefined()
  })
})
