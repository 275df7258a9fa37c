/** `components.headers`: every header of an answer that tells more than how to read the body. */
export const headers = {
  RequestId: {
    description: 'Identifies this request in the log, also where the body is no problem.',
    schema: { type: 'string' },
  },
  WwwAuthenticate: {
    description:
      'How to authenticate, as in RFC 6750: `Bearer` with `error`, and with the missing `scope` if the token has too few.',
    schema: { type: 'string', examples: ['Bearer realm="Linnet", error="invalid_token"'] },
  },
  IdempotentReplayed: {
    description:
      '`true` if this is the answer to an earlier request with the same `Idempotency-Key`; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  DryRun: {
    description: '`true` if the request was only tried, with `dry_run`; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: {
    description: 'Its version, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'The URL of what was created, if it can be read.',
    schema: { type: 'string' },
  },
  Link: {
    description:
      'The `links` of the body in the form of RFC 8288: first, prev, next and last page.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Whole seconds after which to try again; absent if unknown.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description:
      'What is left of the tightest rate limit, as in draft-ietf-httpapi-ratelimit-headers: `r` requests in the next `t` seconds.',
    schema: { type: 'string', examples: ['"default";r=9;t=60'] },
  },
  RateLimitPolicy: {
    description: 'The tightest rate limit: `q` requests in a window of `w` seconds.',
    schema: { type: 'string', examples: ['"default";q=10;w=60'] },
  },
}

/** A reference to one of them. */
export function headerRef(name: keyof typeof headers): object {
  return { $ref: `#/components/headers/${name}` }
}

/** The headers of every answer. */
export const everyAnswer = { 'X-Request-Id': headerRef('RequestId') }

/** The headers in which a route tells about its rate limit. */
export const rateLimitHeaders = {
  RateLimit: headerRef('RateLimit'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
}

const retryAfter = { 'Retry-After': headerRef('RetryAfter') }
const authenticate = { 'WWW-Authenticate': headerRef('WwwAuthenticate') }

const byStatus: Readonly<Record<string, object>> = {
  401: authenticate,
  403: authenticate,
  409: retryAfter,
  429: { ...retryAfter, ...rateLimitHeaders },
  503: retryAfter,
}

/** The headers of a refusal. */
export function headersOf(status: number | string): object {
  return { ...everyAnswer, ...byStatus[status] }
}
