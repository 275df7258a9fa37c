import type { Contract } from '../../../settings/contract.ts'
import type { Route } from '../route/route.ts'
import { headersOf, rateLimitHeaders } from './openapi-headers.ts'

/** What each status means, in the words of the contract where it has some. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP, or its body is not valid JSON.',
  401: 'Unauthenticated.',
  403: 'Forbidden: the scope or plan does not allow it, or it is switched off for everyone.',
  404: 'It does not exist, or is not yours.',
  408: 'The request took too long to arrive.',
  409: 'It conflicts with the current state.',
  412: 'It has changed since you read it: `If-Match` does not match.',
  413: 'The body, or a page of the list, is too large.',
  415: 'The body is not `application/json`; that of a `PATCH` may also be `application/merge-patch+json`.',
  417: '`Expect` has a value other than `100-continue`.',
  422: 'Validation error: `errors` lists every wrong field.',
  429: 'Too many requests: wait for the time in `Retry-After`.',
  431: 'The headers are too large.',
  500: 'A bug in Linnet or a plugin. Please report it with the `requestId`.',
  502: 'Another server does not answer as it should.',
  503: 'Currently not available.',
}

const content: object = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

/**
 * `components.responses`: one per status, all of the same shape, with the codes that have that status; and one for routes
 * that tell about their rate limit.
 */
export function problemResponses(problems: Contract['problems']): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(meanings).flatMap(([status, meaning]) => {
      const codes = Object.entries(problems)
        .filter(([, [its]]) => its === Number(status))
        .map(([code, [, when]]) => `- \`${code}\`: ${when}`)
      const description = [meaning, ...(codes.length > 0 ? [codes.join('\n')] : [])].join('\n\n')
      const answer = { headers: { ...headersOf(status), ...rateLimitHeaders }, content }
      return [
        [`Problem${status}`, { description, headers: headersOf(status), content }],
        [`Problem${status}Limited`, { description: meaning, ...answer }],
      ]
    }),
  )
}

/** Whether a route changes or deletes only the version that a request names. */
export function honoursIfMatch({ method, isVersioned }: Route): boolean {
  return isVersioned === true && method !== 'GET' && method !== 'POST'
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
    ...(route.body ? [413, 415] : []),
    ...(route.problems ?? []),
    ...[400, 408, 417, 422, 429, 431, 500, 503],
  ])
  return Object.fromEntries(
    [...statuses].map(status => [
      status,
      { $ref: `#/components/responses/Problem${status}${isRateLimited(route) ? 'Limited' : ''}` },
    ]),
  )
}
