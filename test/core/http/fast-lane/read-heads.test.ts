import { describe, expect, it } from 'vitest'
import { readHeads } from '../../../../core/http/fast-lane/read-heads.ts'
import { get } from './seen.ts'

const read = (text: string, maxBytes = 8_192) => readHeads(Buffer.from(text, 'latin1'), maxBytes)

describe('the heads of requests', () => {
  it('are read with their headers as they were sent', () => {
    const head = get('/code?a=b', 'Host: a:80\r\nUSER-agent:Some one\r\nX-Empty:\r\nDNT: 1\r\n')
    const rawHeaders = ['Host', 'a:80', 'USER-agent', 'Some one', 'X-Empty', '', 'DNT', '1']
    expect(read(head)).toEqual([{ url: '/code?a=b', rawHeaders, end: head.length }])
  })

  it('are read one after another', () => {
    const heads = read(get('/a') + get('/b') + get('/c'))
    expect(heads.map(({ url, end }) => [url, end])).toEqual([
      ['/a', get('/a').length],
      ['/b', 2 * get('/a').length],
      ['/c', 3 * get('/a').length],
    ])
  })

  it.each([
    'Host: a\r\nConnection: keep-alive\r\n',
    'connection: Keep-Alive\r\nhost: [::1]:8080\r\n',
    'X-Forwarded-For: 192.0.2.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.2\r\n',
  ])('are read with %j', headers => {
    expect(read(get('/a', headers))).toHaveLength(1)
  })

  it.each([
    ['another method', get('/a').replace('GET', 'HEAD')],
    ['a method in lower case', get('/a').replace('GET', 'get')],
    ['another version', get('/a').replace('1.1', '1.0')],
    ['a whole address', get('http://a/a')],
    ['a fragment', get('/a#b')],
    ['a quote in the query', get('/a?"')],
    ['a space in the path', get('/a b')],
    ['no host', get('/a', 'X: y\r\n')],
    ['an empty host', get('/a', 'Host:\r\n')],
    ['an odd host', get('/a', 'Host: a b\r\n')],
    ['two hosts', get('/a', 'Host: a\r\nhost: a\r\n')],
    ['a line break before it', `\r\n${get('/a')}`],
    ['a bare line feed', get('/a').replace('a\r\n', 'a\n')],
    ['a bare carriage return', get('/a', 'Host: a\r\nX: a\rb\r\n')],
    ['a folded line', get('/a', 'Host: a\r\nX: a\r\n b\r\n')],
    ['a space before a colon', get('/a', 'Host: a\r\nX : b\r\n')],
    ['a space before a name', get('/a', ' Host: a\r\n')],
    ['a space more before a value', get('/a', 'Host:  a\r\n')],
    ['a space after a value', get('/a', 'Host: a\r\nX: b \r\n')],
    ['a tab', get('/a', 'Host: a\r\nX: b\tc\r\n')],
    ['a NUL', get('/a', 'Host: a\r\nX: \0\r\n')],
    ['a byte above ASCII', get('/a', 'Host: a\r\nX: \xe9\r\n')],
    ['an underscore in a name', get('/a', 'Host: a\r\nX_Y: b\r\n')],
    ['an empty name', get('/a', 'Host: a\r\n: b\r\n')],
    ['no colon', get('/a', 'Host: a\r\nX\r\n')],
    ['too many bytes', get('/a', `Host: a\r\nX: ${'a'.repeat(8_192)}\r\n`)],
    ['more headers than anybody sends', get('/a', `Host: a\r\n${'X: y\r\n'.repeat(100)}`)],
    ['a body after it', `${get('/a')}body`],
    ['half of another', get('/a') + get('/a').slice(0, -1)],
  ])('are left to others with %s', (_, text) => {
    expect(read(text)).toEqual([])
  })

  it.each([
    'Content-Length: 0',
    'content-length: 3',
    'Transfer-Encoding: chunked',
    'TRANSFER-ENCODING: identity',
    'Connection: close',
    'Connection: keep-alive, Upgrade',
    'Connection:',
    'Proxy-Connection: keep-alive',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    'TE: trailers',
    'Trailer: X',
  ])('are left to others with %s', header => {
    expect(read(get('/a', `Host: a\r\n${header}\r\n`))).toEqual([])
  })

  it('are left to others wherever they are cut', () => {
    const head = get('/code?a=b', 'Host: a\r\nX: y\r\n')
    for (let at = 0; at < head.length; at += 1) expect(read(head.slice(0, at)), `${at}`).toEqual([])
  })
})
