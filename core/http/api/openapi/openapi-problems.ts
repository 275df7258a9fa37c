import type { Contract } from '../../../settings/contract.ts'
import type { Route } from '../route/route.ts'

/** What each status means, in the words of the contract where it has some. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The body is not JSON.',
  401: 'Unauthenticated.',
  403: 'Forbidden: the scope or plan does not allow it, or it is switched off for everyone.',
  404: 'It does not exist, or is not yours.',
  409: 'It conflicts with the current state.',
  412: 'It has changed since you read it: `If-Match` does not match.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`.',
  422: 'Validation error: `errors` lists every wrong field.',
  429: 'Too many requests: wait for the time in `Retry-After`.',
  500: 'A bug in Linnet or a plugin. Please report it with the `requestId`.',
  503: 'Currently not available.',
}

const content: object = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** The headers in which a route tells about its rate limit. */
export const rateLimitHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}

/** The headers of a refusal, besides those of every answer. */
const headersOf: Readonly<Record<string, object>> = {
  409: retryAfter,
  429: { ...retryAfter, ...rateLimitHeaders },
  503: retryAfter,
}

/** `components.headers`. */
export const problemHeaders = {
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

/** `components.responses`: one per status, all of the same shape, with the codes that have that status. */
export function problemResponses(problems: Contract['problems']): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, meaning]) => {
      const codes = Object.entries(problems)
        .filter(([, [its]]) => its === Number(status))
        .map(([code, [, when]]) => `- \`${code}\`: ${when}`)
      const description = [meaning, ...(codes.length > 0 ? [codes.join('\n')] : [])].join('\n\n')
      return [
        `Problem${status}`,
        { ...problemResponse(Number(status), headersOf[status]), description },
      ]
    }),
  )
}

function problemResponse(status: number, headers: object | undefined): object {
  return { description: meanings[status], ...(headers && { headers }), content }
}

/** Whether a route changes or deletes only the version that a request names. */
export function honoursIfMatch({ method, isVersioned }: Route): boolean {
  return isVersioned === true && (method === 'PATCH' || method === 'DELETE')
}

/** Whether answers of a route say what is left of a limit. */
export function isRateLimited({ rateLimit, asksPassword }: Route): boolean {
  return rateLimit !== undefined || asksPassword !== undefined
}

/** The problems that a route can answer with, by status. */
export function problemsOf(route: Route): Readonly<Record<string, object>> {
  const changes = route.method !== 'GET'
  const guarded = route.scope !== 'anyone'
  const statuses = new Set([
    ...(guarded || changes ? [401, 403] : []),
    ...(route.path.includes(':') ? [404] : []),
    ...(changes ? [409] : []),
    ...(honoursIfMatch(route) ? [412] : []),
    ...(route.body ? [400, 413, 415] : []),
    ...(route.problems ?? []),
    ...[422, 429, 500, 503],
  ])
  return Object.fromEntries(
    [...statuses].map(status => [
      status,
      isRateLimited(route)
        ? problemResponse(status, { ...headersOf[status], ...rateLimitHeaders })
        : { $ref: `#/components/responses/Problem${status}` },
    ]),
  )
}
