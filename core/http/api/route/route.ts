import { z } from 'zod'
import type { SignedIn } from '../../../accounts/account.ts'
import { currentPassword } from '../../../accounts/account-fields.ts'
import type { Casing } from '../../../lib/text/casing.ts'
import type { Verdict } from '../../../limits/throttle.ts'
import { type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Later, MountMethod, SentFile } from '../../../plugin.ts'
import type { Tx } from '../../../storage/database.ts'

/**
 * One endpoint under `/api/v1`, as data: the same schemas check its requests, describe it in OpenAPI
 * and, in tests, check its answers. Schemas name fields in camelCase; requests may use either case. One that
 * depends on plugins is a `z.lazy`, made at the first request: making all of them would take longer at each start
 * than a redirect should wait.
 */
export interface Route<Body extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> {
  readonly method: MountMethod
  /** Such as `/links/:id`. */
  readonly path: string
  /** Name of the operation, such as `links.show`. */
  readonly name: string
  /** Group of the resource, such as `Links`. */
  readonly group: string
  /** What the group is about, if it is a plugin's. */
  readonly groupAbout?: string
  readonly summary: string
  /** The scope that a credential needs, or `anyone` if none is needed. `admin` also requires an admin. */
  readonly scope: string
  /** A `z.strictObject`, all the way down: unknown fields are refused. */
  readonly body?: Body
  /** What OpenAPI describes instead, if the handler checks parts of the body itself. */
  readonly describedBody?: z.ZodType
  /** A `z.strictObject` of texts, or of lists of texts for `?id=a&id=b`. Absent if there is no query. */
  readonly query?: Query
  /** What OpenAPI describes instead. */
  readonly describedQuery?: z.ZodType
  /** How OpenAPI and errors write the request's names; `snake` unless the contract says otherwise. */
  readonly casing?: Casing
  /** Schema of the whole body of a success; absent if it has no JSON body. */
  readonly answer?: z.ZodType
  /** Media types of a success that is a file, such as `text/csv`. */
  readonly media?: readonly string[]
  /** Status of a success. */
  readonly status: 200 | 201 | 202 | 204 | 303
  /** Another status of a success, with the same answer. */
  readonly also?: 200
  /**
   * What is left of the caller's tightest limit, for the headers of every answer. Undefined if nothing limits
   * the caller.
   */
  rateLimit?(asked: Asked<z.output<Body>>): Later<Verdict | undefined>
  /** Statuses of refusals that do not follow from its shape, such as 404 for a look-up. */
  readonly problems?: readonly number[]
  /**
   * Whether a session must also send its current password, as `currentPassword` in the body, because a browser that was
   * left open must not give more than the session has, or delete an account. `always`, or what decides it by the body.
   */
  asksPassword?(body: z.output<Body>): boolean
  /** A session must have been proven within so many seconds, and tokens are refused. */
  readonly fresh?: number
  /** Its answers have an `ETag`. If it changes or deletes the thing, it honours `If-Match`. */
  readonly isVersioned?: true
  /** How long its handler may take, in milliseconds, if longer than others. */
  readonly answerMs?: number
  /** Everything that it makes is recorded in its `attempt`, so a request that was cut off may be done again. */
  readonly resumes?: true
  /** The route that reads what this one changes, if its address has one. */
  readonly reader?: Route | undefined
  /** It may be tried with `dry_run`: `isDry` of the call, and everything that it would do is undone. */
  readonly tries?: true
  /** What it does, in a sentence or two for language models, if it is one of their tools. */
  readonly tool?: string
  /** It takes a file instead of a body: where to, or why not. Runs before anything of it is read. */
  receives?(call: Pick<Call, 'caller' | 'params' | 'query'>): Promise<Receiving | Refusal>
  /** Why this caller may not call it, although the scope is right; asked before its body and query are judged. */
  bars?(caller: SignedIn): Refusal | undefined
  /** Called with what its schemas throw, if they are a plugin's. */
  blame?(error: unknown): void
  handle(call: Call<z.output<Body>, z.output<Query>>): Later<Reply | Refusal>
}

/** Where a file goes, and how large it may be. */
export interface Receiving {
  readonly folder: string
  readonly maxBytes: number
}

/** The client that asks. The body is undefined if it is not valid. */
export interface Asked<Body = unknown> extends Pick<Call, 'ip' | 'caller'> {
  readonly body: Body | undefined
}

/** One request to an endpoint, checked. */
export interface Call<Body = unknown, Query = unknown> {
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
  readonly query: Query
  /** What a route that `receives` was sent. */
  readonly file?: SentFile
  /** Client address, as text. */
  readonly ip: string
  /** The value of the session cookie; undefined when there is none. */
  readonly session: string | undefined
  /** The query, as sent, with its question mark; empty when there is none. */
  readonly search: string
  /** The value of another cookie. */
  cookie(name: string): string | undefined
  /** `Accept-Language`, as sent; empty when it is not. */
  readonly acceptLanguage: string
  /** `Accept-Encoding`, as sent; empty when it is not. */
  readonly acceptEncoding: string
  /** `If-Match`, as sent. */
  readonly ifMatch: string | undefined
  /** Whether it is only tried: undo everything. Answers then lack what names a thing or a version that there is not. */
  readonly isDry: boolean
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
 * A route, with its types checked where it is written. Its status is 200 unless it gives another.
 *
 * @example
 * route('GET /things/:id', { name: 'things.show', …, handle: ({ params }) => … })
 */
export function route<Body extends z.ZodType, Query extends z.ZodType>(
  address: `${MountMethod} ${string}`,
  it: Omit<Route<Body, Query>, 'method' | 'path' | 'status'> & Partial<Pick<Route, 'status'>>,
): Route {
  const [method, path = ''] = address.split(' ')
  const whole = { status: 200, ...it, method: method as MountMethod, path } as const
  return it.asksPassword ? { ...whole, body: withPassword(it.body) } : whole
}

/** For routes that ask every session for its password. */
export const always = (): boolean => true

function withPassword(body: z.ZodType = nothing): z.ZodType {
  if (!(body instanceof z.ZodObject)) throw new TypeError('Only an object can take the password.')
  return body.extend({ currentPassword: currentPassword.optional() })
}

const nothing = z.strictObject({})

/** What routes for admins have in common. */
export const forAdmins = { group: 'Admin', scope: 'admin' } as const

/** The refusal for callers of admin routes with the scope `*` who are not admins. */
export const notAdmin = refuse('insufficient_scope', 'Only an admin may do this.', 403, undefined, {
  requiredScope: 'admin',
})

/** What routes have in common that only an admin who may do everything calls. */
export const forWholeAdmins = {
  group: 'Admin',
  scope: '*',
  bars: ({ isAdmin }: SignedIn) => (isAdmin ? undefined : notAdmin),
} as const

/**
 * One attempt at a request with an `Idempotency-Key`. It keeps a handler from creating anything twice, even if
 * the process dies right after the commit. For a request without a key it does nothing.
 */
export interface Attempt {
  /** The id of what an earlier attempt created for this part; a request that creates one thing has part 0. */
  made(part?: number): Promise<string | undefined>
  /** Record an id in the transaction that creates the thing; refused if another attempt was faster. */
  record(tx: Tx, made: string, part?: number): Promise<Refusal | undefined>
  /** Keep the whole answer in the transaction that creates the thing; refused in the same case. */
  keep(tx: Tx, reply: Reply): Promise<Refusal | undefined>
}

/** For requests without a key. */
export const attemptWithoutKey: Attempt = {
  made: async () => undefined,
  record: async () => undefined,
  keep: async () => undefined,
}

/** A successful answer; `status` if it differs from the route's. */
export interface Reply {
  /**
   * Sent as JSON. If `headers` has a `Content-Type`, it is sent as it is: a text, bytes, or a stream whose
   * length is in `headers`.
   */
  readonly body?: unknown
  /** The body as JSON, if it is known already; in bytes, which may be compressed, if several answers share them. */
  readonly json?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}
