import { readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { Reader, type Response } from 'maxmind'
import { describe, expect, it } from 'vitest'
import { readIp, withoutMapping } from '../../../../core/lib/net/ip-address.ts'
import { openMmdb, readMetadata } from '../../../../core/visits/facts/mmdb-file.ts'
import { readPlace } from '../../../../core/visits/facts/place.ts'
import { tries } from '../../../at-night.ts'
import { mmdb, mmdbFile } from '../../../mmdb.ts'

const asItIs = (record: Response) => record

/** A file that is asked for addresses as texts. */
function openFile<Fact>(...options: Parameters<typeof openMmdb<Fact>>) {
  const { now } = openMmdb(...options)
  const words = new Uint32Array(4)
  return {
    now,
    fits: (ip: string) => now()?.fits(readIp(ip, words)) ?? false,
    find(ip: string) {
      const records = now()
      const family = readIp(ip, words)
      return records?.fact(records.find(family, words))
    },
  }
}

const ip = '8.8.8.8'
const saying = (says: string) => ({ '8.8.0.0/16': { says } })
const bytesSaying = (says: string) => mmdb(saying(says))

/** Files are written within one tick of some clocks: what was written later is dated later. */
function write(path: string, bytes: Buffer | string, seconds: number): void {
  writeFileSync(`${path}.new`, bytes)
  utimesSync(`${path}.new`, seconds, seconds)
  renameSync(`${path}.new`, path)
}

describe('an MMDB file', () => {
  it('knows what it says of an address', () => {
    const file = openFile(mmdbFile(saying('hello')), asItIs)
    expect(file.find(ip)).toEqual({ says: 'hello' })
    expect(file.find('9.9.9.9')).toBeUndefined()
    expect(file.find('2001:4860:4860::8888')).toBeUndefined()
  })

  it.each([
    'geo-whois-asn-country-mmdb/geo-whois-asn-country',
    'dbip-city-mmdb/dbip-city-ipv4',
    'dbip-city-mmdb/dbip-city-ipv6',
  ])('says what the library finds, of every address: %s', name => {
    const path = fileURLToPath(import.meta.resolve(`@ip-location-db/${name}.mmdb`))
    const file = openFile(path, readPlace)
    const reader = new Reader(readFileSync(path))
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), address => {
        const ip = address.includes(':')
          ? new URL(`http://[${address}]`).hostname.slice(1, -1)
          : address
        if (!file.fits(ip)) return
        // The library takes an address that maps an IPv4 one for IPv6.
        const record = reader.get(withoutMapping(ip)) as Response | null
        expect([ip, file.find(ip)]).toEqual([ip, record === null ? undefined : readPlace(record)])
      }),
      { ...tries(2_000), examples: [['::ffff:1.0.0.0'], ['::ffff:100:0']] },
    )
  })

  it('of IPv4 is not asked about IPv6, which it would take for another address', () => {
    const old = openFile(mmdbFile({ '32.1.0.0/16': { says: 'hello' } }, { ipVersion: 4 }), asItIs)
    expect(old.find('32.1.13.185')).toEqual({ says: 'hello' })
    // It begins with the 32 bits of 32.1.13.185.
    expect(old.find('2001:db9::1')).toBeUndefined()
    expect([old.fits('32.1.13.185'), old.fits('2001:db9::1')]).toEqual([true, false])
  })

  it('knows nothing where it is damaged, and goes on', () => {
    const bytes = mmdb({ '8.8.0.0/16': { says: 'hello' }, '9.9.0.0/16': { says: 'goodbye' } })
    bytes.fill(0, bytes.indexOf('says') - 2, bytes.indexOf('says'))
    const path = mmdbFile({})
    write(path, bytes, 1)
    const file = openFile(path, asItIs)
    expect([file.find(ip), file.find('9.9.9.9')]).toEqual([undefined, { says: 'goodbye' }])
  })

  it('knows nothing while it is not there', () => {
    const path = mmdbFile({})
    rmSync(path)
    const file = openFile(path, asItIs, 0)
    expect([file.find(ip), file.fits(ip)]).toEqual([undefined, false])
    write(path, bytesSaying('hello'), 1)
    expect(file.find(ip)).toEqual({ says: 'hello' })
  })

  it('is read anew when it was replaced', () => {
    const path = mmdbFile(saying('hello'))
    const file = openFile(path, asItIs, 0)
    expect(file.find(ip)).toEqual({ says: 'hello' })
    const before = file.now()
    expect(file.now()).toBe(before)
    write(path, bytesSaying('goodbye'), 1)
    expect(file.find(ip)).toEqual({ says: 'goodbye' })
    // Numbers of records that somebody remembers are of the old file.
    expect(file.now()).not.toBe(before)
  })

  it('is looked at now and then only', () => {
    const path = mmdbFile(saying('hello'))
    const file = openFile(path, asItIs)
    expect(file.find(ip)).toEqual({ says: 'hello' })
    write(path, bytesSaying('goodbye'), 1)
    expect(file.find(ip)).toEqual({ says: 'hello' })
  })

  it.each<[how: string, breakIt: (path: string) => void]>([
    ['missing', path => rmSync(path)],
    ['empty', path => write(path, '', 1)],
    ['another file', path => write(path, '<html>Please sign in</html>', 1)],
    ['half copied', path => truncateSync(path, bytesSaying('hello').length / 2)],
  ])('goes on with what it was while what replaces it is %s', (_, breakIt) => {
    const path = mmdbFile(saying('hello'))
    const file = openFile(path, asItIs, 0)
    expect(file.find(ip)).toEqual({ says: 'hello' })
    breakIt(path)
    expect([file.find(ip), file.find(ip)]).toEqual([{ says: 'hello' }, { says: 'hello' }])
    write(path, bytesSaying('goodbye'), 2)
    expect(file.find(ip)).toEqual({ says: 'goodbye' })
  })
})

describe('what an MMDB file says of itself', () => {
  it('is read from its end', () => {
    const path = mmdbFile(saying('hello'), { type: 'GeoLite2-City' })
    expect(readMetadata(path)).toMatchObject({ databaseType: 'GeoLite2-City', ipVersion: 6 })
  })

  it('is found behind more than it reads of it', () => {
    const networks = Array.from({ length: 9_000 }, (_, net) => [
      `${1 + Math.trunc(net / 250)}.${net % 250}.0.0/16`,
      { says: `network number ${net}` },
    ])
    expect(readMetadata(mmdbFile(Object.fromEntries(networks)))).toMatchObject({ ipVersion: 6 })
  })

  const whole = bytesSaying('hello')
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('<html>Please sign in</html>')],
    ['half a file', whole.subarray(0, whole.length / 2)],
    ['the end of a file', mmdb(saying('x')).subarray(-80)],
    ['zeros', Buffer.alloc(10_000)],
  ])('is not to be found in %s', (_, bytes) => {
    const path = mmdbFile({})
    writeFileSync(path, bytes)
    expect(() => readMetadata(path)).toThrow()
  })
})
