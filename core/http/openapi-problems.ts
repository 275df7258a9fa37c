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

/** `components.responses`: one a status, all of the same shape. */
export const problemResponses = Object.fromEntries(
  Object.entries(meanings).map(([status, description]) => [
    `Problem${status}`,
    {
      description,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
)

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
    [...statuses].map(status => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}
