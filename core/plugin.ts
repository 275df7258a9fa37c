import type { Kysely } from 'kysely'
import type { Page } from './plugin/answers/page.ts'
import type { Events, Job, Listeners } from './plugin/background.ts'
import type { Context } from './plugin/context.ts'
import type { Dimension } from './plugin/dimension.ts'
import type { Draft, Patch } from './plugin/draft.ts'
import type { Endpoint } from './plugin/endpoint.ts'
import type { Fields, Given, Opened } from './plugin/fields.ts'
import type { Computed, Filter, Group, Status } from './plugin/listed-links.ts'
import type { Mount, MountMethod, Site } from './plugin/mount.ts'
import type { Later, Redirect, Refusal } from './plugin/outcomes.ts'
import type { UnstableParts } from './plugin/parts/unstable-parts.ts'
import type { Tables } from './plugin/plugin-tables.ts'
import type { Guard, Target } from './plugin/routing.ts'
import type { LinkView, PlaceFact, SavedLink, Visit } from './plugin/visit.ts'

/**
 * The public API for plugin authors. A plugin is one typed object in one file. Its hooks return values
 * and never see a request or a response. `docs/plugins/README.md` walks through one.
 */
export { z } from 'zod'
export { type Agent, readAgent } from './lib/agent.ts'
export { compileOnce, type Places } from './lib/compile-once.ts'
export { openRegularFile, readRegularFile } from './lib/files/regular-file.ts'
export { remember } from './lib/memory/remember.ts'
export { parseUrl } from './lib/net/parse-url.ts'
export { siteOf } from './lib/net/site-of.ts'
export { isWebAddress } from './lib/net/target-schemes.ts'
export { newRowId, publicId, readPublicId } from './lib/public-id.ts'
export { randomCode } from './lib/random-code.ts'
export { line, lines } from './lib/schema/lines.ts'
export { momentSchema } from './lib/schema/moment.ts'
export { inNetworks, networkSchema } from './lib/schema/networks.ts'
export { queryList, queryNumber } from './lib/schema/query-values.ts'
export { type Cell, csvOf } from './lib/text/csv.ts'
export { showHidden } from './lib/text/shown.ts'
export { preferredLanguage } from './lib/text/weighted.ts'
export { type File, file } from './plugin/answers/answer-file.ts'
export type { AnswerHeaders } from './plugin/answers/answer-headers.ts'
export { type Download, download } from './plugin/answers/download.ts'
export type { Language, PluralForms } from './plugin/answers/language.ts'
export { type Page, type PageContent, page } from './plugin/answers/page.ts'
export type { VisitorText } from './plugin/answers/visitor-text.ts'
export type { Events, Job, Listeners, VisitedLink } from './plugin/background.ts'
export { type ApiTool, type Called, type Method, refusalOf } from './plugin/called.ts'
export {
  type Collected,
  type Collection,
  collection,
  type UnstableCollection,
} from './plugin/collection/collection.ts'
export type { CollectionRow, CollectionRows } from './plugin/collection/own-rows.ts'
export { type Command, type CommandCall, command } from './plugin/commands/command.ts'
export type {
  Context,
  Guess,
  LinkOfCode,
  Links,
  Log,
  PluginNews,
  Store,
  StoreEntry,
} from './plugin/context.ts'
export type { Dashboard } from './plugin/dashboard/dashboard.ts'
export type {
  Panel,
  PanelButton,
  PanelChart,
  PanelForm,
  PanelPage,
  PanelTable,
  ShownWhen,
} from './plugin/dashboard/panel.ts'
export type { ShownFilter, ShownValue, ShownWord } from './plugin/dashboard/shown-value.ts'
export {
  type Dimension,
  type DimensionData,
  dimension,
  type UnstableDimension,
} from './plugin/dimension.ts'
export type { Draft, Patch } from './plugin/draft.ts'
export {
  type Endpoint,
  type EndpointCall,
  endpoint,
  type SentFile,
  type TakesFile,
  type UnstableEndpoint,
} from './plugin/endpoint.ts'
export type { Actor, Event, EventKind } from './plugin/event.ts'
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
export type {
  Computed,
  Filter,
  Group,
  LinkRows,
  Status,
} from './plugin/listed-links.ts'
export { listOf, listSchema, pageQuery, sliceOf } from './plugin/lists/paging.ts'
export {
  type Order,
  type Part,
  type Position,
  readSlice,
  type Slice,
} from './plugin/lists/slice.ts'
export type {
  AddressedMail,
  AddressedNotice,
  Mail,
  Mailer,
  Notice,
  Notices,
} from './plugin/messages.ts'
export type {
  BodyKind,
  Mount,
  MountAsked,
  MountMethod,
  MountRequest,
  Site,
  Upload,
} from './plugin/mount.ts'
export type {
  Ask,
  Claim,
  Follow,
  Input,
  Later,
  Outcome,
  Redirect,
  RedirectStatus,
  Refusal,
} from './plugin/outcomes.ts'
export { ask, claim, follow, isRefusal, notFound, redirect, refuse } from './plugin/outcomes.ts'
export type { PluginFinding, UnstableParts } from './plugin/parts/unstable-parts.ts'
export type { Tables } from './plugin/plugin-tables.ts'
export type { Guard, Routed, Target } from './plugin/routing.ts'
export {
  type Fetch,
  type Fetched,
  FetchFailed,
  type FetchOptions,
} from './plugin/services/fetch.ts'
export type { Measures, Timings } from './plugin/services/measures.ts'
export type {
  CountedDimension,
  Numbers,
  NumbersOf,
  NumbersSpan,
} from './plugin/services/numbers.ts'
export type {
  Begun,
  Identified,
  Left,
  PasswordRule,
  Provider,
  Returned,
  Sent,
} from './plugin/sign-in/provider.ts'
export type { FirstStep, Proven, Question, SigningIn, Step } from './plugin/sign-in/step.ts'
export {
  type AdoptedToken,
  type Caller,
  scopeSchema,
  type Token,
  type TokenDraft,
  type TokenKeeper,
  tokenName,
} from './plugin/token-keeper.ts'
export type {
  AccountFinder,
  CodeKeeper,
  CodeRules,
  CustomHost,
  EndedThere,
  HostKeeper,
  KnownAccount,
  KnownPlan,
  LinkGroups,
  LinkHistory,
  LinkParts,
  LinkVisits,
  OwnEvent,
  PlaceKeeper,
  PluginFiles,
  Presented,
  SecretKeeper,
  SignInKeeper,
  Transacting,
  Unstable,
  UnstableLinks,
  WholeLink,
} from './plugin/unstable.ts'
export type {
  AddressedLink,
  City,
  CountedVisit,
  ImaginedVisit,
  LinkAddress,
  LinkView,
  Place,
  PlaceFact,
  SavedLink,
  UnknownVisit,
  UpdatedLink,
  Visit,
} from './plugin/visit.ts'
export type {
  HandedOver,
  LinkOwner,
  LinkPast,
  LinkRefusal,
  LinkWriting,
  PastCounts,
  PastVisits,
} from './plugin/write-links.ts'

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
  /** One line of 3 to 162 characters that says what it does, with a full stop at its end. The dashboard and `linnet plugins` show it. */
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
  /** Plugins whose hooks run after the hooks of this one, if they are on. By default, installed plugins run last. */
  readonly before?: readonly string[]
  /** Plugins whose hooks run before the hooks of this one, if they are on. */
  readonly after?: readonly string[]
  /** The parts of `visit.place` that the plugin reads. Others stay undefined, because lookups take memory. */
  readonly reads?: readonly PlaceFact[]
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

  /**
   * Runs when the plugin starts. Other hooks see its result as `context.state`. Write it above them, because TypeScript
   * knows the type of `state` only below.
   */
  setup?(context: Context<S, undefined, D>): Later<T>
  /**
   * Runs when the plugin is switched off or restarted, once its running hooks have ended; when the server stops, in
   * reverse order; and after `setup` failed. A new instance of the plugin may be running already, so release only what
   * this `setup` made.
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
  /** Members that it adds to links in answers of the API, besides its stored fields. */
  readonly computed?: Computed<S, T, D>
  /** Statuses that it can give a link, by name, such as `paused`. */
  readonly statuses?: Readonly<Record<string, Status<S, T, D>>>
  /** Query parameters that filter the list of links. */
  readonly filter?: Filter<S, T, D>
  /** Sets of links with analytics of their own, by path: `/moods` adds `GET /moods/:id/analytics`. */
  readonly groups?: Readonly<Record<`/${string}`, Group<S, T, D>>>
  /** Limits that plans can set, by name, such as `maxMoods`. The `limit` of an endpoint applies one. */
  readonly limits?: Readonly<Record<string, Limit>>
  /** Counts what an account uses. Each key is a name in the `usage` of its profile, such as `moodsCount`. */
  readonly usage?: Readonly<
    Record<string, (accountId: number, context: Context<S, T, D>) => Later<number>>
  >

  /**
   * Returns the guard of a link, or undefined if the link needs none. Runs when a link is first visited and after each
   * change of it. If it fails, the link stays closed: visitors get 503. See `unstable.guards`.
   */
  guard?(fields: Opened<F>, context: Context<S, T, D>, link: LinkView): Later<Guard | undefined>
  /**
   * Returns what chooses the address for each visit of a link, or undefined. Runs when `guard` runs. If it fails, it is
   * skipped.
   */
  target?(fields: Opened<F>, context: Context<S, T, D>, link: LinkView): Later<Target | undefined>

  /**
   * Pages about a link, by the suffix after its code: `'+'` is `/code+`. The guards of the link run first. `url` is where
   * this visit would lead. The visit is not counted. A link with a guard that returns a claim has no such page. If
   * the hook fails, the visitor gets 503.
   */
  readonly views?: Readonly<
    Record<
      string,
      (visit: Visit, url: string, context: Context<S, T, D>) => Later<Page | Redirect | Refusal>
    >
  >

  /** Values that visits are counted by. They run in the recorder's thread, after the visitor has the response. */
  readonly dimensions?: Readonly<Record<string, Dimension>>

  /** What it wants to hear of for certain. */
  readonly events?: Events<S, T, D>
  /** What it wants to hear of at once, at the risk of missing what happens when the process is killed. */
  readonly on?: Listeners<S, T, D>
  readonly endpoints?: Readonly<Record<`${MountMethod} ${string}`, Endpoint>>
  readonly jobs?: Readonly<Record<string, Job<S, T, D>>>
  /** Static files for browsers, below a path of their own. */
  readonly site?: Site
  /**
   * Paths outside of the API that it answers, by the first segment: `{ bio: … }` is `/bio/…`. Below `/.well-known` and `/api`, by
   * two: `{ '.well-known/assetlinks.json': …, 'api/v2': … }`.
   */
  readonly mounts?: Readonly<Record<string, Mount<S, T, D>>>
  /** What may change with any version of Linnet. */
  readonly unstable?: UnstableParts<S, T, D>
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
  /** The key in `usage` that tells how many an account has. */
  readonly used: string
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
  function define(it: object): object {
    const prototype = Object.getPrototypeOf(it)
    // Copying an instance of a class would lose its methods: a guard that nobody calls.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new Error('A plugin is a plain object: write definePlugin({ … }), without a class')
    }
    return { api: API, ...it }
  }
  return plugin ? define(plugin) : define
}

/** Plugins by `feature`, in the order in which their hooks run. Each is imported only if it is on. */
export type Registry = Readonly<Record<string, () => Promise<{ readonly default: Plugin }>>>
