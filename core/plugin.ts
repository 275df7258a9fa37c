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
 * The public API for plugin authors. A plugin is one typed object in one file. Its hooks return values
 * and never see a request or a response. `docs/plugins/README.md` walks through one.
 */
export { z } from 'zod'
export { compileOnce, type Places } from './lib/compile-once.ts'
export { remember } from './lib/memory/remember.ts'
export { parseUrl } from './lib/net/parse-url.ts'
export { newRowId, publicId, readPublicId } from './lib/public-id.ts'
export { line, lines } from './lib/schema/lines.ts'
export { momentSchema } from './lib/schema/moment.ts'
export { queryNumber } from './lib/schema/query-values.ts'
export type {
  Context,
  Guess,
  HostKeeper,
  LinkGroups,
  LinkReader,
  Log,
  PlaceKeeper,
  PluginNews,
  Presented,
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

/** The version of this API. It increases only when existing plugins have to change. */
export const API = 1

/**
 * A plugin: its name, its hooks, and what it adds. `docs/plugins/README.md` has a page for each part.
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
  /** The version of this API that the plugin was written for. `definePlugin` sets it. */
  readonly api?: number
  /** Its unique name, such as `acme.officeHours`. The names of its tables begin with it: `acme_office_hours`. */
  readonly feature: `${string}.${string}`
  /** One sentence that says what it does, with a full stop. The dashboard and `linnet plugins` show it. */
  readonly about: string
  /** Its name for people, such as `Opening hours`. Default: made of `feature`, as `Office hours`. */
  readonly label?: string
  /** The heading above it in lists of plugins, such as `Links`. Default: made of `feature`, as `Acme`. */
  readonly group?: string
  /**
   * Translations of its labels and sentences, by language and by the original text:
   * `{ de: { 'Business hours': 'Öffnungszeiten' } }`.
   */
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Plugins that must be on too, by `feature`. */
  readonly needs?: readonly string[]
  /** Plugins whose hooks run after those of this one, if they are on. By default, installed plugins run last. */
  readonly before?: readonly string[]
  /** Plugins whose hooks run before those of this one, if they are on. */
  readonly after?: readonly string[]
  /** What the plugin reads of `visit.place`. Looking it up takes memory, so Linnet does it only if a plugin asks. */
  readonly reads?: readonly PlaceFact[]
  /** Set this if the plugin calls `context.measure()`. Answers are counted only while such a plugin is on. */
  readonly measures?: true
  /**
   * The global switch that turns the plugin off for all accounts while the server runs: an existing one, or a
   * new one such as `moodCreationEnabled`, which is on by default.
   */
  readonly flag?: string
  /** Scopes that it adds for API tokens, such as `['moods:read', 'moods:write']`. Write includes read. */
  readonly scopes?: readonly string[]
  readonly settings?: S
  readonly fields?: F
  /** Schema changes, run once each, in the order of their names. Only tables with the plugin's prefix are allowed. */
  readonly migrations?: Readonly<Record<string, Migration>>

  /** Runs when the plugin starts. Later hooks see its result as `context.state`. */
  setup?(context: Context<S, undefined, D>): Later<T>
  /**
   * Runs when the plugin is switched off or restarted, once its hooks under way have ended, when the server stops
   * (in reverse order), and after `setup` failed. A new instance of the plugin may run already, so release
   * only what this `setup` made.
   */
  dispose?(context: Context<S, T, D>): Later<void>

  /** May change the short code, the domain or the original URL before `validate`, or refuse. Time limit: 5 s. */
  prepare?(draft: Draft<F>, context: Context<S, T, D>): Later<Patch | Refusal | undefined>
  /**
   * Checks a link before it is saved. The first refusal is the answer, and nothing is saved. Runs only for accounts
   * whose plan has the feature. Time limit: 5 s.
   */
  validate?(draft: Draft<F>, context: Context<S, T, D>): Later<Refusal | undefined>

  /**
   * Writes the plugin's own tables when a link is saved. `context.db` is the transaction that saves the link, and a
   * refusal rolls it back. Await nothing but the database. Time limit: 5 s.
   */
  save?(link: SavedLink, fields: Given<F>, context: Context<S, T, D>): Later<Refusal | undefined>
  /** Members that it adds to a link in answers of the API, besides its stored fields. */
  readonly shows?: Shows<S, T, D>
  /**
   * Numbers that links show beside `visits.total`: the name there, and the plugin's own dimension, of chart
   * `number`, whose all-time count it is.
   */
  readonly totals?: Readonly<Record<string, string>>
  /** Statuses that it can give a link, each with a query on its own tables. */
  readonly statuses?: Readonly<Partial<Record<Status, RowsInState<S, T, D>>>>
  /** Query parameters that filter the list of links. */
  readonly filter?: Filter<S, T, D>
  /** Sets of links with analytics of their own, by path: `/moods` adds `GET /moods/:id/analytics`. */
  readonly groups?: Readonly<Record<`/${string}`, Group<S, T, D>>>
  /** Limits that plans can set, by name, such as `maxMoods`. The `limit` of an endpoint applies one. */
  readonly limits?: Readonly<Record<string, Limit>>
  /** How much of it an account has, by the name in the `usage` of its profile, such as `moodsCount`. */
  readonly usage?: Readonly<
    Record<string, (accountId: number, context: Context<S, T, D>) => Later<number>>
  >

  /**
   * Returns the guard of a link, or undefined if the link needs none. Runs when a link is first visited and after each
   * change of it. If it fails, the link stays closed: visitors get 503.
   */
  guard?(fields: Opened<F>, context: Context<S, T, D>, link: LinkView): Later<Guard | undefined>
  /**
   * Returns what chooses the address for each visit of a link, or undefined. Runs when `guard` runs. If it fails, it is
   * skipped.
   */
  target?(fields: Opened<F>, context: Context<S, T, D>, link: LinkView): Later<Target | undefined>

  /**
   * The custom hosts on which links are followed, besides the host of the base URL. Runs at the start and after each
   * request that changes something through an endpoint of this plugin. Time limit: 5 s.
   */
  hosts?(context: Context<S, T, D>): Later<readonly CustomHost[]>

  /**
   * Pages about a link, by the suffix after its code: `'+'` is `/code+`. The guards of the link run first. `url` is where
   * this visit would lead. The visit is not counted. A link with a guard that returns a claim has no such page. If
   * the hook fails, the visitor gets 503.
   */
  readonly views?: Readonly<
    Record<string, (visit: Visit, url: string, context: Context<S, T, D>) => Later<View>>
  >

  /**
   * The same, without the guards, so that everybody sees the page. It must not show what guards protect, such as
   * where the link leads.
   */
  readonly openViews?: Readonly<
    Record<string, (visit: Visit, context: Context<S, T, D>) => Later<View>>
  >

  /** What is counted of visits. They run in the recorder's thread, after the visitor has the response. */
  readonly dimensions?: Readonly<Record<string, Dimension>>

  readonly on?: Listeners<S, T, D>
  readonly endpoints?: Readonly<Record<`${Method} ${string}`, Endpoint>>
  readonly jobs?: Readonly<Record<string, Job<S, T, D>>>
  /** Static files for browsers, below a path of their own. */
  readonly site?: Site
  /** Paths outside of the API that it answers, by the first segment: `{ bio: … }` is `/bio/…`. */
  readonly mounts?: Readonly<Record<string, Mount>>
}

/**
 * Runs on each visit of a guarded link. Undefined lets the visitor through. Time limit: 2 s; past it, or when it throws,
 * the visitor gets 503.
 *
 * @example
 * const guard: Guard = ({ at }) => (at < opening ? refuse('too_early', 'Not yet.', 403) : undefined)
 */
export type Guard = (visit: Visit) => Later<Outcome | Claim | undefined>

/**
 * Runs on each visit of a link with a target, and returns the address for this visit. `url` is what the target before
 * it returned, or else the original URL. Time limit: 250 ms; past it, `url` stays.
 *
 * @example
 * const target: Target = ({ language }, url) => (language.startsWith('de') ? `${url}/de` : url)
 */
export type Target = (visit: Visit, url: string) => Later<string | Routed>

/** The address of a visit, with a note for dimensions: they read it in `visit.notes`, by the plugin's `feature`. */
export interface Routed {
  readonly url: string
  readonly note: string
}

/**
 * A link that is about to be saved.
 *
 * @example
 * validate({ addresses, fields }) {
 *   const wrong = addresses.find(({ url }) => new URL(url).hostname === fields.never)
 *   return wrong && refuse('host_not_allowed', 'Not there.', 422, wrong.field)
 * }
 */
export interface Draft<F extends Fields = Fields> {
  readonly kind: 'create' | 'edit'
  /** Row id of the account that has the link. */
  readonly accountId: number
  /** The saved link when it is edited; undefined when it is created. */
  readonly link: AddressedLink | undefined
  /** The host of the link; empty for that of the base URL. */
  readonly domain: string
  readonly originalUrl: string
  /** All addresses that it may lead to: the original URL first, then those in fields of plugins. */
  readonly addresses: readonly LinkAddress[]
  /** Undefined if Linnet is to choose a random one. */
  readonly shortCode: string | undefined
  /** The plugin's own fields in the request. */
  readonly fields: Given<F>
  /** The values of these fields before the request; empty for a new link. */
  readonly stored: Opened<F>
}

/**
 * What `prepare` changes of a draft; what it leaves out stays.
 *
 * @example
 * prepare: ({ kind }) => (kind === 'create' ? { shortCode: 'spring' } : undefined)
 */
export interface Patch {
  /** A custom host of the account, one that `hosts` returns; empty for the host of the base URL. */
  readonly domain?: string
  readonly originalUrl?: string
  readonly shortCode?: string
}

/** Statuses of a link besides `active` and `archived`. If several apply, the first in this list is shown. */
export const statuses = ['blocked', 'expired', 'exhausted', 'scheduled'] as const

export type Status = (typeof statuses)[number]

/**
 * The links with a status. The query is built once and run often, so it must not depend on anything that changes, except
 * `at`: the current time in milliseconds since 1970 UTC, to compare columns with.
 *
 * @example
 * statuses: { expired: ({ db }, at) => db.selectFrom('acme_ends').select('link_id').where('ends_at', '<=', at) }
 */
export type RowsInState<S extends Fields = Fields, T = unknown, D = Tables> = (
  context: Context<S, T, D>,
  at: Expression<number>,
) => LinkRows

/**
 * A query on the plugin's own tables that selects `link_id`, the `rowId` of links.
 *
 * @example
 * db.selectFrom('acme_moods_links').select('link_id').where('mood', '=', mood)
 */
export type LinkRows = SelectQueryBuilder<Tables, string, { link_id: number }>

/**
 * Members that a plugin adds to links in answers of the API, besides its stored fields.
 *
 * @example
 * shows: {
 *   schema: { mood: z.string().nullable() },
 *   of: (links, { state }) => links.map(({ rowId }) => ({ mood: state.get(rowId) ?? null })),
 * }
 */
export interface Shows<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The schema of each member, by name. */
  readonly schema: Readonly<Record<string, z.ZodType>>
  /** The members of each link, in the order of `links`. Called once for all links of an answer. */
  of(
    links: readonly LinkView[],
    context: Context<S, T, D>,
  ): Later<readonly Readonly<Record<string, Json>>[]>
}

/**
 * Query parameters that filter the list of links.
 *
 * @example
 * filter: {
 *   query: { mood: z.string() },
 *   where: ({ mood }, { db }) =>
 *     mood ? db.selectFrom('acme_moods').select('link_id').where('mood', '=', mood) : undefined,
 * }
 */
export interface Filter<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The schema of each parameter, by name. All parameters are optional. */
  readonly query: Readonly<Record<string, z.ZodType>>
  /** The links that match; undefined if the request has none of the parameters. */
  where(query: Readonly<Record<string, unknown>>, context: Context<S, T, D>): LinkRows | undefined
}

/**
 * A kind of set of links with analytics of its own.
 *
 * @example
 * groups: { '/moods': { summary: 'Numbers of a mood', links: (id, _, { db }) => linksOf(db, id) } }
 */
export interface Group<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The summary of its analytics endpoint in OpenAPI. */
  readonly summary: string
  /** The links of the set with this id; undefined if the caller has no such set: 404. Time limit: 10 s. */
  links(id: string, caller: Caller, context: Context<S, T, D>): Later<LinkRows | undefined>
}

/**
 * A limit that plans can set.
 *
 * @example
 * limits: { maxMoods: { label: 'Moods', used: 'moodsCount' } }
 */
export interface Limit {
  /** What is limited, such as `Moods`. */
  readonly label: string
  /** The name in `usage` that tells how many an account has. */
  readonly used: string
}

/**
 * A dimension of analytics: each visit counts for one value, or for none.
 *
 * @example
 * dimensions: { visitsByShop: { label: 'Shop', of: ({ query }) => query.get('shop') ?? undefined } }
 */
export interface Dimension {
  readonly label: string
  readonly chart?: 'bar' | 'map' | 'line' | 'table' | 'number'
  /** True if the value tells nothing about the visitor. It then also counts visitors that send `Sec-GPC` or `DNT`. */
  readonly total?: true
  /** True: it counts robots only. Without it, robots are not counted. */
  readonly bots?: true
  /**
   * True: it counts how many different values each UTC day has, not how often each occurs. The values are not kept in a
   * form that could be read again, so they may identify a visitor. Only for the chart `number`.
   */
  readonly distinct?: true
  /** The value that a visit counts for, or undefined. Cut to 128 characters, unless `distinct`. Must not await. */
  of(visit: Visit): string | undefined
  /** The text that people read for a value. Default: the value. */
  labelOf?(value: string): string
  /** The label of visits without a value, such as `No rule`. Default: `Unknown`. */
  readonly none?: string
}

/**
 * A schema change of the plugin's own tables. It runs once, in a transaction.
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
 * Hooks that run after something was saved, in parallel. A failure is logged and undoes nothing. Time limit: 30 s.
 *
 * @example
 * on: { created: (link, { log, links }) => log.info(`There is ${links.shortUrl(link)}`) }
 */
export interface Listeners<S extends Fields, T, D> {
  /** Runs only for accounts whose plan has the feature. */
  created?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  updated?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  deleted?(link: AddressedLink, context: Context<S, T, D>): Later<void>
  /** Runs once for each stored batch of visits, with the number of visits of each link, by its public id. */
  visited?(
    visits: readonly { id: string; visits: number }[],
    context: Context<S, T, D>,
  ): Later<void>
}

/**
 * Work that runs on a schedule.
 *
 * @example
 * jobs: { tidy: { label: 'Tidy up', every: '17 3 * * *', run: ({ store }) => store.delete('old') } }
 */
export interface Job<S extends Fields = Fields, T = unknown, D = Tables> {
  /** Its name for people, such as `Send what waits`. Default: made of its name. */
  readonly label?: string
  /** Five cron fields, in UTC. If runs were missed while the server was off, the job runs once, soon after the start. */
  readonly every: string
  /**
   * Whether each server runs it, for what it does is of one machine: files, or what is kept in memory. Else one of the
   * servers on a database runs it.
   */
  readonly everywhere?: boolean
  run(context: Context<S, T, D>): Later<void>
}

/**
 * Make a plugin, with all types checked. Use it as the default export of the plugin's file. With
 * `definePlugin<Tables>()({ … })` the columns of its own tables are checked too.
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

/** Plugins by `feature`, in the order in which their hooks run. Each is imported only if it is on. */
export type Registry = Readonly<Record<string, () => Promise<{ readonly default: Plugin }>>>
