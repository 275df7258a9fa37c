import { isIP } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it, test } from 'vitest'
import { inNetworks, parseNetwork, readIp } from '../../../../core/lib/net/ip-address.ts'
import { tries } from '../../../at-night.ts'

const words = new Uint32Array(4)

/** As URLs write it: ipaddr.js takes `::192.0.2.7` for a mapped address, which it is not. */
function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

/** What stands in an address, and a little that does not, in any order. */
const nearlyAddress = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF:::...%g '), maxLength: 45 }),
  fc
    .tuple(
      fc.oneof(fc.ipV4(), fc.ipV6()),
      fc.nat(45),
      fc.constantFrom('', ':', '.', '0', 'f', '::', ' '),
    )
    .map(([address, at, put]) => address.slice(0, at) + put + address.slice(at + 1)),
)

describe('an address as numbers', () => {
  it('is read where node:net sees one, and nowhere else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), nearlyAddress), text => {
        fc.pre(!text.includes('%'))
        expect([text, readIp(text, words) !== 0]).toEqual([text, isIP(text) !== 0])
      }),
      tries(4_000),
    )
  })

  it('has the bits that ipaddr.js finds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), text => {
        const address = ipaddr.process(canonical(text))
        const family = readIp(text, words)
        const bytes = Buffer.alloc(16)
        for (const [word, value] of words.entries()) bytes.writeUInt32BE(value, word * 4)
        expect([family, ...bytes.subarray(family === 4 ? 12 : 0)]).toEqual([
          address.kind() === 'ipv4' ? 4 : 6,
          ...address.toByteArray(),
        ])
      }),
      tries(2_000),
    )
  })

  test.each([
    ['::ffff:192.0.2.7', 4, [0, 0, 0, 0xc0000207]],
    ['::FFFF:c000:207', 4, [0, 0, 0, 0xc0000207]],
    ['fe80::1%eth0', 6, [0xfe800000, 0, 0, 1]],
    ['::', 6, [0, 0, 0, 0]],
    ['127.1', 0, undefined],
    ['0x7f000001', 0, undefined],
    ['192.0.2.07', 0, undefined],
    ['fe80::1%', 0, undefined],
    ['', 0, undefined],
  ] as const)('%s', (text, family, expected) => {
    expect(readIp(text, words)).toBe(family)
    if (expected) expect([...words]).toEqual(expected)
  })
})

describe('networks', () => {
  it('hold the addresses that ipaddr.js finds in them', () => {
    const cidr = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    )
    fc.assert(
      fc.property(cidr, fc.oneof(fc.ipV4(), fc.ipV6()), fc.boolean(), ([of, bits], other, own) => {
        const network = ipaddr.process(canonical(of))
        fc.pre(network.kind() === 'ipv6' || bits <= 32)
        const asked = own ? of : other
        const address = ipaddr.process(canonical(asked))
        const parsed = parseNetwork(`${of}/${bits}`)
        expect(inNetworks(parsed ? [parsed] : [])(asked)).toBe(
          address.kind() === network.kind() && address.match(network, bits),
        )
      }),
      tries(2_000),
    )
  })

  test.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fd00::/129',
    'proxy',
    '127.1',
    '::ffff:10.0.0.0/104',
  ])('are not written as %s', text => expect(parseNetwork(text)).toBeUndefined())
})
