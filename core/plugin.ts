import type { Expression, Kysely, SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { Context, Tables } from './plugin/context.ts'
import type { Endpoint, Method } from './plugin/endpoint.ts'
import type { Fields, Given, Json, Opened } from './plugin/fields.ts'
import type { CustomHost } from './plugin/host.ts'
import type { Mount, Site } from './plugin/mount.ts'
import type { Claim, Later, Outcome, Refusal, View } from './plugin/outcomes.ts'
import type { Caller } from './plugin/token-keeper.ts'
import type {
  AddressedLink,
  LinkAddress,
  LinkView,
  PlaceFact,
  SavedLink,
  Visit,
} from './plugin/visit.ts'

/**
 * The whole public surface for plugin authors. A plugin is one typed object in one file; it returns
 * answers and never touches a request or a response. `docs/plugins/README.md` walks through one.
 */
export { z } from 'zod'
export { compileOnce, type Places } from './lib/compile-once.ts'
export { line, lines } from './lib/lines.ts'
export { momentSchema } from './lib/moment.ts'
export { parseUrl } from './lib/parse-url.ts'
export { publicId, readPublicId } from './lib/public-id.ts'
export { queryNumber } from './lib/query-values.ts'
export { remember } from './lib/remember.ts'
export type {
  Context,
  Guess,
  HostKeeper,
  LinkGroups,
  LinkReader,
  Log,
  PlaceKeeper,
  Store,
  StoreEntry,
  Tables,
} from './plugin/context.ts'
export { type Endpoint, endpoint, type File, file, type Method } from './plugin/endpoint.ts'
export { type Fetch, type Fetched, FetchFailed, type FetchOptions } from './plugin/fetch.ts'
export type { Field, Fields, Given, Json, Opened, Sealed, Settings } from './plugin/fields.ts'
export {
  address,
  choice,
  date,
  field,
  list,
  number,
  optional,
  sealed,
  secret,
  shownAddress,
  text,
  toggle,
} from './plugin/fields.ts'
export type { CustomHost } from './plugin/host.ts'
export type { Measures, Timings } from './plugin/measures.ts'
export type { Called, Mount, MountRequest, Site } from './plugin/mount.ts'
export type {
  CountedDimension,
  Numbers,
  NumbersOf,
  NumbersSpan,
} from './plugin/numbers.ts'
export type {
  Ask,
  Claim,
  Input,
  Later,
  Outcome,
  Redirect,
  Refusal,
  View,
} from './plugin/outcomes.ts'
export { ask, claim, isRefusal, redirect, refuse } from './plugin/outcomes.ts'
export { listOf, listSchema, pageQuery, sliceOf } from './plugin/paging.ts'
export { preferredLanguage } from './plugin/preferred-language.ts'
export { type Order, type Part, type Position, readSlice, type Slice } from './plugin/slice.ts'
export {
  type Caller,
  scopeSchema,
  type Token,
  type TokenDraft,
  type TokenKeeper,
} from './plugin/token-keeper.ts'
export type {
  AddressedLink,
  Agent,
  City,
  ImaginedVisit,
  LinkAddress,
  LinkView,
  Place,
  PlaceFact,
  SavedLink,
  Visit,
} from './plugin/visit.ts'

/** The version of this API; it grows only when an existing plugin would have to change. */
export const API = 1

/**
 * What a plugin says; `docs/plugins/README.md` has a page for each part.
 *
 * @example
 * definePlugin({
 *   feature: 'acme.closed',
 *   about: 'Turn everybody away.',
 *   guard: () => () => refuse('closed', 'This link is closed.', 403),
 * })
 */
export interface Plugin<
  F extends Fields = Fields,
  S extends Fields = Fields,
  T = unknown,
  D = Tables,
> {
  /** The API version it was written for; `definePlugin` fills it in. */
  readonly api?: number
  /** Its switch, id, log name and table prefix, as `acme.officeHours`. */
  readonly feature: `${string}.${string}`
  /** One sentence for README, dashboard and `--help`, with a full stop. */
  readonly about: string
  /** What people call it, as `Opening hours`; unless given `Office hours`, for `acme.officeHours`. */
  readonly label?: string
  /** The heading that it stands under in lists of plugins, as `Links`; unless given `Acme`. */
  readonly group?: string
  /**
   * What it says in lists, forms and charts in other languages, by language and by what it says itself:
   * `{ de: { 'Business hours': 'Öffnungszeiten' } }`.
   */
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Features that must be on too. */
  readonly needs?: readonly string[]
  /** Features that it runs before, where they are on; from outside it runs after ours otherwise. */
  readonly before?: readonly string[]
  /** Features that it runs after, where they are on. */
  readonly after?: readonly string[]
  /** Facts of a visit that cost memory to know, and so are known only when a plugin asks for them. */
  readonly reads?: readonly PlaceFact[]
  /** It reads `context.measure()`: answers to visits are counted only while a plugin says so. */
  readonly measures?: true
  /**
   * The global switch that turns it off for everybody at run time: one that there is, or its own, as
   * `moodCreationEnabled`, which is on at first.
   */
  readonly flag?: string
  /** What an API token can be allowed of it, as `['moods:read', 'moods:write']`; write includes read. */
  readonly scopes?: readonly string[]
  readonly settings?: S
  readonly fields?: F
  /** Forward only, by sortable name; may only make objects named with its prefix. */
  readonly migrations?: Readonly<Record<string, Migration>>

  /** What it returns is `context.state` in every later hook. */
  setup?(context: Context<S, undefined, D>): Later<T>
  /**
   * Runs when it is switched off or set up anew and what it has begun has ended, at the stop in reverse order,
   * and after a set-up that failed. Another one of it may be set up already: let go of nothing but your own.
   */
  dispose?(context: Context<S, T, D>): Later<void>

  /** May change the short code or the address before `validate`; budget 5 s. */
  prepare?(draft: Draft<F>, context: Context<S, T, D>): Later<Patch | Refusal | undefined>
  /**
   * The first refusal wins and nothing is saved; budget 5 s. Asked only for accounts that may use the
   * feature.
   */
  validate?(draft: Draft<F>, context: Context<S, T, D>): Later<Refusal | undefined>

  /**
   * Keep what a request gave of this plugin's fields in its own tables: `context.db` is the transaction
   * that saves the link, and a refusal undoes all of it. Must not wait for anything else; budget 5 s.
   */
  save?(link: SavedLink, fields: Given<F>, context: Context<S, T, D>): Later<Refusal | undefined>
  /** What it adds to a link's answer beyond its stored fields. */
  readonly shows?: Shows<S, T, D>
  /**
   * Numbers that links show beside `visits.total`, by their name there: the dimension of its own, a `number`,
   * whose count of all time each is.
   */
  readonly totals?: Readonly<Record<string, string>>
  /** States it can put a link in, each told by its own tables. */
  readonly statuses?: Readonly<Partial<Record<Status, RowsInState<S, T, D>>>>
  /** What the list of links can be filtered by. */
  readonly filter?: Filter<S, T, D>
  /** Sets of links with numbers of their own, by path: `/moods` gives `GET /moods/:id/analytics`. */
  readonly groups?: Readonly<Record<`/${string}`, Group<S, T, D>>>
  /** What plans limit the number of, by the name that they have for it, as `maxMoods`; endpoints say where. */
  readonly limits?: Readonly<Record<string, Limit>>
  /** What of it an account has, by its name in the profile's `usage`, as `moodsCount`. */
  readonly usage?: Readonly<
    Record<string, (accountId: number, context: Context<S, T, D>) => Later<number>>
  >

  /** Asked once a link: what must run on each visit, or nothing. When it fails the link stays shut. */
  guard?(fields: Opened<F>, context: Context<S, T, D>, link: LinkView): Later<Guard | undefined>
  /** Asked once a link: what may change the address of a visit; skipped when it fails. */
  target?(fields: Opened<F>, context: Context<S, T, D>, link: LinkView): Later<Target | undefined>

  /**
   * The hosts of accounts' own: every one that links are followed on besides that of the base URL. Asked
   * at the start, and after each request to an endpoint of this plugin that changed something; budget 5 s.
   */
  hosts?(context: Context<S, T, D>): Later<readonly CustomHost[]>

  /**
   * Pages about a link, by what follows its code: `'+'` is `/code+`. What guards the link runs first, and
   * `url` is where this visit would lead. Nothing is counted, and a link on which a guard would claim has
   * no such page; when it fails, 503.
   */
  readonly views?: Readonly<
    Record<string, (visit: Visit, url: string, context: Context<S, T, D>) => Later<View>>
  >

  /**
   * Such pages that show before the guards are asked, so to everybody: nothing on them may tell what the guards
   * protect, as where the link leads.
   */
  readonly openViews?: Readonly<
    Record<string, (visit: Visit, context: Context<S, T, D>) => Later<View>>
  >

  /** Pure functions of the visit; they run in the recorder's thread, after the response. */
  readonly dimensions?: Readonly<Record<string, Dimension>>

  readonly on?: Listeners<S, T, D>
  readonly endpoints?: Readonly<Record<`${Method} ${string}`, Endpoint>>
  readonly jobs?: Readonly<Record<string, Job<S, T, D>>>
  /** Files for browsers, below a path of their own. */
  readonly site?: Site
  /** What it answers outside of the API, by the first segment of the path: `{ bio: … }` is `/bio/…`. */
  readonly mounts?: Readonly<Record<string, Mount>>
}

/**
 * Runs on each visit of a guarded link; nothing lets the visitor through. Budget 2 s.
 *
 * @example
 * const guard: Guard = ({ at }) => (at < opening ? refuse('too_early', 'Not yet.', 403) : undefined)
 */
export type Guard = (visit: Visit) => Later<Outcome | Claim | undefined>

/**
 * Runs on each visit of a routed link; gives the address to go on with. Budget 250 ms.
 *
 * @example
 * const target: Target = ({ language }, url) => (language.startsWith('de') ? `${url}/de` : url)
 */
export type Target = (visit: Visit, url: string) => Later<string | Routed>

/** An address to go on with, and what dimensions may count of it, in `visit.notes` under the feature. */
export interface Routed {
  readonly url: string
  readonly note: string
}

/**
 * A link about to be saved.
 *
 * @example
 * validate({ addresses, fields }) {
 *   const wrong = addresses.find(({ url }) => new URL(url).hostname === fields.never)
 *   return wrong && refuse('host_not_allowed', 'Not there.', 422, wrong.field)
 * }
 */
export interface Draft<F extends Fields = Fields> {
  readonly kind: 'create' | 'edit'
  /** Number of the row of the account whose link it is. */
  readonly accountId: number
  /** The link as it is, when editing. */
  readonly link: AddressedLink | undefined
  /** '' is the host of the base URL. */
  readonly domain: string
  readonly originalUrl: string
  /** All that it would lead to: the original URL, then those in fields of plugins. */
  readonly addresses: readonly LinkAddress[]
  /** Undefined: one will be made up. */
  readonly shortCode: string | undefined
  /** What the request gave of this plugin's own fields. */
  readonly fields: Given<F>
  /** What is stored of them from before; nothing when the link is new. */
  readonly stored: Opened<F>
}

/**
 * What `prepare` may change of a draft.
 *
 * @example
 * prepare: ({ kind }) => (kind === 'create' ? { shortCode: 'spring' } : undefined)
 */
export interface Patch {
  /** A host of the account's own, one of those that `hosts` gives; '' for that of the base URL. */
  readonly domain?: string
  readonly originalUrl?: string
  readonly shortCode?: string
}

/** States of a link besides `active` and `archived`, the strongest first. */
export const statuses = ['blocked', 'expired', 'exhausted', 'scheduled'] as const

export type Status = (typeof statuses)[number]

/**
 * The links in a state. The query is built once and then run for all links, so that nothing in it may change
 * but `at`, the present moment in milliseconds since 1970 UTC, to compare columns with.
 *
 * @example
 * statuses: { expired: ({ db }, at) => db.selectFrom('acme_ends').select('link_id').where('ends_at', '<=', at) }
 */
export type RowsInState<S extends Fields = Fields, T = unknown, D = Tables> = (
  context: Context<S, T, D>,
  at: Expression<number>,
) => LinkRows

/**
 * A query on own tables that gives rows of links: `db.selectFrom('…').select('link_id')`.
 *
 * @example
 * db.selectFrom('acme_moods_links').select('link_id').where('mood', '=', mood)
 */
export type LinkRows = SelectQueryBuilder<Tables, string, { link_id: number }>

/**
 * What links show of a plugin, besides its stored fields.
 *
 * @example
 * shows: {
 *   schema: { mood: z.string().nullable() },
 *   of: (links, { state }) => links.map(({ rowId }) => ({ mood: state.get(rowId) ?? null })),
 * }
 */
export interface Shows<S extends Fields = Fields, T = unknown, D = Tables> {
  /** Each key with the schema of its value. */
  readonly schema: Readonly<Record<string, z.ZodType>>
  /** The values for a page of links, in their order: one look-up for all of them. */
  of(
    links: readonly LinkView[],
    context: Context<S, T, D>,
  ): Later<readonly Readonly<Record<string, Json>>[]>
}

/**
 * What a list of links can be asked for.
 *
 * @example
 * filter: {
 *   query: { mood: z.string() },
 *   where: ({ mood }, { db }) =>
 *     mood ? db.selectFrom('acme_moods').select('link_id').where('mood', '=', mood) : undefined,
 * }
 */
export interface Filter<S extends Fields = Fields, T = unknown, D = Tables> {
  /** Query parameters, each optional. */
  readonly query: Readonly<Record<string, z.ZodType>>
  /** The links that fit; undefined when the query asks for none of it. */
  where(query: Readonly<Record<string, unknown>>, context: Context<S, T, D>): LinkRows | undefined
}

/**
 * A set of links that has numbers of its own.
 *
 * @example
 * groups: { '/moods': { summary: 'Numbers of a mood', links: (id, _, { db }) => linksOf(db, id) } }
 */
export interface Group<S extends Fields = Fields, T = unknown, D = Tables> {
  /** What OpenAPI says of its numbers. */
  readonly summary: string
  /** The links of the one with this id; undefined when the caller has no such one. Budget 10 s. */
  links(id: string, caller: Caller, context: Context<S, T, D>): Later<LinkRows | undefined>
}

/**
 * What plans limit the number of.
 *
 * @example
 * limits: { maxMoods: { label: 'Moods', used: 'moodsCount' } }
 */
export interface Limit {
  /** What there can be so many of, as `Moods`. */
  readonly label: string
  /** The name in `usage` of how many there are. */
  readonly used: string
}

/**
 * What is counted of a visit.
 *
 * @example
 * dimensions: { visitsByShop: { label: 'Shop', of: ({ query }) => query.get('shop') ?? undefined } }
 */
export interface Dimension {
  readonly label: string
  readonly chart?: 'bar' | 'map' | 'line' | 'table' | 'number'
  /** It says nothing about the visitor, so it also counts who sends `Sec-GPC` or `DNT`. */
  readonly total?: true
  /** It counts robots, and only those. */
  readonly bots?: true
  /**
   * It counts how many different values there are on each UTC day, not how often each: of the values
   * nothing is kept that one could tell them by, so they may be of one visitor each. A `number` only.
   */
  readonly distinct?: true
  /** The value that this visit counts for; undefined: none. Cut at 128 characters, unless distinct. */
  of(visit: Visit): string | undefined
  /** A value as people read it; the value itself unless given. */
  labelOf?(value: string): string
  /** What the visits are called that it has no value of, as `No rule`; `Unknown` unless given. */
  readonly none?: string
}

/**
 * A schema change, on the plugin's own tables only.
 *
 * @example
 * migrations: {
 *   '001-moods': async ({ schema }) => {
 *     await schema.createTable('acme_moods').addColumn('mood', 'text').execute()
 *   },
 * }
 */
export type Migration = (db: Kysely<Tables>) => Promise<void>

/**
 * After the commit, in parallel; a failure is logged and counted. Budget 30 s.
 *
 * @example
 * on: { created: (link, { log, links }) => log.info(`There is ${links.shortUrl(link)}`) }
 */
export interface Listeners<S extends Fields, T, D> {
  /** Comes only for accounts that may use the feature. */
  created?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  updated?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  deleted?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  /** Once a batch: how many visits each link had. */
  visited?(
    visits: readonly { id: string; visits: number }[],
    context: Context<S, T, D>,
  ): Later<void>
}

/**
 * Work by the clock.
 *
 * @example
 * jobs: { tidy: { label: 'Tidy up', every: '17 3 * * *', run: ({ store }) => store.delete('old') } }
 */
export interface Job<S extends Fields = Fields, T = unknown, D = Tables> {
  /** What people call it, as `Send what waits`; its name in words unless given. */
  readonly label?: string
  /** Schedule as five cron fields, in UTC. What passed while the process was off is made up for once, soon after. */
  readonly every: string
  run(context: Context<S, T, D>): Later<void>
}

/**
 * Check a plugin's types where it is written: the default export of its file.
 * `definePlugin<Tables>()({ … })` knows the columns of its own tables too.
 *
 * @example
 * export default definePlugin({
 *   feature: 'acme.closed',
 *   about: 'Turn everybody away.',
 *   guard: () => () => refuse('closed', 'This link is closed.', 403),
 * })
 */
export function definePlugin<F extends Fields = Fields, S extends Fields = Fields, T = unknown>(
  plugin: Plugin<F, S, T>,
): Plugin
export function definePlugin<D extends object>(): <
  F extends Fields = Fields,
  S extends Fields = Fields,
  T = unknown,
>(
  plugin: Plugin<F, S, T, D>,
) => Plugin
export function definePlugin(plugin?: object): unknown {
  const define = (it: object) => ({ api: API, ...it })
  return plugin ? define(plugin) : define
}

/** Plugins by feature, in running order, each imported only when it is on. */
export type Registry = Readonly<Record<string, () => Promise<{ readonly default: Plugin }>>>
