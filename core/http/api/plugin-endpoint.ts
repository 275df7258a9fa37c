import { Readable } from 'node:stream'
import { z } from 'zod'
import type { ConfirmPassword } from '../../accounts/access/confirm-password.ts'
import { digest } from '../../accounts/digest.ts'
import { abandon, isThenable } from '../../lib/async/thenable.ts'
import { createLimit, type Throttle } from '../../limits/throttle.ts'
import { isPageQuery } from '../../plugin/lists/paging.ts'
import { isRefusal, notFound, type Refusal } from '../../plugin/outcomes.ts'
import type { Caller, Download, Endpoint, File, MountMethod } from '../../plugin.ts'
import type { Headers } from '../send/send.ts'
import { etagOf } from './etag.ts'
import type { Reply, Route } from './route/route.ts'

/** An endpoint of a plugin and where it is. */
export interface PluginEndpoint {
  readonly method: MountMethod
  /** Such as `/moods/:id`. */
  readonly path: string
  readonly endpoint: Endpoint
  /** The endpoint that shows the one thing that this endpoint makes, shows, changes or deletes. */
  readonly reader: Endpoint | undefined
}

/** The endpoints of a plugin. */
export function pluginEndpoints(
  endpoints: Readonly<Record<string, Endpoint>> = {},
): readonly PluginEndpoint[] {
  const names = Object.keys(endpoints)
  return Object.entries(endpoints).map(([name, endpoint]) => {
    const [method = 'GET', path = '/'] = name.split(' ') as [MountMethod, string]
    const shown = `GET ${path}`
    const reader =
      method === 'POST'
        ? names.find(it => it.startsWith(`${shown}/:`) && !it.includes('/', shown.length + 1))
        : shown
    return { method, path, endpoint, reader: endpoints[reader ?? ''] }
  })
}

/** The version of a thing, from an answer that contains it; undefined if it has no versions. */
export function versionOf(reader: Endpoint | undefined, answer: unknown): string | undefined {
  if (!reader?.version) return undefined
  const version = reader.version(answer)
  const text = isThenable(version) ? undefined : JSON.stringify(version)
  if (text !== undefined) return digest(text).slice(0, 32)
  abandon(version)
  throw new Error('its version is not JSON')
}

/** Turns what a handler returned into the answer to a request. */
export function replyOf(
  { path, endpoint, reader }: PluginEndpoint,
  handled: unknown,
): Reply | Refusal {
  if (isRefusal(handled)) return handled
  if (isFile(handled)) return fileReply(handled)
  if (isDownload(handled)) return downloadReply(handled)
  if (endpoint.status === 204) return {}
  if (handled === undefined) return notFound
  const version = versionOf(reader, handled)
  const id = endpoint.status === 201 && reader ? idOf(handled) : undefined
  return {
    body: handled,
    headers: {
      ...(version !== undefined && { ETag: etagOf(version, handled) }),
      ...(id !== undefined && { Location: `/api/v1${path}/${id}` }),
    },
  }
}

/** `{ data: { id } }` -> the id. */
function idOf(handled: unknown): string | undefined {
  const { data } = handled as { readonly data?: { readonly id?: unknown } }
  return typeof data?.id === 'string' ? data.id : undefined
}

export function isFile(value: unknown): value is File {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file'
}

function isDownload(value: unknown): value is Download {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'download'
}

function downloadReply({ type, name, content }: Download): Reply {
  if (!/^[\w.-]{1,100}$/.test(name)) throw new Error(`${name} is no name for a download`)
  const headers = { 'Content-Disposition': `attachment; filename="${name}"` }
  const file: File = { kind: 'file', type, content: '', maxAgeSeconds: 0, headers }
  return { body: Readable.from(content), headers: fileHeaders(file) }
}

function fileReply(file: File): Reply {
  const { content, status } = file
  return { body: content, headers: fileHeaders(file), ...(status && { status }) }
}

/** The headers of a file. */
export function fileHeaders({ type, maxAgeSeconds, headers }: File): Headers {
  return {
    'Content-Type': type,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': maxAgeSeconds === 0 ? 'no-store' : `private, max-age=${maxAgeSeconds}`,
    // A file that is opened by itself, such as an SVG, runs nothing and loads nothing from elsewhere.
    'Content-Security-Policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
    ...headers,
  }
}

const verbs = {
  ...{ GET: 'show', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'destroy' },
} as const

/**
 * `GET /api-tokens/:id` is `apiTokens.show`, `GET /api-tokens`, which shows several, is `apiTokens.list`, and
 * `POST /links/:id/simulate`, which creates nothing, is `links.simulate`.
 */
export function operationName({ method, path, endpoint }: Omit<PluginEndpoint, 'reader'>): string {
  const named = path.split('/').filter(segment => segment !== '' && !segment.startsWith(':'))
  const isAction = method === 'POST' && endpoint.status !== 201 && /\/:[^/]+\/[^:]+$/.test(path)
  const verb = method === 'GET' && isList(endpoint) ? 'list' : verbs[method]
  return [...named.map(camel), ...(isAction ? [] : [verb])].join('.')
}

function isList({ query, answer }: Endpoint): boolean {
  return (
    isPageQuery(query) || (answer instanceof z.ZodObject && answer.shape.data instanceof z.ZodArray)
  )
}

/** `/api-tokens/:id` belongs to `Api Tokens`, unless the endpoint names another group. */
export function groupOf({ path, endpoint }: Pick<PluginEndpoint, 'path' | 'endpoint'>): string {
  if (endpoint.group !== undefined) return endpoint.group
  const [first = ''] = path.split('/').filter(Boolean)
  return first
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

function camel(segment: string): string {
  return segment.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

export interface EndpointLimitDeps {
  readonly throttle: Throttle
  readonly confirm: Pick<ConfirmPassword, 'left'>
}

/** How often an account may call a plugin's endpoint. */
interface EndpointLimit {
  readonly left: NonNullable<Route['rateLimit']>
  /** Counts a call; a refusal (429) if there were too many. Absent if the limit does not count calls. */
  count?(caller: Caller): Promise<Refusal | undefined>
}

/** The limit that an endpoint asks for; undefined when it has none. */
export function endpointLimit(
  { method, path, endpoint: { rateLimit } }: PluginEndpoint,
  { throttle, confirm }: EndpointLimitDeps,
): EndpointLimit | undefined {
  if (rateLimit === undefined) return undefined
  if (rateLimit === 'currentPassword') {
    // Tokens are never asked for the password.
    return {
      left: ({ caller }) => (caller.credential === 'session' ? confirm.left(caller) : undefined),
    }
  }
  const keyOf = ({ accountId }: Caller) => `${method} ${path} ${accountId}`
  const { left, count } = createLimit(throttle, keyOf, rateLimit)
  return { left: ({ caller }) => left(caller), count }
}
