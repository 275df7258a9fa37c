import type { JsonSchema } from '../../../lib/schema/json-schema.ts'
import { isPageQuery } from '../../../plugin/lists/paging.ts'
import { always, type Route } from '../route/route.ts'
import { exampleOf } from './openapi-example.ts'
import { everyAnswer, headerRef, rateLimitHeaders } from './openapi-headers.ts'
import { honoursIfMatch, isRateLimited, problemsOf } from './openapi-problems.ts'
import { type DescribedSchema, describeSchema } from './openapi-schema.ts'
import { referring, type Things, wordsAt } from './openapi-things.ts'

/** A route as an OpenAPI operation, with the named schemas it points to. */
export interface DescribedOperation {
  readonly route: Route
  readonly operation: { readonly parameters: readonly Parameter[] }
  readonly named: Readonly<Record<string, JsonSchema>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** The schemas of a route, which take most of the time; they are kept. */
export function describeSchemas(route: Route) {
  const { casing = 'snake' } = route
  const sent = route.describedBody ?? route.body
  const asked = route.describedQuery ?? route.query
  return {
    body: sent && describeSchema(sent, 'body', casing),
    query: asked && describeSchema(asked, 'query', casing),
    answer: route.answer && describeSchema(route.answer, 'answer', casing),
  }
}

/** Describe one route. */
export function describeOperation(route: Route, things: Things): DescribedOperation {
  const { body, query, answer } = describeSchemas(route)
  const operation = {
    operationId: route.name,
    tags: [route.group],
    summary: route.summary,
    ...securityOf(route),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(query?.schema),
      ...headers(route),
      ...(route.tries ? [dryRun] : []),
    ],
    ...(body && {
      requestBody: { required: isNeeded(body.schema), content: bodyContent(route, body) },
    }),
    ...(route.receives && { requestBody: { required: true, content: fileContent } }),
    responses: {
      ...Object.fromEntries(
        [route.status, ...(route.also ? [route.also] : [])].map(status => [
          status,
          success(
            { ...route, status },
            answer && json(referring(answer.schema, route.path, things), exampleOf(answer)),
          ),
        ]),
      ),
      ...(isVersionedGet(route) && { 304: unchanged(route) }),
      ...problemsOf(route),
    },
  }
  return { route, operation, named: { ...body?.named, ...query?.named, ...answer?.named } }
}

/** Only operations on sessions name the cookie. Everywhere else it works like a token, as its scheme says. */
function securityOf({ scope, group, asksPassword, fresh }: Route): object {
  if (scope === 'anyone') return { description: 'Anyone may call this.', security: [] }
  const session = group === 'Session' ? [{ session: [] }] : []
  const needs = [`Needs the scope \`${scope}\`.`, ...asks(asksPassword), ...needsFresh(fresh)]
  const description = needs.join(' ')
  return { description, security: [{ bearer: [scope] }, ...session], 'x-required-scope': scope }
}

function asks(asksPassword: Route['asksPassword']): readonly string[] {
  if (!asksPassword) return []
  const when = asksPassword === always ? '' : ' for what gives access to everything'
  return [`A session must also send \`current_password\`${when}.`]
}

function needsFresh(seconds: Route['fresh']): readonly string[] {
  if (seconds === undefined) return []
  return [`Needs a session that was proven in the last ${seconds} seconds.`]
}

function pathParameters({ path }: Route): readonly Parameter[] {
  return [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => {
    const words = wordsAt(path.slice(0, path.indexOf(`:${name}`) + 1 + name.length))
    const [, key] = /^by (.+)/.exec(words) ?? []
    const description = key ? `Its ${key}.` : `The \`${name}\` of the ${words}.`
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
}

function queryParameters(query: JsonSchema | undefined): readonly Parameter[] {
  return Object.entries(query?.properties ?? {}).map(([name, value]) => {
    const { description, ...schema } = value as JsonSchema
    const required = query?.required?.includes(name) ?? false
    return { name, in: 'query', required, ...(description && { description }), schema }
  })
}

/** Request headers for safe repeats, and for changing only what is still the same. */
function headers(route: Route): readonly Parameter[] {
  return [
    ...(isRepeatable(route) ? [idempotencyKey] : []),
    ...(honoursIfMatch(route) ? [ifMatch] : []),
    ...(isVersionedGet(route) ? [ifNoneMatch] : []),
  ]
}

/** Whether a repeated request with the same `Idempotency-Key` does nothing twice. */
function isRepeatable({ method, scope, receives }: Route): boolean {
  return method !== 'GET' && scope !== 'anyone' && !receives
}

function isVersionedGet({ method, isVersioned }: Route): boolean {
  return method === 'GET' && isVersioned === true
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer: if nothing has changed since, the answer is 304.',
  schema: { type: 'string' },
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version to change: if the current version is another one, the answer is 412.',
  schema: { type: 'string' },
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique text that you choose, such as a UUID. Repeating the request with it within a day gives the same answer and does nothing twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

const dryRun: Parameter = {
  name: 'dry_run',
  in: 'query',
  required: false,
  description:
    'True: the request is only tried. The answer is as it would be, with the header `Dry-Run`, and nothing changes.',
  schema: { type: 'boolean' },
}

/** A body may be left out when nothing in it is required. */
function isNeeded({ required = [] }: JsonSchema): boolean {
  return required.length > 0
}

/** A file of any media type. */
const fileContent = {
  'application/octet-stream': { schema: fileSchema('application/octet-stream') },
}

/** A `PATCH` is a merge patch, RFC 7396, by that name too. */
function bodyContent({ method }: Route, body: DescribedSchema): object {
  const sent = json(body.schema, exampleOf(body))
  const patch = { 'application/merge-patch+json': { schema: body.schema } }
  return { ...sent, ...(method === 'PATCH' && patch) }
}

function success(route: Route, answer: object | undefined): object {
  const { status, media = [] } = route
  const content = {
    ...answer,
    ...Object.fromEntries(media.map(type => [type, { schema: fileSchema(type) }])),
  }
  const description = {
    ...{ 200: 'Done.', 201: 'Made.', 202: 'Begun.', 204: 'Done. The answer has no body.' },
    303: '`Location` says where to go on.',
  }[status]
  const headers = successHeaders(route)
  return {
    description,
    headers,
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function unchanged(route: Route): object {
  return { description: 'Not changed. The answer has no body.', headers: successHeaders(route) }
}

/** Texts and vector images are texts; anything else is bytes. */
function fileSchema(type: string): JsonSchema {
  const isText = type.startsWith('text/') || type.endsWith('+xml')
  return isText ? { type: 'string' } : { type: 'string', format: 'binary' }
}

function successHeaders(route: Route): object {
  const { status, also, isVersioned, query } = route
  const isShown = isVersioned && status !== 204
  return {
    ...everyAnswer,
    ...(isRepeatable(route) && { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    ...(route.tries && { 'Dry-Run': headerRef('DryRun') }),
    ...(isRateLimited(route) && rateLimitHeaders),
    ...(isPageQuery(query) && { Link: headerRef('Link') }),
    ...(isShown && { ETag: headerRef('ETag') }),
    ...((status === 201 || status === 303 || also) && { Location: headerRef('Location') }),
  }
}

function json(schema: JsonSchema, example: unknown): object {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}
