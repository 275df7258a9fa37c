import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parseTrustedProxies } from '../../../../core/http/request/client-address.ts'
import {
  isHostText,
  requestedHost,
  requestedHostApart,
} from '../../../../core/http/request/requested-host.ts'

/** The host of a request from an address, where these proxies are trusted. */
function hostOf(trusted: string, from: string, headers: Readonly<Record<string, string>>): string {
  const proxies = parseTrustedProxies(trusted)
  if (typeof proxies === 'string') throw new Error(proxies)
  const rawHeaders = Object.entries(headers).flat()
  const request = { socket: { remoteAddress: from }, headers, rawHeaders }
  return requestedHost(proxies)(request as unknown as IncomingMessage)
}

describe('the host of a request', () => {
  const headers = { host: 'sent.example', 'x-forwarded-host': 'forged.example, links.example.com' }

  it.each([
    ['0', '10.0.0.1', 'sent.example'],
    ['1', '10.0.0.1', 'links.example.com'],
    ['10.0.0.0/8', '10.0.0.1', 'links.example.com'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', 'links.example.com'],
    ['10.0.0.0/8', '203.0.113.7', 'sent.example'],
  ])('with trusted proxies %s, from %s, is %s', (trusted, from, host) => {
    expect(hostOf(trusted, from, headers)).toBe(host)
  })

  it('is what the client sent when a trusted proxy adds nothing', () => {
    expect(hostOf('1', '10.0.0.1', { host: 'sent.example' })).toBe('sent.example')
    const empty = { host: 'sent.example', 'x-forwarded-host': '' }
    expect(hostOf('1', '10.0.0.1', empty)).toBe('sent.example')
  })

  it('is the first that was sent, in whatever case its name is written', () => {
    const rawHeaders = ['Date', 'Host', 'HOST', 'a.example', 'host', 'b.example']
    const request = { rawHeaders } as IncomingMessage
    expect(requestedHost({ kind: 'none' })(request)).toBe('a.example')
  })

  it('is empty when there is none', () => {
    expect(hostOf('0', '10.0.0.1', {})).toBe('')
  })
})

describe('where the dashboard has a host of its own', () => {
  const hasLinks = (host: string) => ['go.example', 'own.example'].includes(host.toLowerCase())
  const apart = requestedHostApart(
    requestedHost({ kind: 'hops', count: 1 }),
    'links.example:8080',
    hasLinks,
  )
  const asked = (host: string, forwarded: string) =>
    apart({ rawHeaders: ['Host', host, 'X-Forwarded-Host', forwarded], socket: {} })

  it.each([
    ['go.example', 'links.example', 'go.example'],
    ['GO.example', 'Links.example.:8080', 'GO.example'],
    ['own.example', 'links.example', 'own.example'],
    ['10.0.0.1', 'links.example', 'links.example'],
    ['links.example', 'links.example', 'links.example'],
    ['go.example', 'own.example', 'own.example'],
  ])('a request for %s that was forwarded for %s is for %s', (host, forwarded, expected) => {
    expect(asked(host, forwarded)).toBe(expected)
  })
})

describe('a host', () => {
  const label = 'a'.repeat(63)
  it.each([
    'a',
    'go.example.org',
    'GO.example.org.:8080',
    'linnet_app:8080',
    '203.0.113.7:80',
    '[::1]:8080',
    '[::ffff:192.0.2.1]',
    `${label}.${label}`,
    'a:',
  ])('may be %s', text => expect(isHostText(text)).toBe(true))

  it.each([
    ...[
      '',
      'a b',
      '[::1',
      '::1',
      ':80',
      'a@b',
      'a..b',
      'a..',
      '.a',
      'a:80:80',
      'a:port',
      'a:123456',
    ],
    ...[
      '[h.test]',
      'a#',
      'a/b',
      'a,b',
      'a\\b',
      'a%20b',
      'a\t',
      '\u001b[31m',
      'ä.example',
      '"',
      "'",
    ],
    ...['.', '[]', '[::1]a', `${label}a`, `${'a.'.repeat(140)}a`],
  ])('is not %j', text => expect(isHostText(text)).toBe(false))

  it('that is none is not taken from a proxy', () => {
    const forwarded = { host: 'sent.example', 'x-forwarded-host': 'a b\u001b' }
    expect(hostOf('1', '10.0.0.1', forwarded)).toBe('sent.example')
  })
})
