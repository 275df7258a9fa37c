import type { z } from 'zod'
import type { SignedIn } from '../../../accounts/account.ts'
import type { Casing } from '../../../lib/text/casing.ts'
import type { Verdict } from '../../../limits/throttle.ts'
import { type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Later, Method } from '../../../plugin.ts'
import type { Attempt } from './attempt.ts'
import type { Reply } from './reply.ts'

export type { Reply } from './reply.ts'

/**
 * One endpoint under `/api/v1`, as data: the same schemas check its requests, describe it in OpenAPI
 * and, in tests, check its answers. Schemas name fields in camelCase; requests may use either case.
 */
export interface Route<Body extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> {
  readonly method: Method
  /** As `/links/:id`. */
  readonly path: string
  /** Operation name, as `links.show`. */
  readonly name: string
  /** Resource group, as `Links`. */
  readonly group: string
  /** What the group is, where only a plugin knows. */
  readonly groupAbout?: string
  readonly summary: string
  /** The scope a credential needs; `anyone`: no credential at all. `admin` also asks for an admin. */
  readonly scope: string
  /** A `z.strictObject`, all the way down: unknown fields are refused. */
  readonly body?: Body
  /** What OpenAPI says in its place, when the handler looks at parts of the body itself. */
  readonly describedBody?: z.ZodType
  /** A `z.strictObject` of texts, or of lists of texts for `?id=a&id=b`. Absent: there is none. */
  readonly query?: Query
  /** What OpenAPI says in its place. */
  readonly describedQuery?: z.ZodType
  /** How OpenAPI and errors write the request's names; `snake` unless the contract says otherwise. */
  readonly casing?: Casing
  /** Schema of the whole body of a success; absent: the success has no JSON body. */
  readonly answer?: z.ZodType
  /** Media types of a success that is a file, as `text/csv`. */
  readonly media?: readonly string[]
  /** Status of a success. */
  readonly status: 200 | 201 | 204
  /** What is left to who asks, of the limit that refuses first: every answer tells it. Undefined: nothing limits them. */
  rateLimit?(asked: Asked<z.output<Body>>): Later<Verdict | undefined>
  /** Statuses of refusals that its shape does not tell already, as 404 of a look-up. */
  readonly problems?: readonly number[]
  /** Its answers have an `ETag`; when it changes or deletes the thing it honours `If-Match`. */
  readonly isVersioned?: true
  /** How long its handler may take, in milliseconds, where that is longer than for others. */
  readonly answerMs?: number
  /** All that it makes goes through `once`: a request that was cut off may be done again. */
  readonly resumes?: true
  handle(call: Call<z.output<Body>, z.output<Query>>): Later<Reply | Refusal>
}

/** Who asks; the body is undefined when it is wrong. */
export interface Asked<Body = unknown> extends Pick<Call, 'ip' | 'caller'> {
  readonly body: Body | undefined
}

/** One request to an endpoint, checked. */
export interface Call<Body = unknown, Query = unknown> {
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
  readonly query: Query
  /** Client address, as text. */
  readonly ip: string
  /** The value of the session cookie; undefined when there is none. */
  readonly session: string | undefined
  /** `Accept-Language`, as sent; empty when it is not. */
  readonly acceptLanguage: string
  /** `If-Match`, as sent. */
  readonly ifMatch: string | undefined
  /** The body as the client wrote it; fields of an error are named by it. */
  readonly sent: unknown
  /** Identifies this request in the log. */
  readonly requestId: string
  /** Keeps a request with an `Idempotency-Key` from making anything twice. */
  readonly attempt: Attempt
  /** Who calls; present on every route but those for `anyone`. */
  readonly caller: SignedIn
}

/**
 * A route, its types checked where it is written; its status is 200 unless it says another.
 *
 * @example
 * route('GET /things/:id', { name: 'things.show', …, handle: ({ params }) => … })
 */
export function route<Body extends z.ZodType, Query extends z.ZodType>(
  address: `${Method} ${string}`,
  it: Omit<Route<Body, Query>, 'method' | 'path' | 'status'> & Partial<Pick<Route, 'status'>>,
): Route {
  const [method, path = ''] = address.split(' ')
  return { status: 200, ...it, method: method as Method, path }
}

/** What routes for admins have in common. */
export const forAdmins = { group: 'Admin', scope: 'admin' } as const

/** What those for admins who may do everything, whose scope is `*`, answer others. */
export const notAdmin = refuse('insufficient_scope', 'Only an admin may do this.', 403, undefined, {
  requiredScope: 'admin',
})
