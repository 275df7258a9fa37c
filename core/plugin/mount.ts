import type { File } from './answers/answer-file.ts'
import type { Page } from './answers/page.ts'
import type { Called, Method } from './called.ts'
import type { Context } from './context.ts'
import type { Fields, Json } from './fields.ts'
import type { Ask, Later, Redirect, Refusal } from './outcomes.ts'
import type { Tables } from './plugin-tables.ts'
import type { Caller } from './token-keeper.ts'

/**
 * A path of the plugin outside of `/api`, for public pages and for clients of other programs. Session cookies have no
 * effect there, so pages of other sites cannot act for a signed-in user.
 *
 * @example
 * mounts: { hello: { handle: ({ path }) => file('text/plain', `Hello ${path}`, 60) } }
 */
export interface Mount<S extends Fields = Fields, T = unknown, D = Tables> {
  /** Default: `GET` and `POST`. `HEAD` is answered like `GET`, and `OPTIONS` by Linnet. */
  readonly methods?: readonly MountMethod[]
  /** The request headers that it reads, in lower case, such as `x-api-key`. Cookies and addresses cannot be read. */
  readonly headers?: readonly string[]
  /** What a body may be; any other gets 415. Default: `form` and `json`. */
  readonly bodies?: readonly BodyKind[]
  /** The most bytes of a body, up to 32 MiB; more gets 413. Default: 16 KiB. */
  readonly maxBytes?: number
  /** `all`: it answers on custom hosts too. Default: only on the host of the base URL. */
  readonly hosts?: 'all'
  /** Origins whose pages may read the answers, such as `https://app.example.org`; `*` for all. Default: none. */
  readonly origins?: '*' | readonly string[]
  /** Returns the API token of a request, for `call` and `caller`. Default: the one in the header `Authorization`. */
  token?(asked: MountAsked, context: Context<S, T, D>): Later<string | undefined>
  /**
   * Answers a request. Undefined is 404. The answers to an `ask` are posted to the same address and query, and are in `input`
   * then, with `continue: 'yes'`. Time limit: 10 s.
   */
  handle(
    request: MountRequest,
    context: Context<S, T, D>,
  ): Later<Ask | File | Page | Redirect | Refusal | undefined>
  /**
   * Writes an error in the way of another program: what `handle` refused, and what Linnet refuses, such as 404, 405, 413,
   * 415, 429 and 500. Default: a problem document. The body is empty where it was not read. It cannot be async, because it
   * also runs for clients that ask too often.
   */
  problem?(refusal: Refusal, asked: MountAsked, context: Context<S, T, D>): File
}

export type MountMethod = Method | 'PUT'

/**
 * What a body may be: fields of an HTML form, JSON, a form with files (`multipart/form-data`), or any bytes. Bytes are parsed
 * only if they are also one of the other kinds that the mount takes.
 */
export type BodyKind = 'form' | 'json' | 'multipart' | 'bytes'

/** What a request to a mount says. */
export interface MountAsked {
  readonly method: MountMethod
  /** The path after the mount, such as `a/b` of `/hello/a/b`; may be empty. */
  readonly path: string
  readonly query: URLSearchParams
  /** The declared `headers` that were sent, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The texts of the query, and of the fields of a form or of a JSON object, whose numbers and truths are texts here. */
  readonly input: Readonly<Record<string, string>>
  /** A body that is JSON. */
  readonly json: Json | undefined
  /** The files of a `multipart/form-data` body. */
  readonly uploads: readonly Upload[]
  /** The body as it was sent, such as for a signature over it. */
  readonly bytes: Uint8Array
  /** The custom host; empty for the host of the base URL. */
  readonly host: string
  /** Row id of the account that has the custom host; undefined on hosts of the instance. */
  readonly accountId: number | undefined
  /** A key of the client for `guess` and `throttle`: its IPv4 address, or its IPv6 /64 network. */
  readonly visitor: string
  /** The language that the visitor prefers, such as `de-AT`; empty if the request says none. */
  readonly language: string
}

/** A file that was sent. */
export interface Upload {
  /** The name of its field. */
  readonly field: string
  /** The name of the file, without folders. */
  readonly name: string
  /** Its media type, as the client says. */
  readonly type: string
  readonly content: Uint8Array
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
export interface MountRequest extends MountAsked {
  /**
   * Calls the API with the token and the IP address of this request. Its scopes, plan and limits apply, and wrong tokens
   * are logged. `path` is below `/api/v1` and may have a query. To a GET, an answer for which there is not enough memory is a refusal with
   * the status 413: ask for fewer things at once. Throws once the request was answered.
   */
  call(method: Method, path: string, body?: Json): Promise<Called>
  /** Checks the token of this request: the caller if the token has a scope, such as `links:read`, else a refusal. */
  caller(scope: string): Promise<Caller | Refusal>
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
  /** Its page where people sign in, below `path`. What happens while they sign in elsewhere leads there. */
  readonly signIn?: string
}
