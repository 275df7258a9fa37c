import type { Context } from './context.ts'
import type { File, Method } from './endpoint.ts'
import type { Json } from './fields.ts'
import type { Later, Refusal } from './outcomes.ts'

/**
 * A path of its own outside of `/api`, for pages that anybody may see and for clients of another program. It never
 * acts by a session's cookie, so no page of a stranger can make a visitor do anything there.
 *
 * @example
 * mounts: { hello: { handle: ({ path }) => file('text/plain', `Hello ${path}`, 60) } }
 */
export interface Mount {
  /** Where a request has the API token that `call` sends; undefined: in its `Authorization` header. */
  token?(input: Readonly<Record<string, string>>): string | undefined
  /** Origins, as `https://app.example.org`, whose pages may read the answers; `*`: all. None unless given. */
  readonly origins?: '*' | readonly string[]
  /** Answers `GET` and `POST`. Budget 10 s. Undefined answers 404. */
  handle(request: MountRequest, context: Context): Later<File | Refusal | undefined>
}

/**
 * What came to a mount.
 *
 * @example
 * async handle({ input, call }) {
 *   const { status } = await call('POST', '/links', { originalUrl: input.url ?? '' })
 *   return file('text/plain', status === 201 ? 'made' : 'not made', 0, status)
 * }
 */
export interface MountRequest {
  /** What follows the mount in the path, as `a/b` of `/hello/a/b`; empty when nothing does. */
  readonly path: string
  /** The query, and the fields of a form or of a JSON object of texts, 16 KiB at most. */
  readonly input: Readonly<Record<string, string>>
  /**
   * Call the API as a request with this one's token and from its address would: with its scopes, its plan, its
   * limits, and its wrong tokens told in the log. `path` is below `/api/v1`, and may have a query.
   */
  call(method: Method, path: string, body?: Json): Promise<Called>
}

/**
 * What the API answered: a refusal is a problem document, as `{ code, detail, errors }`.
 *
 * @example
 * const { data } = z.object({ data: z.object({ shortUrl: z.string() }) }).parse(called.body)
 */
export interface Called {
  readonly status: number
  /** Undefined when there is none, or it is no JSON. */
  readonly body: Json | undefined
}

/**
 * Files that a plugin serves to browsers as they are, below a path of its own.
 *
 * @example
 * site: { path: 'moods', label: 'Moods', folder: new URL('./moods/', import.meta.url) }
 */
export interface Site {
  /** The first segment of their path, in small letters: `dashboard` is `/dashboard/…`. */
  readonly path: string
  /** What the dashboard's menu calls it; absent: it is not there. */
  readonly label?: string
  /**
   * The folder they are in, from `import.meta.url`. Its `index.html` answers every path below that names
   * no file; what is in `assets/` never changes under its name and is kept by browsers for good. A file
   * that lies there as `.br` or `.gz` too is sent so to who takes it.
   */
  readonly folder: URL
  /** Whoever opens the bare address of the instance is sent here; the first that says so has it. */
  readonly home?: true
}
