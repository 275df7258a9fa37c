import type { z } from 'zod'
import type { Context } from './context.ts'
import type { Json } from './fields.ts'
import type { Later, Refusal } from './outcomes.ts'
import type { Caller } from './token-keeper.ts'
import type { LinkAddress } from './visit.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * A route under `/api/v1`; it goes into OpenAPI from the same schemas that check it.
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
  readonly summary: string
  /** The scope a token needs: one of the plugin's own `scopes`, or of those there are, as `links:write`. */
  readonly scope: string
  readonly body?: B
  readonly query?: Q
  /** Absent: a success has no JSON body, but maybe a file. */
  readonly answer?: A
  /** Status of a success, 200 unless said. 204 sends no body. */
  readonly status?: number
  /** Media types of a success that is a file, as `image/png`; it is made with `file`. */
  readonly media?: readonly string[]
  /**
   * Addresses in a body that visitors would be led to, by field. They are validated as those of a new link
   * are, before the handler runs.
   */
  addresses?(body: z.output<B>): readonly LinkAddress[]
  /**
   * How many of it an account may have: one of the plugin's `limits`. The handler then runs in the transaction
   * that counted, so that the limit is exact; it must not wait.
   */
  readonly limit?: string
  /**
   * How often an account may call it, which the kernel counts, and refuses (429). `currentPassword`: as often
   * as it may be wrong about its password, where the handler hands one on to `tokens.create`. Either way every
   * answer tells how many times are left.
   */
  readonly rateLimit?: { readonly max: number; readonly seconds: number } | 'currentPassword'
  /**
   * Of `GET /things/:id`: what of its answer only changes when somebody changes the thing. It becomes the
   * `ETag` of whatever answers with the thing: this, `PATCH /things/:id`, `POST /things`. `PATCH` and
   * `DELETE /things/:id` then honour `If-Match`; they run in a transaction, and must not wait.
   */
  version?(answer: z.output<A>): Json
  /** Budget 10 s. Undefined answers 404. */
  handle(
    call: {
      readonly caller: Caller
      readonly params: Readonly<Record<string, string>>
      readonly body: z.output<B>
      readonly query: z.output<Q>
    },
    context: Context,
  ): Later<z.input<A> | File | Refusal | undefined>
}

/** An answer that is no JSON. */
export interface File {
  readonly kind: 'file'
  /** Media type. */
  readonly type: string
  readonly content: string | Uint8Array
  /** How long a client may keep it, in seconds. */
  readonly maxAgeSeconds: number
  /** HTTP status, that of a success unless given. */
  readonly status?: number
}

/**
 * Answer with a file.
 *
 * @example
 * file('image/svg+xml', '<svg/>', 86_400)
 */
export function file(
  type: string,
  content: File['content'],
  maxAgeSeconds: number,
  status?: number,
): File {
  return { kind: 'file', type, content, maxAgeSeconds, ...(status !== undefined && { status }) }
}

/**
 * Check an endpoint's types where it is written.
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
