import { describe, expect, it } from 'vitest'
import { openMmdb } from '../../../../core/visits/facts/mmdb-file.ts'
import { placesIn, placeUnknown, readPlace } from '../../../../core/visits/facts/place.ts'
import { type MmdbOptions, mmdbFile, type Networks } from '../../../mmdb.ts'

const open = (networks: Networks, options?: MmdbOptions) =>
  openMmdb(mmdbFile(networks, options), readPlace)

const countries: Networks = {
  '81.2.69.0/24': { country: { iso_code: 'GB' }, registered_country: { iso_code: 'US' } },
  '8.8.0.0/16': { country_code: 'US' },
  '2a02:2e0::/32': { country_code: 'DE' },
  '9.0.0.0/8': { country_code: 'ZZ' },
  '11.0.0.0/8': { country_code: 'Narnia' },
  '12.0.0.0/8': { city: { name: 'Nowhere' } },
  '10.0.0.0/8': { country_code: 'AU' },
  '192.168.0.0/16': { country_code: 'AU' },
}

describe('the country of an address', () => {
  it.each<[ip: string, country: string | undefined, why: string]>([
    ['81.2.69.142', 'GB', 'is read from a file as GeoLite2 and DB-IP write it'],
    ['8.8.4.4', 'US', 'is read from a file as ip-location-db writes it'],
    ['::ffff:808:404', 'US', 'is known of a mapped IPv4 address, however it is written'],
    ['2a02:2e0:3fe::1', 'DE', 'is known of IPv6 too'],
    ['7.7.7.7', undefined, 'is unknown where the file says nothing'],
    ['2a03::1', undefined, 'is unknown where the file says nothing, of IPv6 too'],
    ['9.9.9.9', undefined, 'is unknown where the file says that'],
    ['11.1.1.1', undefined, 'is unknown where the file has no code'],
    ['12.1.1.1', undefined, 'is unknown where the file knows other things'],
    ['10.1.2.3', undefined, 'is unknown in a private network, whatever the file says'],
    ['192.168.1.1', undefined, 'is unknown in a network at home, whatever the file says'],
    ['127.0.0.1', undefined, 'is unknown on this machine'],
    ['fe80::1%eth0', undefined, 'is unknown on a cable'],
    ['', undefined, 'is unknown of nobody'],
    ['no address', undefined, 'is unknown of what is no address'],
  ])('of %s is %s: it %s', (ip, expected) => {
    const placeOf = placesIn({ countries: [open(countries)], cities: [] })
    expect([placeOf.country(ip), placeOf.city(ip)]).toEqual([expected, undefined])
  })

  it('is unknown while nobody reads it', () => {
    expect(placesIn({ countries: [], cities: [] })).toBe(placeUnknown)
    expect([placeUnknown.country('8.8.8.8'), placeUnknown.city('8.8.8.8')]).toEqual([
      undefined,
      undefined,
    ])
  })
})

const cities: Networks = {
  '81.2.69.0/24': {
    city: { names: { de: 'Schönstadt', en: 'Springfield' } },
    subdivisions: [{ names: { en: 'Illinois' } }, { names: { en: 'Sangamon' } }],
    country: { iso_code: 'US' },
  },
  '8.8.0.0/16': { city: 'Hanover (Linden)', state1: 'Lower Saxony', country_code: 'DE' },
  '9.0.0.0/8': { city: 'Frankfurt (Oder) (Ost)', state1: '', country_code: 'DE' },
  '11.0.0.0/8': { city: { names: { de: 'Wien' } }, country: { iso_code: 'AT' } },
  '12.0.0.0/8': { city: '', state1: 'Bremen', country_code: 'DE' },
  '13.0.0.0/8': { city: 'Atlantis', country_code: 'ZZ' },
  '10.0.0.0/8': { city: 'Home', country_code: 'DE' },
}

describe('the city of an address', () => {
  it.each<[ip: string, city: object | undefined, why: string]>([
    [
      '81.2.69.142',
      { name: 'Springfield', region: 'Illinois', country: 'US' },
      'is read from a file as GeoLite2 and DB-IP write it',
    ],
    [
      '8.8.8.8',
      { name: 'Hanover', region: 'Lower Saxony', country: 'DE' },
      'is read from a file as ip-location-db writes it, without the district',
    ],
    ['9.9.9.9', { name: 'Frankfurt', region: undefined, country: 'DE' }, 'may have no region'],
    ['11.1.1.1', undefined, 'is unknown without a name in English'],
    ['12.1.1.1', undefined, 'is unknown where the file knows a region only'],
    ['13.1.1.1', undefined, 'is unknown where the country is'],
    ['7.7.7.7', undefined, 'is unknown where the file says nothing'],
    ['10.1.1.1', undefined, 'is unknown in a private network'],
  ])('of %s is %j: it %s', (ip, city) => {
    const placeOf = placesIn({ countries: [], cities: [open(cities)] })
    expect([placeOf.country(ip), placeOf.city(ip)]).toEqual([undefined, city])
  })

  it('comes from its own file with the country that this one says', () => {
    const placeOf = placesIn({
      countries: [open({ '8.8.0.0/16': { country_code: 'US' } })],
      cities: [open(cities)],
    })
    expect(placeOf.country('8.8.8.8')).toBe('US')
    expect(placeOf.city('8.8.8.8')?.country).toBe('DE')
  })

  it('is asked of the file for IPv4 or of that for IPv6, and only of that', () => {
    const record = (city: string) => ({ city, country_code: 'DE' })
    const ipv4 = open({ '8.0.0.0/8': record('Vier') }, { ipVersion: 4 })
    // What a file of IPv6 says of IPv4 is not asked for.
    const ipv6 = open({ '2a02::/16': record('Sechs'), '9.0.0.0/8': record('Sechs') })
    const placeOf = placesIn({ countries: [], cities: [ipv4, ipv6] })
    const names = ['8.8.8.8', '2a02::1', '9.9.9.9'].map(ip => placeOf.city(ip)?.name)
    expect(names).toEqual(['Vier', 'Sechs', undefined])
  })
})
