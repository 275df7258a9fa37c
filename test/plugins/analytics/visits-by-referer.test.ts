import { describe } from 'vitest'
import visitsByReferer from '../../../plugins/analytics/visits-by-referer.ts'
import { looksAtVisitors } from './visitor-dimension.ts'

describe('the site that a visitor came from', () => {
  looksAtVisitors(visitsByReferer, [
    [{ referer: 'https://news.example.com/2026/links?id=7#top' }, 'news.example.com'],
    [{ referer: 'https://www.example.com/' }, 'example.com'],
    [{ referer: 'https://WWW.Example.COM:8443/' }, 'example.com'],
    [{ referer: 'https://bücher.example/' }, 'xn--bcher-kva.example'],
    [{ referer: 'android-app://com.example.reader/' }, 'com.example.reader'],
    [{ referer: 'https://example.com./' }, 'example.com'],
    [{ referer: 'chrome-extension://abcdefghijklmnop/' }, undefined],
    [{ referer: 'file:///home/ada/letter.html' }, undefined],
    [{ referer: 'http://192.0.2.7/' }, undefined],
    [{ referer: 'http://[2001:db8::7]/' }, undefined],
    [{ referer: 'no address at all' }, undefined],
    [{}, undefined],
  ])
})
