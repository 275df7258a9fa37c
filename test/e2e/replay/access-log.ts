import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** One request, as a reverse proxy would log it. */
export interface LogLine {
  readonly method: 'GET' | 'HEAD'
  readonly shortCode: string
  /** Without its question mark. */
  readonly query: string
  readonly ip: string
  readonly userAgent: string
  readonly referer: string
  readonly language: string
  /** One more header, such as `dnt: 1`. */
  readonly header: string
}

/** User agents of people: rows of browser, system, device type, user agent. */
export const people = readFileSync(
  resolve(import.meta.dirname, '../../core/lib/user-agents.txt'),
  'utf8',
)
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(row => row.split(' | '))

/** User agents of robots, some of which look like people. */
export const robots: readonly string[] = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
  'Twitterbot/1.0',
  'TelegramBot (like TwitterBot)',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
]

/** The preferred language first, as browsers send it. */
const languages = [
  'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'en-US,en;q=0.9',
  'en-GB,en-US;q=0.9,en;q=0.8',
  'fr-CH,fr;q=0.9,de;q=0.8',
  'pt-BR,pt;q=0.9',
  'ja',
  'zh-CN,zh;q=0.9',
  'es',
  '',
]

const referers = [
  'https://www.google.com/',
  'https://news.ycombinator.com/item?id=1',
  'https://t.co/abc',
  'http://www.example.co.uk:8080/a/b?c=d',
  'android-app://com.google.android.gm/',
  'http://203.0.113.9/intranet',
  '',
  '',
  '',
]

const queries = [
  ...['', '', '', '', '', 'qr', 'ref=letter', 'utm_source=', 'qr&utm_medium=print'],
  'utm_source=newsletter&utm_medium=email&utm_campaign=spring%20sale',
  'utm_source=twitter&utm_content=second+post&utm_term=a%7Cb',
]

const headers = [
  ...Array<string>(14).fill(''),
  ...['dnt: 1', 'sec-gpc: 1', 'sec-purpose: prefetch;prerender', 'purpose: prefetch'],
]

/** First numbers of addresses that are public whatever follows. */
const ipv4 = [3, 5, 18, 31, 46, 62, 77, 81, 84, 93, 103, 109, 133, 151, 177, 186, 201, 212, 217]
const ipv6 = [
  '2a02:8109',
  '2a01:cb00',
  '2600:1700',
  '2601:645',
  '2409:8a00',
  '2804:14c',
  '240e:3a1',
]

/** This many requests for these codes, the same for the same seed. */
export function accessLog(lines: number, shortCodes: readonly string[], seed: number): LogLine[] {
  const random = randomFrom(seed)
  const one = <T>(from: readonly T[]): T => from[Math.trunc(random() * from.length)] as T
  const upTo = (max: number) => Math.trunc(random() * max)

  const visitors = Array.from({ length: 700 }, (_, number) => {
    if (number % 50 === 0) return `192.168.${upTo(256)}.${upTo(256)}`
    if (number % 3 > 0) return `${one(ipv4)}.${upTo(256)}.${upTo(256)}.${upTo(256)}`
    return `${one(ipv6)}:${upTo(65_536).toString(16)}::${(1 + upTo(65_535)).toString(16)}`
  })

  return Array.from({ length: lines }, () => ({
    method: random() < 0.03 ? 'HEAD' : 'GET',
    shortCode: one(shortCodes),
    query: one(queries),
    ip: one(visitors),
    userAgent: random() < 0.1 ? one(robots) : one(people).slice(3).join(' | '),
    referer: one(referers),
    language: one(languages),
    header: one(headers),
  }))
}

/** Numbers from 0 to 1, by the Park-Miller generator. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
