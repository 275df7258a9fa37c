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

/** What browsers and robots look for on any host; only the wide grammar has such codes. */
const reservedEverywhere = new Set([
  '.well-known',
  'apple-touch-icon.png',
  'favicon.ico',
  'robots.txt',
  'sitemap.xml',
])

/** Whether a code that somebody chose would hide one of our own paths, or a path is no code's; `''` is the host of the base URL. */
export function isReserved(domain: string, code: string, paths: Paths): boolean {
  const [first = '', second] = code.toLowerCase().split('/')
  const both = `${first}/${second}`
  if (reservedEverywhere.has(first)) return true
  if (domain !== '') return [first, both].some(path => paths.get(path) === 'all')
  return reserved.has(first) || paths.has(first) || paths.has(both)
}

/** First path segments that plugins answer, in lower case, and whether on `all` hosts or only on that of the base URL. */
export type Paths = ReadonlyMap<string, 'all' | 'base'>
