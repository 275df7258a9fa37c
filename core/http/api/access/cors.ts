import type { IncomingMessage, ServerResponse } from 'node:http'

/** Origins whose pages may call the API, such as `https://app.example.org`; `*` for all. */
export type CorsOrigins = '*' | readonly string[]

/** Tell browsers which pages may read the answer: https://fetch.spec.whatwg.org/#http-cors-protocol */
export interface Cors {
  /** To be called before anything is answered. */
  allow(req: IncomingMessage, res: ServerResponse): void
  /** Headers of the answer to `OPTIONS`, with the allowed `methods`; none for pages that may not call. */
  preflight(req: IncomingMessage, methods: string): Readonly<Record<string, string>>
}

/** What pages may read of an answer, besides its body. */
const exposed = [
  ...['ETag', 'Link', 'Location', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
  ...['Dry-Run', 'Idempotent-Replayed', 'WWW-Authenticate', 'X-Request-Id'],
].join(', ')

/** What pages may send. */
const sendable = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match']

/** Two hours until browsers ask again; Chromium allows no more. */
const preflightSeconds = '7200'

/**
 * Cross-origin calls with an API token, and with `more` headers. `Access-Control-Allow-Credentials` is never sent, so no browser lets a
 * page of another origin act with the session cookie.
 */
export function createCors(origins: CorsOrigins, more: readonly string[] = []): Cors {
  const allowedFor = ({ headers: { origin } }: IncomingMessage) => {
    if (origin === undefined) return undefined
    if (origins === '*') return '*'
    return origins.includes(origin) ? origin : undefined
  }
  return {
    allow(req, res) {
      if (origins !== '*' && origins.length > 0) res.setHeader('Vary', 'Origin')
      const origin = allowedFor(req)
      if (origin === undefined) return
      res.setHeader('Access-Control-Allow-Origin', origin)
      res.setHeader('Access-Control-Expose-Headers', exposed)
    },
    preflight(req, methods) {
      if (allowedFor(req) === undefined) return {}
      return {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': [...sendable, ...more].join(', '),
        'Access-Control-Max-Age': preflightSeconds,
      }
    },
  }
}
