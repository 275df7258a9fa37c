import type { IncomingMessage } from 'node:http'
import { describe, expect, it, test } from 'vitest'
import {
  clientAddress,
  parseTrustedProxies,
  type TrustedProxies,
  trustsEverybody,
} from '../../../../core/http/request/client-address.ts'

/** The client of a request that came from `socket` with this `X-Forwarded-For`. */
function clientOf(setting: string, socket: string, forwarded?: string): string {
  const trusted = parseTrustedProxies(setting)
  if (typeof trusted === 'string') throw new Error(trusted)
  const request = { socket: { remoteAddress: socket }, headers: { 'x-forwarded-for': forwarded } }
  return clientAddress(trusted)(request as unknown as IncomingMessage)
}

describe('the client address', () => {
  test.each([
    // setting, socket, X-Forwarded-For, client
    ['', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['', '::ffff:198.51.100.7', undefined, '198.51.100.7'],
    ['', '2001:db8::7', '127.0.0.1', '2001:db8::7'],
    ['1', '::1', '::ffff:cb00:7109', '203.0.113.9'],
    ['1', '::1', '0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['0', '198.51.100.7', '203.0.113.9', '198.51.100.7'],

    ['1', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['1', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['1', '10.0.0.1', undefined, '10.0.0.1'],
    ['2', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['2', '10.0.0.1', '203.0.113.9', '203.0.113.9'],

    ['10.0.0.0/8', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['10.0.0.0/8', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.1, fd00::/8', 'fd00::1', '203.0.113.9, 10.0.0.1', '203.0.113.9'],
    ['10.0.0.1', '10.0.0.2', '203.0.113.9', '10.0.0.2'],

    ['1', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['1', '10.0.0.1', '', '10.0.0.1'],
    ['1', '10.0.0.1', '203.0.113.9, 127.1', '10.0.0.1'],
    ['1', '10.0.0.1', '203.0.113.9, 0x7f000001', '10.0.0.1'],
    ['1', '10.0.0.1', '<script>', '10.0.0.1'],
    ['1', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['1', '10.0.0.1', '[2001:db8::9]:4711', '2001:db8::9'],
    ['1', '10.0.0.1', '2001:DB8:0::9', '2001:DB8:0::9'],
    ['1', '10.0.0.1', ',', '10.0.0.1'],
    ['9', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['2', '10.0.0.1', 'nobody, 203.0.113.9', '203.0.113.9'],
  ])('trusting "%s": %s with %s is %s', (setting, socket, forwarded, client) =>
    expect(clientOf(setting, socket, forwarded)).toBe(client),
  )
})

describe('the setting of trusted proxies', () => {
  test.each(['10.0.0.0/33', 'proxy.internal', '10.0.0.0/8, nonsense', '127.1', '-1', '10.0.0.0/x'])(
    'that is wrong says so: %s',
    setting =>
      expect(parseTrustedProxies(setting)).toMatch(/^".+" is neither an address nor a network/),
  )
})

it.each([
  ['0.0.0.0/0', true],
  ['::/0', true],
  ['10.0.0.0/8, 0.0.0.0/1, 128.0.0.0/1', true],
  ['0', false],
  ['2', false],
  ['10.0.0.0/8, 192.0.2.0/24, fd00::/8', false],
])('whether everybody is trusted is known of %s', (setting, expected) => {
  expect(trustsEverybody(parseTrustedProxies(setting) as TrustedProxies)).toBe(expected)
})
