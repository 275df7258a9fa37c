import { digest } from '../../accounts/digest.ts'
import { isRefusal, type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Endpoint, File, Method } from '../../plugin.ts'
import type { Headers } from '../send/send.ts'
import { etagOf } from './etag.ts'
import type { Reply } from './reply.ts'

/** An endpoint of a plugin and where it is. */
export interface PluginEndpoint {
  readonly method: Method
  /** As `/moods/:id`. */
  readonly path: string
  readonly endpoint: Endpoint
  /** The endpoint that shows the one thing which this one makes, shows, changes or deletes. */
  readonly shows: Endpoint | undefined
}

/** The endpoints of a plugin. */
export function pluginEndpoints(
  endpoints: Readonly<Record<string, Endpoint>> = {},
): readonly PluginEndpoint[] {
  const names = Object.keys(endpoints)
  return Object.entries(endpoints).map(([name, endpoint]) => {
    const [method = 'GET', path = '/'] = name.split(' ') as [Method, string]
    const shown = `GET ${path}`
    const shows =
      method === 'POST'
        ? names.find(it => it.startsWith(`${shown}/:`) && !it.includes('/', shown.length + 1))
        : shown
    return { method, path, endpoint, shows: endpoints[shows ?? ''] }
  })
}

/** What tells versions of a thing apart, from an answer that has the thing; undefined: nothing does. */
export function versionOf(shows: Endpoint | undefined, answer: unknown): string | undefined {
  if (!shows?.version) return undefined
  return digest(JSON.stringify(shows.version(answer))).slice(0, 32)
}

/** The answer to a request, by what a handler gave. */
export function replyOf(
  { path, endpoint, shows }: PluginEndpoint,
  handled: unknown,
): Reply | Refusal {
  if (handled === undefined) return notFound
  if (isRefusal(handled)) return handled
  if (isFile(handled)) return fileReply(handled)
  if (endpoint.status === 204) return {}
  const version = versionOf(shows, handled)
  const id = endpoint.status === 201 && shows ? idOf(handled) : undefined
  return {
    body: handled,
    headers: {
      ...(version !== undefined && { ETag: etagOf(version, handled) }),
      ...(id !== undefined && { Location: `/api/v1${path}/${id}` }),
    },
  }
}

/** What is said of a thing that is not there, or not the caller's. */
export const notFound = refuse('not_found', 'This does not exist.', 404)

/** `{ data: { id } }` -> the id. */
function idOf(handled: unknown): string | undefined {
  const { data } = handled as { readonly data?: { readonly id?: unknown } }
  return typeof data?.id === 'string' ? data.id : undefined
}

function isFile(value: unknown): value is File {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file'
}

function fileReply(file: File): Reply {
  const { content, status } = file
  return { body: content, headers: fileHeaders(file), ...(status && { status }) }
}

/** What browsers are told of a file. */
export function fileHeaders({ type, maxAgeSeconds }: File): Headers {
  return {
    'Content-Type': type,
    'Cache-Control': maxAgeSeconds === 0 ? 'no-store' : `private, max-age=${maxAgeSeconds}`,
    // What is opened by itself, as an SVG, runs nothing and loads nothing but what is in it.
    'Content-Security-Policy':
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
  }
}
