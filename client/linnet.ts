import type { Methods, Requests } from './api.d.ts'
import { checkOptions } from './check-options.ts'
import { LinnetError } from './errors.ts'
import { List, type Page } from './list.ts'
import { operations } from './operations.ts'
import type { Answer, Gives } from './read-answer.ts'
import { type CallOptions, type Connection, type Retry, send } from './send.ts'

export type * from './api.d.ts'
export * from './errors.ts'
export { List, type Page } from './list.ts'
export type { CallOptions, Retry } from './send.ts'

export interface LinnetOptions {
  /** The address of the server, such as `https://go.example.org`. */
  readonly url: string
  /** An API token. Without one there is only what anybody may ask, or what the session of the page allows. */
  readonly token?: string
  /** How long one attempt may take until its answer is there, in milliseconds. */
  readonly timeoutMs?: number
  /** How often a request is sent again if the connection breaks or the server is busy. */
  readonly retries?: number
  /** A server that asks to wait longer than this, in milliseconds, is not waited for. */
  readonly longestWaitMs?: number
  /** Hears of each request that is about to be sent again. */
  readonly onRetry?: (retry: Retry) => void
  /** In place of the `fetch` of the runtime, as for a proxy. */
  readonly fetch?: typeof fetch
}

/** What `request` takes beside the route. */
export interface RequestInput extends CallOptions {
  /** The values of the names in the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
}

/** All operations of the API, each under its name: `linnet.links.create`. */
export interface Linnet extends Methods {}

/**
 * A client of one server.
 *
 * @example
 * const linnet = new Linnet({ url: 'https://go.example.org', token })
 * const link = await linnet.links.create({ original_url: 'https://example.com/' })
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor adds each method of the interface
export class Linnet {
  readonly #connection: Connection

  constructor(options: LinnetOptions) {
    this.#connection = {
      url: checkOptions(options),
      token: options.token,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 5,
      longestWaitMs: options.longestWaitMs ?? 60_000,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      onRetry: options.onRetry,
    }
    for (const [name, operation] of Object.entries(operations)) {
      add(this, name.split('.'), methodOf(this.#connection, operation))
    }
  }

  /**
   * Sends any request, also to what plugins add, and resolves to the whole body of its answer. What is no JSON comes as
   * the response of `fetch`.
   *
   * @example
   * const { data } = await linnet.request<{ data: Mood }>('GET /moods/{id}', { path: { id: 'mood_1' } })
   */
  async request<Route extends keyof Requests>(
    route: Route,
    ...input: InputOf<Requests[Route]>
  ): Promise<Requests[Route]['answer']>
  async request<T = unknown>(route: `${string} /${string}`, input?: RequestInput): Promise<T>
  async request(route: string, input: RequestInput = {}): Promise<unknown> {
    const { path = {}, query, body, ...options } = input
    const [method = '', pattern = ''] = route.split(' ')
    const places = pathOf(pattern, name => path[name])
    const sent = { method, path: places, query, body, options, gives: given.get(route) }
    return (await send(this.#connection, sent)).body
  }
}

/** The input of a request: may be left out if it needs nothing. */
type InputOf<Request extends { readonly input: object }> = object extends Pick<
  Request,
  'input'
>['input']
  ? [input?: Request['input'] & CallOptions]
  : [input: Request['input'] & CallOptions]

/** What each request that is known answers with, by its route. */
const given = new Map(
  Object.values(operations).map(operation => {
    const [method, pattern, , gives] = operation.split(' ')
    return [`${method} ${pattern}`, gives as Gives]
  }),
)

/** The `ETag` of what a client read, if the server gave it one. */
export function etagOf(thing: object): string | undefined {
  return etags.get(thing)
}

const etags = new WeakMap<object, string>()

/** What was changed since it was read: its `ETag` is newer than what it says. */
const changed = new WeakSet<object>()

type Method = (...args: readonly unknown[]) => unknown

/**
 * The method of an operation: `links.update(link, changes, options)`. Its arguments are the values of the path, then the
 * query or body if it takes one, then options.
 */
function methodOf(connection: Connection, operation: string): Method {
  const [method = '', pattern = '', takes, gives] = operation.split(' ') as [
    string,
    string,
    string,
    Gives,
  ]
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const told = (args: readonly unknown[]) => {
    const targets = args.slice(0, names.length)
    const path = pathOf(pattern, name => placeOf(targets[names.indexOf(name)], name))
    const rest = args.slice(names.length)
    const isGiven = takes !== '-'
    const [input, options = {}] = (isGiven ? rest : [undefined, ...rest]) as [object?, CallOptions?]
    // Only what the path ends with is what is read or changed.
    const thing = pattern.endsWith('}') ? targets.at(-1) : undefined
    return { path, input, options: { ...conditionsOf(method, thing), ...options }, thing }
  }
  if (gives === 'page') {
    return (...args) => {
      const { path, input, options } = told(args)
      return new List({ ...input }, async query => {
        const { body } = await send(connection, { method, path, query, options, gives })
        return body as Page<unknown>
      })
    }
  }
  return async (...args) => {
    const { path, input, options, thing } = told(args)
    const sent = takes === 'query' ? { query: input } : { body: input }
    return resultOf(
      method,
      thing,
      await send(connection, { method, path, ...sent, options, gives }),
    )
  }
}

/** Asks for the version of a thing that is known, if that is. */
function conditionsOf(method: string, thing: unknown): CallOptions {
  const etag = isObject(thing) ? etags.get(thing) : undefined
  if (etag === undefined) return {}
  if (method !== 'GET') return { ifMatch: etag }
  return changed.has(thing as object) ? {} : { ifNoneMatch: etag }
}

/** What a method resolves to; remembers which version that is. */
function resultOf(method: string, thing: unknown, { status, headers, body }: Answer): unknown {
  if (status === 304) return thing
  if (status === 204) return undefined
  if (!isObject(body) || !('data' in body)) return body
  const { data } = body
  const etag = headers.get('ETag')
  if (etag === null || !isObject(data)) return data
  etags.set(data, etag)
  // Nobody else has changed it in between, so that it can be changed again by the same object.
  if (method !== 'GET' && isObject(thing) && etags.has(thing)) {
    if (etags.get(thing) !== etag) changed.add(thing)
    etags.set(thing, etag)
  }
  return data
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What a path says of a thing: `id`, or what it is called by, as `slug` of a plan. */
function placeOf(target: unknown, name: string): unknown {
  if (!isObject(target)) return target
  const { [name]: own, id } = target as Readonly<Record<string, unknown>>
  return own ?? id
}

function pathOf(pattern: string, valueAt: (name: string) => unknown): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueAt(name)
    // Dots alone would lead to another path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new LinnetError(`${JSON.stringify(value)} is no ${name} for ${pattern}.`)
    }
    return encodeURIComponent(value)
  })
}

function add(to: object, [first = '', ...rest]: readonly string[], method: Method): void {
  const at = to as Record<string, object>
  if (rest.length === 0) at[first] = method
  else {
    at[first] ??= {}
    add(at[first], rest, method)
  }
}
