import type { Verdict } from '../../limits/throttle.ts'
import type { Refusal } from '../../plugin/outcomes.ts'

type Headers = Readonly<Record<string, string>>

/** What is left of a limit, as draft-ietf-httpapi-ratelimit-headers-11 has it. */
export function rateLimitHeaders({
  remaining,
  retryAfterSeconds,
  limit,
  windowSeconds,
}: Omit<Verdict, 'allowed'>): Headers {
  return { RateLimit: left(remaining, retryAfterSeconds), ...policy(limit, windowSeconds) }
}

/** Nothing is left, where that is why a request was refused. */
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
