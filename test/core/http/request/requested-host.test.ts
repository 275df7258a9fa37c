import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parseTrustedProxies } from '../../../../core/http/request/client-address.ts'
import { requestedHost } from '../../../../core/http/request/requested-host.ts'

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
