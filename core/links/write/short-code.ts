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

/** Whether a code that somebody chose would hide one of our own paths; `''` is the host of the base URL. */
export function isReserved(domain: string, code: string, paths: Paths): boolean {
  const path = code.toLowerCase()
  if (domain !== '') return paths.get(path) === 'all'
  return reserved.has(path) || paths.has(path)
}

/** First path segments that plugins answer, in lower case, and whether on `all` hosts or only on that of the base URL. */
export type Paths = ReadonlyMap<string, 'all' | 'base'>
