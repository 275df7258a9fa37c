import type { z } from 'zod'
import type { File } from './answers/answer-file.ts'
import type { Download } from './answers/download.ts'
import type { Context } from './context.ts'
import type { Json } from './fields.ts'
import type { Later, Refusal } from './outcomes.ts'
import type { Caller } from './token-keeper.ts'
import type { LinkAddress } from './visit.ts'

/**
 * A route below `/api/v1`. OpenAPI describes it from the schemas that check its requests and answers.
 *
 * @example
 * endpoints: {
 *   'GET /moods/:id': endpoint({
 *     summary: 'Read a mood',
 *     scope: 'moods:read',
 *     answer: z.strictObject({ data: z.string() }),
 *     handle: async ({ params }, { db }) => findMood(db, params.id),
 *   }),
 * }
 */
export interface Endpoint<
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  /** What it does, in a few words, for OpenAPI. */
  readonly summary: string
  /** Its group in the description of the API. Default: the first word of the path. */
  readonly group?: string
  /** The scope that a token needs: one of the plugin's `scopes`, or an existing one, such as `links:write`. */
  readonly scope: string
  /** Schema of the JSON body. Unknown fields must be refused: use `z.strictObject`. */
  readonly body?: B
  /** Schema of the query. Unknown parameters must be refused: use `z.strictObject`. */
  readonly query?: Q
  /** Schema of the JSON body of a success. Leave it out if there is none, or if the answer is a file. */
  readonly answer?: A
  /** HTTP status of a success: 200 (the default), 201 for what was made, 202 for what goes on afterwards, or 204 without a body. */
  readonly status?: number
  /** Media types of a success that is a file, such as `image/png`. Make the file with `file`. */
  readonly media?: readonly string[]
  /**
   * URLs in a body that visitors would be sent to, by field. They are validated like the URLs of a new link before the
   * handler runs.
   */
  addresses?(body: z.output<B>): readonly LinkAddress[]
  /**
   * The limit that applies, one of the plugin's `limits`. The handler then runs in the transaction that counted the
   * usage, so that the limit is exact. It may await nothing but the database.
   */
  readonly limit?: string
  /** True: the handler runs in a transaction, and may await nothing but the database. */
  readonly inTransaction?: true
  /**
   * How often an account may call it. Further calls get 429. `currentPassword`: as often as the account may enter a wrong
   * password; use it if the handler passes one to `tokens.create`. Headers of each answer say how many calls are left.
   */
  readonly rateLimit?: { readonly max: number; readonly seconds: number } | 'currentPassword'
  /**
   * For `GET /things/:id`: the part of the answer that changes only if somebody changes the thing. Its hash is the `ETag`
   * of each answer with the thing: that of this endpoint, of `PATCH /things/:id` and of `POST /things`. `PATCH` and
   * `DELETE /things/:id` then honour `If-Match`. They run in a transaction and may await nothing but the database.
   */
  version?(answer: z.output<A>): Json
  /** What may change with any version of Linnet. */
  readonly unstable?: UnstableEndpoint
  /** Answers a request. Undefined is 404, and with `status: 204` a success. Time limit: 10 s. */
  handle(
    call: EndpointCall<z.output<B>, z.output<Q>>,
    context: Context,
  ): Later<z.input<A> | File | Download | Refusal | undefined>
}

/**
 * Parts of an endpoint that one or two plugins have tried so far. They may change with any version of Linnet.
 *
 * @example
 * unstable: { fresh: 600 },
 */
export interface UnstableEndpoint {
  /**
   * The session must have been proven within so many seconds: by the password or a provider, and the second steps of the
   * account. Otherwise, 403 `fresh_sign_in_required`. Tokens are refused too.
   */
  readonly fresh?: number
  /** True: the handler takes megabytes, as for an image. Few of these run at the same time; beyond them, 503. */
  readonly isHeavy?: true
  /** True: it may be tried with `dry_run` in no transaction. Its handler then gets `isDry`, and must change nothing at all. */
  readonly tries?: true
  /**
   * What it does and when to use it, in a sentence or two for language models. It makes the endpoint one of the tools of
   * `context.unstable.tools`, which the plugin of MCP offers.
   */
  readonly tool?: string
  /** It takes a file as its body, of any media type, and no `body`. The name of the endpoint may begin with `PUT`. */
  readonly file?: TakesFile
}

/**
 * What lets an endpoint take a file, which is written to the disk as it comes: at most one at a time for each account, and
 * for an hour at most. One that does not come whole is deleted.
 *
 * @example
 * file: { accept: async ({ params }, { db }) => (await isWaiting(db, params.id)) ? 1e9 : notFound }
 */
export interface TakesFile {
  /** The most bytes that are taken, or why none are; undefined is 404. Runs before anything is read. Time limit: 10 s. */
  accept(call: EndpointCall, context: Context): Later<number | Refusal | undefined>
}

/** A file that was sent, in the folder of the plugin's files. */
export interface SentFile {
  /** It is deleted there after the answer: rename it to `context.unstable.files.pathOf(name)` to keep it. */
  readonly path: string
  readonly bytes: number
}

/** A request to an endpoint, with its body and query as the schemas read them. */
export interface EndpointCall<B = unknown, Q = unknown> {
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly body: B
  readonly query: Q
  /** Set while the request is only tried, which needs `unstable: { tries: true }` or a transaction. */
  readonly isDry?: true
  /** The body of an endpoint with `unstable.file`. */
  readonly file?: SentFile
}

/**
 * Make an endpoint, with the types of its handler taken from its schemas.
 *
 * @example
 * endpoint({
 *   summary: 'Say when links can be open',
 *   scope: 'links:read',
 *   answer: z.strictObject({ data: z.string() }),
 *   handle: () => ({ data: 'always' }),
 * })
 */
export function endpoint<B extends z.ZodType, Q extends z.ZodType, A extends z.ZodType>(
  it: Endpoint<B, Q, A>,
): Endpoint {
  return it
}
