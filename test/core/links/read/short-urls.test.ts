import { describe, expect, it } from 'vitest'
import { usualRules } from '../../../../core/links/codes/code-rules.ts'
import { createShortUrls } from '../../../../core/links/read/short-urls.ts'

describe.each([
  ['https://go.example.org', 'https://go.example.org/x', 'https://links.example.com/x'],
  ['http://go.example.org:8080', 'http://go.example.org:8080/x', 'http://links.example.com:8080/x'],
])('short URLs at %s', (baseUrl, own, custom) => {
  const urls = createShortUrls(baseUrl, () => usualRules)

  it('have its scheme and port, on every host', () => {
    expect(urls.of({ domain: '', shortCode: 'x' })).toBe(own)
    expect(urls.of({ domain: 'links.example.com', shortCode: 'x' })).toBe(custom)
  })

  it('show the host that they are on', () => {
    expect(urls.hostOf({ domain: '' })).toBe(new URL(baseUrl).host)
    expect(urls.hostOf({ domain: 'links.example.com' })).toBe('links.example.com')
  })

  it.each([
    ['go.example.org', ''],
    ['GO.Example.org.', ''],
    ['go.example.org:8080', ''],
    ['', ''],
    ['Links.Example.com.', 'links.example.com'],
  ])('on the host %j are stored under %j', (host, domain) => {
    expect(urls.domainOf(host)).toBe(domain)
  })
})
