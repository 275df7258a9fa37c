import type { ServerResponse } from 'node:http'
import { challengeOf } from './challenge.ts'
import { problemOf, type Rejection } from './problem.ts'

export type Headers = Readonly<Record<string, string>>

/** Answer, unless somebody has answered already. */
export function send(
  res: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Uint8Array = '',
): void {
  if (res.headersSent || res.destroyed) return
  const length = status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) }
  res.writeHead(status, { ...headers, ...length }).end(body)
}

/** Answer with a refusal as `application/problem+json`. */
export function sendProblem(
  res: ServerResponse,
  refusal: Rejection,
  requestId: string,
  headers: Headers = {},
): void {
  const all = {
    ...apiHeaders(requestId),
    'Content-Type': 'application/problem+json',
    ...refusalHeaders(refusal),
    ...headers,
  }
  send(res, refusal.status, all, JSON.stringify(problemOf(refusal, requestId)))
}

/** What every answer of the API says. */
export function apiHeaders(requestId: string): Headers {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
}

/** What a refusal obliges us to say in headers: how to sign in, how long to wait. */
export function refusalHeaders(refusal: Rejection): Headers {
  const challenge = challengeOf(refusal)
  const seconds = refusal.details?.retryAfterSeconds
  return {
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    // `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-10: nothing remains for so many seconds.
    ...(seconds !== undefined && {
      'Retry-After': String(seconds),
      RateLimit: `"default";r=0;t=${seconds}`,
    }),
  }
}
