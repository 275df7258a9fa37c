import { randomInt } from 'node:crypto'

/** No look-alikes, and no vowels, so that no word comes up by accident. */
const alphabet = '23456789bcdfghjkmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ'

/** Codes have this length until free ones get rare. */
const firstLength = 7

/** Tries before a code gets one character longer. */
const triesPerLength = 4

/** First path segments that are ours, now or later; compared without regard to case. */
const reserved = new Set([
  'api',
  'admin',
  'assets',
  'dashboard',
  'docs',
  'favicon',
  'health',
  'login',
  'logout',
  'metrics',
  'robots',
  'setup',
  'static',
  'well-known',
])

/** A fresh code from a cryptographic source; each failed attempt counts towards a longer one. */
export function makeShortCode(attempt: number): string {
  const length = firstLength + Math.floor(attempt / triesPerLength)
  let code = ''
  while (code.length < length) code += alphabet[randomInt(alphabet.length)]
  return code
}

/** What browsers and robots look for on any host; only the wide grammar has such codes. */
const reservedEverywhere = new Set([
  '.well-known',
  'apple-touch-icon.png',
  'favicon.ico',
  'robots.txt',
  'sitemap.xml',
])

/** Whether a code that somebody chose would hide one of our own paths; `''` is the host of the base URL. */
export function isReserved(domain: string, code: string, paths: Paths): boolean {
  const [first = '', second] = code.toLowerCase().split('/')
  const both = `${first}/${second}`
  if (reservedEverywhere.has(first)) return true
  if (domain !== '') return [first, both].some(path => paths.get(path) === 'all')
  return reserved.has(first) || paths.has(first) || paths.has(both)
}

/** First path segments that plugins answer, in lower case, and whether on `all` hosts or only on that of the base URL. */
export type Paths = ReadonlyMap<string, 'all' | 'base'>
