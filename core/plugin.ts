import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Fields, Given, Opened, Settings } from './fields.ts'
import type { Outcome, Refusal } from './outcomes.ts'

/**
 * The whole public surface for plugin authors. A plugin is one typed object in one file; it returns
 * answers and never touches a request or a response. `docs/plugins.md` walks through one.
 */
export type { Field, Fields, Given, Json, Opened, Sealed, Settings } from './fields.ts'
export { choice, date, field, list, number, sealed, secret, text, toggle } from './fields.ts'
export type { Ask, Input, Outcome, Refusal } from './outcomes.ts'
export { ask, isRefusal, refuse } from './outcomes.ts'
export { listOf, listSchema, pageQuery, sliceOf } from './paging.ts'
export { z }

/** The version of this API; it grows only when an existing plugin would have to change. */
export const API = 1

/** A value now or later: every hook may be plain or async. */
export type Later<T> = T | Promise<T>

export interface Plugin<F extends Fields = Fields, S extends Fields = Fields, T = unknown> {
  /** The API version it was written for; `definePlugin` fills it in. */
  readonly api?: number
  /** Its switch, id, log name and table prefix, as `link.passwordProtection`. */
  readonly feature: `${string}.${string}`
  /** One sentence for README, dashboard and `--help`, with a full stop. */
  readonly about: string
  /** Features that must be on too. */
  readonly needs?: readonly string[]
  /** The contract's global switch that turns it off for everybody at run time. */
  readonly flag?: string
  readonly settings?: S
  readonly fields?: F
  /** Forward only, by sortable name; may only make objects named with its prefix. */
  readonly migrations?: Readonly<Record<string, Migration>>
  readonly panels?: readonly Panel[]

  /** What it returns is `context.state` in every later hook. */
  setup?(context: Context<S, undefined>): Later<T>
  /** Runs in reverse order at the stop, also after a half-done set-up. */
  dispose?(context: Context<S, T>): Later<void>

  /** May change the short code or the address before `validate`; budget 5 s. */
  prepare?(draft: Draft<F>, context: Context<S, T>): Later<Patch | Refusal | undefined>
  /** The first refusal wins and nothing is saved; budget 5 s. */
  validate?(draft: Draft<F>, context: Context<S, T>): Later<Refusal | undefined>

  /** Asked once a link: what must run on each visit, or nothing. When it fails the link stays shut. */
  guard?(fields: Opened<F>, context: Context<S, T>, link: LinkView): Later<Guard | undefined>
  /** Asked once a link: what may change the address of a visit; skipped when it fails. */
  target?(fields: Opened<F>, context: Context<S, T>, link: LinkView): Later<Target | undefined>

  /** Pure functions of the visit; they run in the recorder's thread, after the response. */
  readonly dimensions?: Readonly<Record<string, Dimension>>

  readonly on?: Listeners<S, T>
  readonly endpoints?: Readonly<Record<`${Method} ${string}`, Endpoint>>
  readonly jobs?: Readonly<Record<string, Job<S, T>>>
}

/** Runs on each visit of a guarded link; nothing lets the visitor through. Budget 2 s. */
export type Guard = (visit: Visit) => Later<Outcome | undefined>

/** Runs on each visit of a routed link; gives the address to go on with. Budget 250 ms. */
export type Target = (visit: Visit, url: string) => Later<string>

/** One visit, read-only. `agent` is worked out once, when first read. */
export interface Visit {
  readonly link: LinkView
  readonly at: Date
  /** The client's address as text, mapped IPv4 unwrapped; empty when unknown. */
  readonly ip: string
  /** One key per visitor for `throttle`: the IPv4 address, or the /64 network of an IPv6 one. */
  readonly visitor: string
  /** At most 512 bytes of each header. */
  readonly userAgent: string
  readonly referer: string
  readonly language: string
  readonly query: URLSearchParams
  /** What the visitor filled in on an asking page. */
  readonly answers: Readonly<Record<string, string>>
  readonly agent: Agent
}

/** What a user agent says of itself; undefined where it says nothing. */
export interface Agent {
  readonly browser: string | undefined
  readonly os: string | undefined
  readonly device: 'desktop' | 'mobile' | 'tablet' | 'other' | undefined
  readonly bot: boolean
}

/** What a plugin may know of a link. */
export interface LinkView {
  readonly id: string
  readonly domain: string
  readonly shortCode: string
  readonly originalUrl: string
}

/** A link about to be saved. */
export interface Draft<F extends Fields = Fields> {
  readonly kind: 'create' | 'edit'
  /** The link as it is, when editing. */
  readonly link: LinkView | undefined
  readonly domain: string
  readonly originalUrl: string
  /** Undefined: one will be made up. */
  readonly shortCode: string | undefined
  /** What the request gave of this plugin's own fields. */
  readonly fields: Given<F>
}

/** What `prepare` may change of a draft. */
export interface Patch {
  readonly originalUrl?: string
  readonly shortCode?: string
}

export interface Dimension {
  readonly label: string
  readonly chart?: 'bar' | 'map' | 'line' | 'table' | 'number'
  /** It says nothing about the visitor, so it also counts who sends `Sec-GPC` or `DNT`. */
  readonly total?: true
  /** It counts robots, and only those. */
  readonly bots?: true
  /** The value that this visit counts for; undefined: none. Cut at 128 characters. */
  of(visit: Visit): string | undefined
}

/** A dashboard extra, as data. */
export interface Panel {
  readonly title: string
  readonly kind: 'stat' | 'chart' | 'table' | 'image'
  /** An endpoint of the plugin that gives its data. */
  readonly source: string
}

/** A schema change, on the plugin's own tables only. */
export type Migration = (db: Kysely<Tables>) => Promise<void>

/** A plugin's own tables; the plugin knows their columns. */
// biome-ignore lint/suspicious/noExplicitAny: only the plugin knows its tables
export type Tables = any

/** All that a hook can reach. Nothing else is in reach, on purpose. */
export interface Context<S extends Fields = Fields, T = unknown> {
  readonly settings: Settings<S>
  readonly state: T
  /** The plugin's own tables; naming another table throws. */
  readonly db: Kysely<Tables>
  readonly log: Log
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
  readonly links: LinkReader
  readonly tokens: TokenKeeper
  now(): Date
  /** True while `key` has been used at most `max` times in the last `seconds`. */
  throttle(key: string, max: number, seconds: number): Promise<boolean>
}

export interface Log {
  info(message: string, details?: object): void
  warn(message: string, details?: object): void
  error(message: string, details?: object): void
}

/** Links, for reading. */
export interface LinkReader {
  find(id: string): Promise<LinkView | undefined>
  /** Forget what was compiled for a link, so that its next visit asks the plugins again. */
  recompile(id: string): void
}

/** API tokens of one account; the whole token is known only at the moment it is made. */
export interface TokenKeeper {
  create(maker: Caller, draft: TokenDraft): Promise<(Token & { readonly token: string }) | Refusal>
  list(
    maker: Caller,
    page: Slice,
  ): Promise<{ readonly rows: readonly Token[]; readonly total: number }>
  find(maker: Caller, id: string): Promise<Token | undefined>
  update(
    maker: Caller,
    id: string,
    change: Partial<TokenDraft>,
  ): Promise<Token | Refusal | undefined>
  revoke(maker: Caller, id: string): Promise<boolean>
}

export interface TokenDraft {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

export interface Token {
  readonly id: string
  readonly name: string
  readonly tokenPrefix: string
  readonly scopes: readonly string[]
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** A part of a list: `offset` rows are passed over, at most `limit` follow. */
export interface Slice {
  readonly offset: number
  readonly limit: number
}

/** Who calls an endpoint. */
export interface Caller {
  readonly accountId: number
  readonly isAdmin: boolean
  /** What the credential allows; a session allows `*`. */
  readonly scopes: readonly string[]
}

/** After the commit, in parallel; a failure is logged and counted. Budget 30 s. */
export interface Listeners<S extends Fields, T> {
  created?(link: LinkView, context: Context<S, T>): Later<void>
  updated?(link: LinkView, context: Context<S, T>): Later<void>
  deleted?(link: LinkView, context: Context<S, T>): Later<void>
  /** Once a batch: how many visits each link had. */
  visited?(visits: readonly { id: string; visits: number }[], context: Context<S, T>): Later<void>
}

export interface Job<S extends Fields = Fields, T = unknown> {
  /** Five cron fields, in UTC. */
  readonly every: string
  run(context: Context<S, T>): Later<void>
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A route under `/api/v1`; it goes into OpenAPI from the same schemas that check it. */
export interface Endpoint<
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  readonly summary: string
  /** The scope a token needs, as `links:write`. */
  readonly scope: string
  readonly body?: B
  readonly query?: Q
  readonly answer: A
  /** Status of a success, 200 unless said. 204 sends no body. */
  readonly status?: number
  /** Budget 10 s. Undefined answers 404. */
  handle(
    call: {
      readonly caller: Caller
      readonly params: Readonly<Record<string, string>>
      readonly body: z.output<B>
      readonly query: z.output<Q>
    },
    context: Context,
  ): Later<z.input<A> | Refusal | undefined>
}

/** Check an endpoint's types where it is written. */
export function endpoint<B extends z.ZodType, Q extends z.ZodType, A extends z.ZodType>(
  it: Endpoint<B, Q, A>,
): Endpoint {
  return it as unknown as Endpoint
}

/** Check a plugin's types where it is written: the default export of its file. */
export function definePlugin<F extends Fields = Fields, S extends Fields = Fields, T = unknown>(
  plugin: Plugin<F, S, T>,
): Plugin {
  return { api: API, ...plugin } as unknown as Plugin
}

/** Plugins by feature, in running order, each imported only when it is on. */
export type Registry = Readonly<Record<string, () => Promise<{ readonly default: Plugin }>>>
