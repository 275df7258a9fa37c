import { describe, expect, it } from 'vitest'
import { isSafeToFollow } from '../../../core/lib/net/web-address.ts'
import { checkOriginalUrl, hostKey } from '../../../core/links/original-url.ts'

const ownHosts = new Set(['go.example.org', 'localhost:8080'])
const onWeb = { ownHosts, targetSchemes: [] }
const more = { ownHosts, targetSchemes: ['mailto', 'tel', 'myapp'] }

describe('an original URL', () => {
  it.each([
    ['https://example.com/?q=1', 'https://example.com/?q=1'],
    ['  http://EXAMPLE.com  ', 'http://example.com/'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://example.com/a/../b#part', 'https://example.com/b#part'],
    ['https://example.com/100%?a=%zz&b=%4#%', 'https://example.com/100%25?a=%25zz&b=%254#%25'],
    ['HTTPS://example.com/%0d%0aSet-Cookie:x', 'https://example.com/%0d%0aSet-Cookie:x'],
  ])('%j is kept as %j', (given, href) => {
    expect(checkOriginalUrl(given, onWeb)).toEqual({ href })
  })

  it.each([
    ['javascript:alert(1)', /must begin with http/],
    ['JaVaScRiPt:alert(1)', /must begin with http/],
    ['data:text/html,hello', /must begin with http/],
    ['ftp://example.com', /must begin with http/],
    ['//evil.example', /^Enter a full URL/],
    ['example.com', /^Enter a full URL/],
    ['', /^Enter a full URL/],
    ['https:example.com', /must begin with http/],
    ['https://example.com/a b', /space or a control/],
    ['https://example.com/\r\nSet-Cookie: a=b', /space or a control/],
    ['java\nscript:alert(1)', /space or a control/],
    ['https://example.com/\u0000', /space or a control/],
    ['https://example.com/\ud800', /surrogate/],
    ['https://me:secret@example.com', /user name or a password/],
    [`https://${'ü'.repeat(7_000)}.org`, /host name longer than 253 characters/],
    [`https://${'a.'.repeat(128)}`, /host name longer than 253 characters/],
    [`https://${'a'.repeat(64)}.org`, /part longer than 63 characters/],
    [`https://${'ü'.repeat(60)}.org`, /part longer than 63 characters/],
    ['https://go.example.org/abc', /leads back to this/],
    ['http://GO.example.org', /leads back to this/],
    ['http://localhost:8080/abc', /leads back to this/],
    [`https://example.com/${'a'.repeat(8_192)}`, /longer than 8192/],
    [`https://example.com/${'%'.repeat(8_000)}`, /longer than 8192/],
    [`https://example.com/${'ü'.repeat(4_000)}`, /longer than 8192/],
  ])('%j is refused', (given, problem) => {
    expect(checkOriginalUrl(given, onWeb)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it.each([
    ['MAILTO:Ada@Example.org', 'mailto:Ada@Example.org'],
    [
      'mailto:ada@example.org?subject=100%&body=a%0D%0Ab',
      'mailto:ada@example.org?subject=100%25&body=a%0D%0Ab',
    ],
    ['mailto:jürgen@bücher.example', 'mailto:j%C3%BCrgen@b%C3%BCcher.example'],
    ['mailto:?subject=Look', 'mailto:?subject=Look'],
    ['  tel:+49-89-123 ', 'tel:+49-89-123'],
    ['myapp://', 'myapp://'],
    ['MyApp://Open/a/../b?x=1#y', 'myapp://Open/b?x=1#y'],
    ['myapp://go.example.org/abc', 'myapp://go.example.org/abc'],
    ['https://example.com', 'https://example.com/'],
  ])('%j is kept as %j, if its scheme is allowed', (given, href) => {
    expect(checkOriginalUrl(given, more)).toEqual({ href })
    expect(isSafeToFollow(href, more.targetSchemes)).toBe(true)
    const alone = { problem: 'The URL must begin with http:// or https://.' }
    expect(checkOriginalUrl(given, onWeb)).toEqual(href.startsWith('https') ? { href } : alone)
  })

  const allowed = /^The URL must begin with http:\/\/, https:\/\/, mailto:, tel: or myapp:\.$/
  it.each([
    ['javascript:alert(1)', allowed],
    ['data:text/html,hello', allowed],
    ['sms:+4989123', allowed],
    ['myapp2://open', allowed],
    ['example.com:8080/a', allowed],
    ['https:example.com', /^The URL must begin with http:\/\/ or https:\/\/\.$/],
    ['tel:+49 89 123', /a space or a control character: leave it out\.$/],
    ['mailto:ada@example.org?subject=Hello you', /a space or a control character: escape it\.$/],
    ['java\nscript:alert(1)', /space or a control/],
    ['mailto:\tada@example.org', /space or a control/],
    ['\u0000mailto:ada@example.org', /space or a control/],
    ['mailto%3Aada@example.org', /^Enter a full URL/],
    ['mailto:', /nothing after its colon/],
    ['myapp://me:secret@open', /user name or a password/],
    [`mailto:${'a'.repeat(8_190)}@example.org`, /longer than 8192/],
    [`mailto:${'ü'.repeat(2_000)}@example.org`, /longer than 8192/],
    ['https://go.example.org/abc', /leads back to this/],
  ])('%j is refused, if other schemes are allowed', (given, problem) => {
    expect(checkOriginalUrl(given, more)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('is looked at again before it becomes a header', () => {
    expect(isSafeToFollow('https://example.com/?q=1')).toBe(true)
    expect(isSafeToFollow('javascript:alert(1)')).toBe(false)
    expect(isSafeToFollow('https://example.com/\r\nX: y')).toBe(false)
    expect(isSafeToFollow('https://EXAMPLE.com/')).toBe(false)
    expect(isSafeToFollow('mailto:ada@example.org')).toBe(false)
    expect(isSafeToFollow('javascript:alert(1)', 'any')).toBe(false)
    expect(isSafeToFollow('javascript:alert(1)', ['javascript'])).toBe(false)
    expect(isSafeToFollow('mailto:ada@example.org\n', 'any')).toBe(false)
  })
})

describe('a host', () => {
  it.each([
    ['go.example.org.', 'go.example.org'],
    ['go.example.org.:8080', 'go.example.org:8080'],
    ['127.0.0.1:8080', 'localhost:8080'],
    ['[::ffff:7f00:1]:8080', 'localhost:8080'],
    ['[::1]:8080', 'localhost:8080'],
    ['0.0.0.0:8080', 'localhost:8080'],
    ['[::ffff:c633:6407]', '198.51.100.7'],
  ])('%s is %s by another spelling', (host, same) => expect(hostKey(host)).toBe(hostKey(same)))

  it.each([
    ['go.example.org', 'go.example.org:8080'],
    ['127.0.0.1:8081', 'localhost:8080'],
    ['[2001:db8::1]', '[2001:db8::2]'],
    ['198.51.100.7', 'localhost'],
  ])('%s is not %s', (host, other) => expect(hostKey(host)).not.toBe(hostKey(other)))
})
