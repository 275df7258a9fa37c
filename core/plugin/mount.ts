import type { Context } from './context.ts'
import type { File, Method } from './endpoint.ts'
import type { Json } from './fields.ts'
import type { Later, Refusal } from './outcomes.ts'

/**
 * A path of the plugin outside of `/api`, for public pages and for clients of other programs. Session cookies have no
 * effect there, so pages of other sites cannot act for a signed-in user.
 *
 * @example
 * mounts: { hello: { handle: ({ path }) => file('text/plain', `Hello ${path}`, 60) } }
 */
export interface Mount {
  /** Returns the API token of a request, for `call` to send. Default: the token in the header `Authorization`. */
  token?(input: Readonly<Record<string, string>>): string | undefined
  /** Origins whose pages may read the answers, such as `https://app.example.org`; `*` for all. Default: none. */
  readonly origins?: '*' | readonly string[]
  /** Answers `GET` and `POST`. Undefined is 404. Time limit: 10 s. */
  handle(request: MountRequest, context: Context): Later<File | Refusal | undefined>
}

/**
 * A request to a mount.
 *
 * @example
 * async handle({ input, call }) {
 *   const { status } = await call('POST', '/links', { originalUrl: input.url ?? '' })
 *   return file('text/plain', status === 201 ? 'made' : 'not made', 0, status)
 * }
 */
export interface MountRequest {
  /** The path after the mount, such as `a/b` of `/hello/a/b`; may be empty. */
  readonly path: string
  /** The query, and the fields of a form or of a JSON object of texts, of at most 16 KiB. */
  readonly input: Readonly<Record<string, string>>
  /** The language that the visitor prefers, such as `de-AT`; empty if the request says none. */
  readonly language: string
  /**
   * Calls the API with the token and the IP address of this request. Its scopes, plan and limits apply, and wrong tokens
   * are logged. `path` is below `/api/v1` and may have a query.
   */
  call(method: Method, path: string, body?: Json): Promise<Called>
}

/**
 * The answer of the API. The body of an error is a problem document, such as `{ code, detail, errors }`.
 *
 * @example
 * const { data } = z.object({ data: z.object({ shortUrl: z.string() }) }).parse(called.body)
 */
export interface Called {
  readonly status: number
  /** Undefined if there is none, or if it is not JSON. */
  readonly body: Json | undefined
}

/**
 * Static files that a plugin serves, below a path of its own.
 *
 * @example
 * site: { path: 'moods', label: 'Moods', folder: new URL('./moods/', import.meta.url) }
 */
export interface Site {
  /** The first segment of their path, in lower case: `dashboard` is `/dashboard/…`. */
  readonly path: string
  /** Its name in the menu of the dashboard. Default: it is not in the menu. */
  readonly label?: string
  /**
   * Their folder, relative to `import.meta.url`. `index.html` is the answer to each path that is not a file. Browsers
   * cache `assets/` forever, so a file there must get a new name when it changes. If a compressed copy with `.br` or
   * `.gz` lies next to a file, clients that accept it get the copy.
   */
  readonly folder: URL
  /** True: the root of the instance redirects here. If several plugins set it, the first one wins. */
  readonly home?: true
}
