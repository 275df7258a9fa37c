import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Verdict } from '../../limits/throttle.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import { problemOf, type Rejection } from './problem.ts'

export type Headers = Readonly<Record<string, string>>

/** Answer, unless an answer was sent already. */
export function send(
  res: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Uint8Array = '',
): void {
  if (res.headersSent || res.destroyed) return
  const length =
    status === 204 || status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) }
  res.writeHead(status, { ...headers, ...length }).end(body)
}

/** Answer with a stream. If it breaks, the connection breaks too, so that nobody takes a part for the whole. */
export async function sendStream(
  res: ServerResponse,
  status: number,
  headers: Headers,
  body: Readable,
): Promise<void> {
  res.writeHead(status, headers)
  if (res.req.method === 'HEAD') {
    res.end()
    body.destroy()
    return
  }
  try {
    await pipeline(body, res)
  } catch (error) {
    if (!hasLeft(error)) throw error
  }
}

/** Whether the client closed the connection before the end, as clients may. */
function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
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
    ...headers,
    ...refusalHeaders(refusal),
  }
  send(res, refusal.status, all, JSON.stringify(problemOf(refusal, requestId)))
}

/** The headers of every answer of the API. */
export function apiHeaders(requestId: string): Headers {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
}

/** The headers that a refusal needs: how to sign in, how long to wait. */
export function refusalHeaders(refusal: Rejection): Headers {
  const challenge = challengeOf(refusal)
  const { retryAfterSeconds: seconds } = refusal.details ?? {}
  return {
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
    ...spentHeaders(refusal),
  }
}

/** The `WWW-Authenticate` header that goes with a refusal: RFC 6750, section 3. */
function challengeOf({ code, status, details }: Refusal): string | undefined {
  if (code === 'insufficient_scope') {
    return `Bearer realm="Linnet", error="insufficient_scope", scope="${details?.requiredScope}"`
  }
  if (status !== 401) return undefined
  return code === 'invalid_token'
    ? 'Bearer realm="Linnet", error="invalid_token"'
    : 'Bearer realm="Linnet"'
}

/** What is left of a limit, by draft-ietf-httpapi-ratelimit-headers-11. */
export function rateLimitHeaders({
  remaining,
  retryAfterSeconds,
  limit,
  windowSeconds,
}: Omit<Verdict, 'allowed'>): Headers {
  return { RateLimit: left(remaining, retryAfterSeconds), ...policy(limit, windowSeconds) }
}

/** The headers of a refusal because nothing is left of a limit; none for other refusals. */
function spentHeaders({ status, details = {} }: Refusal): Headers {
  const { retryAfterSeconds, limit, windowSeconds } = details
  if (status !== 429 || retryAfterSeconds === undefined) return {}
  return {
    RateLimit: left(0, retryAfterSeconds),
    ...(windowSeconds !== undefined && policy(limit, windowSeconds)),
  }
}

function left(remaining: number, seconds: unknown): string {
  return `"default";r=${remaining};t=${seconds}`
}

function policy(limit: unknown, seconds: unknown): Headers {
  return { 'RateLimit-Policy': `"default";q=${limit};w=${seconds}` }
}
