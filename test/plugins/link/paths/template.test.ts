import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSafeToFollow } from '../../../../core/lib/net/web-address.ts'
import { append, fillTemplate, wrongWithTemplate } from '../../../../plugins/link/paths/template.ts'

const address = 'https://docs.example.com/base/?lang=de#top'

const filled = (template: string, rest: string, query = '') =>
  fillTemplate(template)(address, { rest, query: new URLSearchParams(query) })
const appended = (rest: string, to = address) => append(to, { rest, query: new URLSearchParams() })

describe('a template', () => {
  it.each([
    ['/issues/{1}', '12', '', '/issues/12'],
    ['/issues/{1}/{2|edit}', '12', '', '/issues/12/edit'],
    ['/issues/{1}/{2|edit}', '12/show/more', '', '/issues/12/show'],
    ['/wiki/{*}', 'a/b/c/', '', '/wiki/a/b/c/'],
    ['/{1}/-/tree/{*|main}', 'linnet/dev/core', '', '/linnet/-/tree/dev/core'],
    ['/{1}/-/tree/{*|main}', 'linnet', '', '/linnet/-/tree/main'],
    ['/find?q={query.q}&in={1|all}', '', 'q=a%26b', '/find?q=a%26b&in=all'],
    ['/find?q={*}#{1}', 'a+b&c/d', '', '/find?q=d#a%2Bb%26c'],
    ['/app#/page/{*}', 'a/b', '', '/app#/page/a/b'],
    ['/{query.q}/x', '', 'q=a/b', '/a%2Fb/x'],
    ['/{query.q}', '', "q=it's (new)!*", '/it%27s%20%28new%29%21%2A'],
    ['/ü/{1}', 'a', '', '/%C3%BC/a'],
  ])('%s visited with %j and %j leads to …', (template, rest, query, expected) => {
    expect(wrongWithTemplate(template)).toBeUndefined()
    expect(filled(template, rest, query)).toBe(`https://docs.example.com${expected}`)
  })

  it.each([
    ['/issues/{1|12}', '', ''],
    ['/issues/{query.q}', 'a/b', 'p=1'],
    ['/issues/{3}', 'a/b', ''],
  ])('%s leads to the original URL with nothing for it: %j and %j', (template, rest, query) => {
    expect(filled(template, rest, query)).toBe(address)
  })

  it.each([
    ['', /^Enter append/],
    ['issues/{1}', /^Enter append/],
    ['https://example.com/{1}', /^Enter append/],
    ['{1}', /^Enter append/],
    ['/issues', /no placeholder/],
    ['/issues/{0}', /^A placeholder is/],
    ['/issues/{10}', /^A placeholder is/],
    ['/issues/{}', /^A placeholder is/],
    ['/issues/{1', /^A placeholder is/],
    ['/issues/{1}}', /^A placeholder is/],
    ['/issues/{path}', /^A placeholder is/],
    ['/issues/{query.}', /^A placeholder is/],
    ['/issues/{1|a?b}', /^A placeholder is/],
    ['//evil.example/{1}', /is no path/],
    ['/a//{1}', /is no path/],
    ['/\\evil.example/{1}', /is no path/],
    ['/a/../{1}', /is no path/],
    ['/a/%2e%2E/{1}', /is no path/],
    ['/{1|..}', /is no path/],
    ['/a b/{1}', /is no path/],
    ['/a/{1}\r\nSet-Cookie: a=b', /is no path/],
    ['/100%/{1}', /is no path/],
  ])('cannot be %j', (template, message) => {
    expect(wrongWithTemplate(template)).toMatch(message)
  })

  it('is not left upwards: what would do so leads to the original URL', () => {
    expect(filled('/a/{query.q}/b', '', 'q=..')).toBe(address)
    expect(filled('/a/{query.q}/b', '', 'q=.')).toBe(address)
    expect(filled('/a/.{1}/b', '%2E')).toBe(address)
    expect(filled('/a/{query.q}/b', '', 'q=%252e%252e')).toMatch(/\/a\/%252e%252e\/b$/)
    expect(filled('/a?b={query.q}', '', 'q=..')).toMatch(/\/a\?b=\.\.$/)
  })
})

describe('what is appended', () => {
  it.each([
    ['a', 'https://docs.example.com/base/a?lang=de#top'],
    ['a/b/', 'https://docs.example.com/base/a/b/?lang=de#top'],
    ['a%20b%2Fc%252F', 'https://docs.example.com/base/a%20b%2Fc%252F?lang=de#top'],
    ['100%', 'https://docs.example.com/base/100%25?lang=de#top'],
    ['@evil.example', 'https://docs.example.com/base/@evil.example?lang=de#top'],
    ['\\evil.example', 'https://docs.example.com/base/%5Cevil.example?lang=de#top'],
    ['%0d%0aSet-Cookie:a=b', 'https://docs.example.com/base/%0d%0aSet-Cookie:a=b?lang=de#top'],
    ['{1}"<>^`|', 'https://docs.example.com/base/%7B1%7D%22%3C%3E%5E%60%7C?lang=de#top'],
    ['\u00c3\u00bc', 'https://docs.example.com/base/%C3%BC?lang=de#top'],
    ['', address],
  ])('%j', (rest, expected) => {
    expect(appended(rest)).toBe(expected)
  })

  it('stays behind the host', () => {
    expect(appended('@evil.example', 'https://example.com')).toBe(
      'https://example.com/@evil.example',
    )
    expect(appended('/evil.example', 'https://example.com/')).toBe(
      'https://example.com/evil.example',
    )
    expect(appended(':80', 'https://example.com/')).toBe('https://example.com/:80')
  })

  it('is left out where the whole would be too long', () => {
    expect(appended('x'.repeat(8_192))).toBe(address)
    expect(appended('x'.repeat(8_000))).not.toBe(address)
  })
})

const templates = [
  '/{*}',
  '/{1}',
  '/{query.q}',
  '/{1}{2}',
  '/a/{query.q}/{*}',
  '/?{*}',
  '/#{1}',
  '/x{query.q}?a={1}#{*}',
]
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'/\\@:?#.%2eEfF5cC0dDaA \r\n\t{}|ü') }),
  fc.constantFrom(
    '//evil.example',
    '@evil.example',
    '\\\\evil.example',
    '%2f%2fevil.example',
    '%0d%0a',
    '..',
  ),
)

it('never leads to another scheme or host, to what cannot be in a header, nor out of the path, whatever a visitor sends', () => {
  const given = fc.record({ template: fc.constantFrom(...templates), rest: nasty, q: nasty })
  const bases = ['https://example.com', 'http://example.com:8080/base?x=1', 'https://[::1]/']
  fc.assert(
    fc.property(given, fc.constantFrom(...bases), ({ template, rest, q }, base) => {
      const original = new URL(base).href
      const query = new URLSearchParams({ q })
      for (const lead of [append, fillTemplate(template)]) {
        const led = lead(original, { rest, query })
        expect(isSafeToFollow(led)).toBe(true)
        expect(new URL(led).origin).toBe(new URL(base).origin)
        expect(new URL(led).username + new URL(led).password).toBe('')
        expect(led).toMatch(/^[!-~]+$/)
        if (lead === append) expect(led.startsWith(original.replace(/\/?(\?.*)?$/, ''))).toBe(true)
      }
    }),
  )
})
