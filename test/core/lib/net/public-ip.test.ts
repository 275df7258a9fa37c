import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it, test } from 'vitest'
import { isPublicIp } from '../../../../core/lib/net/public-ip.ts'
import { tries } from '../../../at-night.ts'

describe('a public address', () => {
  it('is one that ipaddr.js finds in no special range', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), ipv6()), ip => {
        expect([ip, isPublicIp(ip)]).toEqual([ip, ipaddr.process(ip).range() === 'unicast'])
      }),
      tries(4_000),
    )
  })

  test.each(['', 'localhost', '127.1', '10.1.2.3', '::ffff:10.1.2.3', 'fe80::1%eth0'])(
    'is not %s',
    text => expect(isPublicIp(text)).toBe(false),
  )
})

/** Near the ranges that mean something, and anywhere. */
function ipv6() {
  const first = fc.constantFrom('2001', '2002', '2620', '64', '100', '3fff', '5f00', 'fe80', 'fc00')
  const part = fc.constantFrom(
    '0',
    '1',
    '2',
    '3',
    '4',
    '10',
    '20',
    '30',
    '112',
    '4f',
    'db8',
    'ff9b',
  )
  const hex = fc.nat(0xffff).map(number => number.toString(16))
  return fc
    .tuple(
      fc.oneof(first, hex),
      fc.oneof(part, hex),
      fc.oneof(part, hex),
      fc.array(hex, { minLength: 5, maxLength: 5 }),
    )
    .map(([a, b, c, rest]) => [a, b, c, ...rest].join(':'))
}
