import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMmdb } from '../../../../core/visits/facts/check-mmdb.ts'
import { itAtNight, tries } from '../../../at-night.ts'
import { type MmdbOptions, mmdb, mmdbFile, type Networks } from '../../../mmdb.ts'

const countries: Networks = {
  '8.8.0.0/16': { country_code: 'US' },
  '9.9.9.0/24': { country_code: 'DE' },
  '2a02:2e0::/32': { country_code: 'DE' },
}
const cities = { '8.8.0.0/16': { country_code: 'US', city: 'Springfield' } }

function checkBytes(bytes: Uint8Array): Promise<ReadonlySet<string>> {
  const path = mmdbFile({})
  writeFileSync(path, bytes)
  return checkMmdb(path)
}

/** A file with records of 24 bits, and how many nodes its tree has. */
function treeOf(networks: Networks, options?: MmdbOptions) {
  const bytes = mmdb(networks, options)
  return { bytes, nodes: bytes.indexOf(Buffer.alloc(16)) / 6 }
}

describe('a whole MMDB file', () => {
  it.each<[what: string, networks: Networks, options: MmdbOptions, facts: readonly string[]]>([
    ['countries', countries, {}, ['place']],
    ['cities of IPv4', cities, { ipVersion: 4 }, ['place', 'city']],
    ['other things', { '8.8.0.0/16': { asn: '15169' } }, {}, []],
    ['nothing', {}, {}, []],
  ])('of %s is sound, and says what it contains', async (_, networks, options, facts) => {
    expect([...(await checkBytes(mmdb(networks, options)))]).toEqual(facts)
  })

  itAtNight('that comes with Linnet is sound', async () => {
    const name = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
    const path = fileURLToPath(import.meta.resolve(name))
    expect([...(await checkMmdb(path))]).toEqual(['place'])
    // A block of a disk or a download in the middle of its tree, or of its records.
    const bytes = readFileSync(path)
    const dataAt = bytes.indexOf('country_code')
    for (const [at, fill] of [
      [Math.trunc(dataAt / 2), 0],
      [Math.trunc(dataAt / 2), 255],
      [dataAt + 100, 0],
    ] as const) {
      const copy = Buffer.from(bytes).fill(fill, at, at + 512)
      await expect(checkBytes(copy)).rejects.toThrow(
        /^(its search tree|only \d+ of|a record in it)/,
      )
    }
  })

  it('shares parts of its tree between networks, as MaxMind does', async () => {
    const { bytes } = treeOf({
      '0.0.0.0/1': { country_code: 'US' },
      '8000::/2': { country_code: 'DE' },
    })
    // The right side of the root leads to where the left side leads.
    bytes.copyWithin(3, 0, 3)
    await expect(checkBytes(bytes)).rejects.toThrow(/^only \d+ of \d+ nodes/)
    const shared = treeOf({ '0.0.0.0/1': { country_code: 'US' } }).bytes
    shared.copyWithin(3, 0, 3)
    expect([...(await checkBytes(shared))]).toEqual(['place'])
  })

  it.each<[what: string, damage: (bytes: Buffer, nodes: number) => void, why: RegExp]>([
    ['circle', bytes => bytes.writeUIntBE(0, 9, 3), /leads in a circle$/],
    [
      'way out',
      (bytes, nodes) => bytes.writeUIntBE(nodes + 16 + 5_000, 3, 3),
      /leads out of the file$/,
    ],
    ['way between', (bytes, nodes) => bytes.writeUIntBE(nodes + 3, 3, 3), /leads out of the file$/],
    [
      'gap that is filled',
      (bytes, nodes) => bytes.writeUInt8(1, nodes * 6 + 2),
      /does not end where it says$/,
    ],
    [
      'record cut off',
      bytes => bytes.fill(0, bytes.indexOf('country_code') - 1, bytes.indexOf('US')),
      /^a record in it cannot be read$/,
    ],
    [
      'record that is a text',
      (bytes, nodes) => bytes.writeUIntBE(nodes + 16 + 1, 3, 3),
      /^a record in it cannot be read$/,
    ],
  ])('with a %s is damaged', async (_, damage, why) => {
    const { bytes, nodes } = treeOf({
      '::/1': { country_code: 'US' },
      '8000::/2': { country_code: 'DE' },
    })
    damage(bytes, nodes)
    await expect(checkBytes(bytes)).rejects.toThrow(why)
  })

  it('is read to its end or refused, whatever byte of it is damaged', async () => {
    const whole = mmdb(countries)
    const end = whole.indexOf('\xab\xcd\xefMaxMind.com', 0, 'latin1')
    const path = mmdbFile({})
    await fc.assert(
      fc.asyncProperty(fc.nat(end - 1), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(whole)
        bytes[at] = byte
        writeFileSync(path, bytes)
        const why = await checkMmdb(path).then(
          () => 'sound',
          (error: Error) => error.message,
        )
        expect(why).toMatch(/^(sound|its search tree|only \d+ of|a record in it)/)
      }),
      tries(300),
    )
  })
})
