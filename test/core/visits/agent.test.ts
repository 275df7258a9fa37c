import { describe, expect, it } from 'vitest'
import { readAgent } from '../../../core/visits/agent.ts'

describe('a user agent', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      'Chrome',
      'Windows',
      'desktop',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
      'Firefox',
      'Linux',
      'desktop',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1',
      'Mobile Safari',
      'iOS',
      'mobile',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      'Mobile Safari',
      'iOS',
      'tablet',
    ],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/2.1 TV Safari/537.36',
      'Samsung Internet',
      'Tizen',
      'other',
    ],
    ['curl/8.5.0', 'curl', undefined, undefined],
    ['Wget/1.21.4', 'Wget', undefined, undefined],
    ['HTTPie/3.2.2', 'HTTPie', undefined, undefined],
    ['', undefined, undefined, undefined],
  ])('%s is a person with %s on %s, %s', (userAgent, browser, os, device) => {
    expect(readAgent(userAgent)).toEqual({ browser, os, device, bot: false })
  })

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    'python-requests/2.31.0',
    'Go-http-client/2.0',
    'okhttp/4.9',
    'PycURL/7.43.0 libcurl/7.47',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1',
    'WhatsApp/2.23.20.0',
    'Twitterbot/1.0',
  ])('%s is a robot', userAgent => {
    expect(readAgent(userAgent).bot).toBe(true)
  })

  it('is worked out once while it is seen again and again', () => {
    const first = readAgent('curl/8.0')
    for (let other = 0; other < 1_999; other += 1) readAgent(`Agent/${other}`)
    expect(readAgent('curl/8.0')).toBe(first)
  })

  it('is forgotten when many others came after it', () => {
    const first = readAgent('curl/7.0')
    for (let other = 0; other < 2_000; other += 1) readAgent(`Other/${other}`)
    expect(readAgent('curl/7.0')).not.toBe(first)
  })
})
