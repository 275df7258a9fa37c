import type { Headers } from '../send/send.ts'

/**
 * What comes from this instance may load and run, and nothing else: no inline script, no inline style, no
 * other server, no frame around it.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const always: Headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

/**
 * Headers for a file of a site, by its path there. Names in `assets/` tell their content and are kept for
 * good; anything else, `index.html` before all, is asked for again each time.
 */
export function siteHeaders(path: string): Headers {
  const isKept = path.startsWith('/assets/')
  const cache = isKept ? 'public, max-age=31536000, immutable' : 'no-cache'
  return { ...always, 'Cache-Control': cache }
}
