import { describe, expect, it } from 'vitest'
import { placesIn, placeUnknown } from '../../../core/visits/place.ts'
import { mmdb, type Networks } from '../../mmdb.ts'

const networks: Networks = {
  '81.2.69.0/24': { country: { iso_code: 'GB' }, registered_country: { iso_code: 'US' } },
  '8.8.0.0/16': { country_code: 'US' },
  '2a02:2e0::/32': { country_code: 'DE' },
  '9.0.0.0/8': { country_code: 'ZZ' },
  '11.0.0.0/8': { country_code: 'Narnia' },
  '12.0.0.0/8': { city: { name: 'Nowhere' } },
  '10.0.0.0/8': { country_code: 'AU' },
  '192.168.0.0/16': { country_code: 'AU' },
}

const country = placesIn(mmdb(networks))

describe('the country of an address', () => {
  it.each<[ip: string, country: string | undefined, why: string]>([
    ['81.2.69.142', 'GB', 'is read from a file as GeoLite2 and DB-IP write it'],
    ['8.8.4.4', 'US', 'is read from a file as ip-location-db writes it'],
    [
      '::ffff:8.8.4.4',
      undefined,
      'is not known of an IPv4 address in a form that none reaches us in',
    ],
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
    expect(country(ip)).toEqual({ country: expected })
  })

  it('is not taken from the wrong half of a file that knows IPv4 only', () => {
    const old = placesIn(mmdb({ '32.1.0.0/16': { country_code: 'US' } }, 4))
    expect(old('32.1.13.185')).toEqual({ country: 'US' })
    // It begins with the 32 bits of 32.1.13.185.
    expect(old('2001:db9::1')).toEqual({ country: undefined })
  })

  it('is unknown where the file is damaged', () => {
    const bytes = mmdb({ '8.8.0.0/16': { country_code: 'US' } })
    bytes.fill(0, bytes.indexOf('country_code') - 2, bytes.indexOf('country_code'))
    expect(placesIn(bytes)('8.8.8.8')).toEqual({ country: undefined })
  })

  it('is unknown while nobody reads it', () => {
    expect(placeUnknown('8.8.8.8')).toEqual({ country: undefined })
  })
})

describe('what is no such file', () => {
  const whole = mmdb(networks)
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('<html>Please sign in</html>')],
    ['half a file', whole.subarray(0, whole.length / 2)],
    ['zeros', Buffer.alloc(10_000)],
  ])('is %s', (_, bytes) => {
    expect(() => placesIn(bytes)).toThrow()
  })
})
