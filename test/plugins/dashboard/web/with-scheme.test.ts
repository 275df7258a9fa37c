import { expect, it } from 'vitest'
import { withScheme } from '../../../../plugins/dashboard/web/shared/text/with-scheme.ts'

it.each([
  ['example.com/x', 'https://example.com/x'],
  [' example.com ', 'https://example.com'],
  ['example.com:8080?q=a:b', 'https://example.com:8080?q=a:b'],
  ['m\u00fcnchen.de/#karte', 'https://m\u00fcnchen.de/#karte'],
  ['http://example.com/', 'http://example.com/'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['ada@example.org', 'ada@example.org'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['not an address', 'not an address'],
  ['nowhere', 'nowhere'],
  ['//example.com/', '//example.com/'],
  ['example.com and more', 'example.com and more'],
  ['', ''],
])('%j is sent as %j', (typed, sent) => {
  expect(withScheme(typed)).toBe(sent)
})
