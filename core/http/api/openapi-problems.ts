import type { Route } from './route.ts'

/** What each status means, in the words of the contract where it has some. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The body is not JSON.',
  401: 'Unauthenticated.',
  403: 'Forbidden: scope, plan, or switched off for everybody.',
  404: 'Not found, or not yours.',
  409: 'It clashes with what is there.',
  412: 'It changed since you read it: `If-Match` does not match.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`.',
  422: 'Validation error: `errors` names every wrong field.',
  429: 'Too many requests: wait as long as `Retry-After` says.',
  500: 'A bug on our side: quote `requestId`.',
  503: 'Not available right now.',
}

const content: object = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** What answers of a route with a rate limit say of it. */
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
    description: 'Whole seconds after which to try again; absent where nobody knows.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: {
    description:
      'What is left of the limit that refuses first, as draft-ietf-httpapi-ratelimit-headers has it: `r` tries, until `t` seconds from now.',
    schema: { type: 'string', examples: ['"default";r=9;t=60'] },
  },
  RateLimitPolicy: {
    description: 'That limit: `q` tries in a window of `w` seconds.',
    schema: { type: 'string', examples: ['"default";q=10;w=60'] },
  },
}

/** `components.responses`: one a status, all of the same shape. */
export const problemResponses = Object.fromEntries(
  Object.keys(meanings).map(status => [
    `Problem${status}`,
    problemResponse(Number(status), headersOf[status]),
  ]),
)

function problemResponse(status: number, headers: object | undefined): object {
  return { description: meanings[status], ...(headers && { headers }), content }
}

/** Whether a route changes or deletes just the version that a request names. */
export function honoursIfMatch({ method, isVersioned }: Route): boolean {
  return isVersioned === true && (method === 'PATCH' || method === 'DELETE')
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
      route.rateLimit
        ? problemResponse(status, { ...headersOf[status], ...rateLimitHeaders })
        : { $ref: `#/components/responses/Problem${status}` },
    ]),
  )
}
