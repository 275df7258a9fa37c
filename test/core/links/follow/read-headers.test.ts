import { describe, expect, it } from 'vitest'
import { readHeaders } from '../../../../core/links/follow/read-headers.ts'

const nothing = {
  userAgent: '',
  referer: '',
  language: '',
  forwardedFor: '',
  totalsOnly: false,
  isPrefetch: false,
}

describe('the headers of a visit', () => {
  it('say nothing when there are none, or only others', () => {
    expect(readHeaders([])).toEqual(nothing)
    expect(readHeaders(['Connection', 'close', 'Accept-Encoding', 'br', 'Host', 'a'])).toEqual(
      nothing,
    )
  })

  it('are found however their names are written', () => {
    const headers = ['USER-AGENT', 'Firefox', 'referer', 'https://a/', 'Accept-language', 'de']
    expect(readHeaders(headers)).toEqual({
      ...nothing,
      userAgent: 'Firefox',
      referer: 'https://a/',
      language: 'de',
    })
  })

  it('of one name count once, the first', () => {
    expect(readHeaders(['User-Agent', 'a', 'user-agent', 'b']).userAgent).toBe('a')
  })

  it('name every proxy that the request came through', () => {
    const headers = ['X-Forwarded-For', '192.0.2.1, 192.0.2.2', 'x-forwarded-for', '192.0.2.3']
    expect(readHeaders(headers).forwardedFor).toBe('192.0.2.1, 192.0.2.2,192.0.2.3')
  })

  it.each(['Sec-GPC', 'DNT'])('ask for totals only by %s', name => {
    expect(readHeaders([name, '1']).totalsOnly).toBe(true)
    expect(readHeaders([name, '0']).totalsOnly).toBe(false)
  })

  it.each([
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['X-moz', 'prefetch'],
  ])('tell by %s that the page is fetched ahead', (name, value) => {
    expect(readHeaders([name, value]).isPrefetch).toBe(true)
    expect(readHeaders([name, 'image']).isPrefetch).toBe(false)
  })
})
