import type { Verdict } from '../../limits/throttle.ts'
import type { Refusal } from '../../plugin/outcomes.ts'

type Headers = Readonly<Record<string, string>>

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
export function spentHeaders({ status, details = {} }: Refusal): Headers {
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
