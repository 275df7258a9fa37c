import { expect, it } from 'vitest'
import { readHost } from '../../../../plugins/organization/custom-domains/host.ts'

it.each([
  ['links.example.org', 'links.example.org'],
  ['LINKS.Example.ORG', 'links.example.org'],
  ['links.example.org.', 'links.example.org'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['links。example。org', 'links.example.org'],
  ['a-b.c4.example', 'a-b.c4.example'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
])('%j is the host %s', (text, host) => {
  expect(readHost(text)).toBe(host)
})

it.each([
  '',
  '.',
  'localhost',
  'example',
  'https://links.example.org',
  'links.example.org/',
  'links.example.org:8080',
  'links.example.org?',
  'me@links.example.org',
  'links.example.org\r\nX: y',
  'links example.org',
  'links%2eexample.org',
  'links..example.org',
  '.example.org',
  '-a.example.org',
  'a-.example.org',
  '_linnet.example.org',
  '*.example.org',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  'a.0x7f',
  'example.1',
  '[::1]',
  '::1',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(122)}example`,
  '\ud800.example',
])('%j is none', text => {
  expect(readHost(text)).toBeUndefined()
})
