import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlaceFact } from '../../../../core/plugin.ts'
import { openPlaces } from '../../../../core/visits/facts/open-places.ts'
import { type PlaceOf, placesIn } from '../../../../core/visits/facts/place.ts'
import { placeFiles } from '../../../../core/visits/facts/place-files.ts'
import { removeOutdatedPlaces } from '../../../../core/visits/facts/replace-places.ts'
import { mmdb, mmdbFile } from '../../../mmdb.ts'
import { listeningLog, temporaryFolder } from '../fixtures.ts'

const reading = (...facts: PlaceFact[]): ReadonlySet<PlaceFact> => new Set(facts)
const ip = '8.8.8.8'
const placeOf = ({ country, city }: PlaceOf, ip: string) => ({
  country: country(ip),
  city: city(ip),
})
const dbIp = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com/' }

describe('what comes with Linnet', () => {
  it('tells the countries of both kinds of addresses', () => {
    const log = listeningLog()
    const places = openPlaces(log, reading('place'))
    const countries = [ip, '2001:4860:4860::8888', '193.99.144.80', '192.168.1.1'].map(it =>
      places.of.country(it),
    )
    expect(countries).toEqual(['US', 'US', 'DE', undefined])
    expect(places.troubles()).toEqual([])
    expect(log.lines).toEqual([])
  })

  it('tells their cities', () => {
    const log = listeningLog()
    const places = openPlaces(log, reading('city'))
    const cities = [ip, '193.99.144.80', '2a02:2e0:3fe::1', '192.168.1.1'].map(it =>
      places.of.city(it),
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

describe('newer files than those that come with Linnet', () => {
  const iceland = { country: { iso_code: 'IS' }, city: { names: { en: 'Reykjavik' } } }
  const built = { type: 'DBIP-City-Lite', buildEpoch: Date.parse('2026-11-01') / 1_000 }

  it('are asked in their place as soon as they are there, and named', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'cities.mmdb')
    const before = openPlaces(listeningLog(), reading('city'), { folder })
    expect(before.of.city(ip)?.name).toBe('Mountain View')
    expect(before.files().map(({ path }) => path)).toHaveLength(2)

    writeFileSync(path, mmdb({ '8.8.8.0/24': iceland }, built))
    const places = openPlaces(listeningLog(), reading('city'), { folder })
    expect(places.of.city(ip)?.name).toBe('Reykjavik')
    for (const { files } of [before, places]) {
      expect(files()).toEqual([{ fact: 'city', path, builtAt: new Date('2026-11-01') }])
    }
    expect(places.attribution('city')).toEqual(dbIp)
  })

  it('are deleted once Linnet comes with newer ones, and kept while they are newer', () => {
    const folder = temporaryFolder()
    const log = listeningLog()
    const [countries, cities] = [join(folder, 'countries.mmdb'), join(folder, 'cities.mmdb')]
    writeFileSync(countries, mmdb({ '8.8.8.0/24': iceland }, { type: 'Country', buildEpoch: 4e9 }))
    writeFileSync(cities, mmdb({ '8.8.8.0/24': iceland }, { ...built, buildEpoch: 1e9 }))
    removeOutdatedPlaces(folder, log)
    expect([countries, cities].map(it => existsSync(it))).toEqual([true, false])
    expect(log.lines).toEqual([
      'Cities of visitors come from the data of this version of Linnet again: the downloaded data was older',
    ])
    const places = openPlaces(listeningLog(), reading('place', 'city'), { folder })
    expect(placeOf(places.of, ip)).toMatchObject({
      country: 'IS',
      city: { name: 'Mountain View' },
    })
    removeOutdatedPlaces(join(folder, 'not-there'), log)
    expect(log.lines).toHaveLength(1)
  })

  it('that are broken leave all to those that come with Linnet', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'cities.mmdb'), 'half of a fi')
    const log = listeningLog()
    const places = openPlaces(log, reading('city'), { folder })
    expect(places.of.city(ip)?.name).toBe('Mountain View')
    expect([places.troubles(), log.lines]).toEqual([[], []])
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
    expect(
      placeOf(openPlaces(listeningLog(), reading(fact), { own: [file] }).of, ip),
    ).toMatchObject(place)
  })
})

describe('an operator’s own file', () => {
  const iceland = { country: { iso_code: 'IS' }, city: { names: { en: 'Reykjavik' } } }

  it.each(['GeoLite2-City', 'GeoIP2-Enterprise', 'DBIP-City-Lite', 'DBIP-Location (compat=City)'])(
    'of type %s tells countries and cities, to another thread too',
    type => {
      const file = mmdbFile({ '8.8.8.0/24': iceland }, { type })
      const reads = reading('place', 'city')
      const places = openPlaces(listeningLog(), reads, { own: [file] })
      for (const of of [places.of, placesIn(placeFiles(reads, { own: [file] }))]) {
        expect(placeOf(of, ip)).toMatchObject({ country: 'IS', city: { name: 'Reykjavik' } })
      }
    },
  )

  it('may be two, for the two kinds of addresses', () => {
    const v4 = mmdbFile({ '8.8.8.0/24': iceland }, { type: 'City', ipVersion: 4 })
    const v6 = mmdbFile({ '2001:4860::/32': iceland }, { type: 'City' })
    const places = openPlaces(listeningLog(), reading('city'), { own: [v4, v6] })
    const cities = [ip, '2001:4860::1'].map(it => places.of.city(it)?.name)
    expect(cities).toEqual(['Reykjavik', 'Reykjavik'])
  })

  it('about countries alone leaves cities to what comes with Linnet', () => {
    const file = mmdbFile({ '8.8.8.0/24': iceland }, { type: 'GeoLite2-Country' })
    const places = openPlaces(listeningLog(), reading('place', 'city'), { own: [file] })
    expect(placeOf(places.of, ip)).toMatchObject({ country: 'IS', city: { name: 'Mountain View' } })
    expect(places.attribution('city')).toEqual(dbIp)
  })

  it.each([
    ['GeoLite2-City', 'GeoLite data created by MaxMind'],
    ['DBIP-City-Lite', 'IP Geolocation by DB-IP'],
    ['Our-Own-City', undefined],
  ])('of type %s asks to name: %s', (type, text) => {
    const file = mmdbFile({}, { type })
    const { attribution } = openPlaces(listeningLog(), reading('place', 'city'), { own: [file] })
    expect([attribution('place')?.text, attribution('city')?.text]).toEqual([text, text])
  })

  it.each(['missing', 'broken'])('is %s: the log says so once, and nothing is known', kind => {
    const file = join(temporaryFolder(), 'places.mmdb')
    if (kind === 'broken') writeFileSync(file, 'no database')
    const log = listeningLog()
    const places = openPlaces(log, reading('place', 'city'), { own: [file] })
    expect(placeOf(places.of, ip)).toEqual({ country: undefined, city: undefined })
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
    const places = openPlaces(log, reading('place'), { own: [file] })
    expect(places.of.country(ip)).toBe('IS')
    writeFileSync(file, 'half of anoth')
    expect(places.troubles()).toEqual([
      'Countries of visitors come from old data, because the file is missing or damaged now; the log says why.',
    ])
    expect(places.of.country(ip)).toBe('IS')
    writeFileSync(file, mmdb({ '8.8.8.0/24': iceland, '9.9.9.0/24': iceland }))
    expect(places.troubles()).toEqual([])
    expect(log.lines).toHaveLength(1)
  })

  it('knows nothing any more when it is gone before the first visit', () => {
    const file = mmdbFile({ '8.8.8.0/24': iceland })
    const places = openPlaces(listeningLog(), reading('place'), { own: [file] })
    rmSync(file)
    expect(places.of.country(ip)).toBeUndefined()
  })
})
