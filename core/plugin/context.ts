import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Fetch } from './fetch.ts'
import type { Fields, Json, Settings } from './fields.ts'
import type { CustomHost } from './host.ts'
import type { Measures } from './measures.ts'
import type { Numbers, NumbersOf } from './numbers.ts'
import type { Refusal } from './outcomes.ts'
import type { Caller, TokenKeeper } from './token-keeper.ts'
import type {
  AddressedLink,
  ImaginedVisit,
  LinkView,
  PlaceFact,
  SavedLink,
  Visit,
} from './visit.ts'

/**
 * What hooks work with.
 *
 * @example
 * async created(link, { settings, fetch }: Context) {
 *   await fetch(settings.url, { method: 'POST', body: link.originalUrl })
 * }
 */
export interface Context<S extends Fields = Fields, T = unknown, D = Tables> {
  /** The plugin's settings, as the operator set them. */
  readonly settings: Settings<S>
  /** What `setup` returned. */
  readonly state: T
  /** The plugin's own tables. A query that names another table throws. */
  readonly db: Kysely<D>
  readonly store: Store
  readonly log: Log
  /** Aborted when the plugin is switched off or restarted, and when the server stops. */
  readonly signal: AbortSignal
  readonly links: Links
  readonly hosts: HostKeeper
  readonly news: PluginNews
  readonly tokens: TokenKeeper
  readonly places: PlaceKeeper
  /** Requests to servers on the internet. Private networks are out of reach; see `toOwnNetwork`. */
  readonly fetch: Fetch
  /** The TXT records of a name in the DNS; empty if there are none. Throws if no server answers. */
  resolveTxt(name: string): Promise<readonly string[]>
  /** Analytics, up to date; undefined if the account has nothing at `path`. */
  readNumbers(of: NumbersOf): Promise<Numbers | undefined>
  /**
   * Whether the account has anything at `path`. Undefined if that is not known now, because the plugin that has such
   * paths is off or failed.
   */
  hasNumbers(of: Pick<NumbersOf, 'accountId' | 'path'>): Promise<boolean | undefined>
  /** The branding that an admin set for pages that visitors see. Use it for pages of a mount. */
  brand(): Presented
  /** Returns an invented visit, to try out guards and targets. It is not counted. */
  imagineVisit(link: LinkView, said: ImaginedVisit): Visit
  /** False while a global switch turns off the plugin or one that it needs. */
  isOn(): boolean
  /** The current time. Use it instead of `new Date()`, because tests set it. */
  now(): Date
  /** How the instance runs, in numbers. Takes some milliseconds. The plugin must set `measures`. */
  measure(): Promise<Measures>
  /** Counts a use of `key`. True if there were at most `max` within `seconds`. */
  throttle(key: string, max: number, seconds: number): Promise<boolean>
  /**
   * Checks a guess at a secret, such as a password. Resolves to what `isRight` returns, or to a refusal (429) if this
   * client was wrong too often: 5 times a minute, or 5 times an hour once all clients together were wrong a hundred
   * times at this secret in that hour. Right guesses are not limited. Wrong ones are logged with `of`. Guesses wait in
   * a queue, where clients that were wrong before come last. Throws if the queue is full. Do not catch that error, so
   * that the visitor gets 503.
   */
  guess(guess: Guess, isRight: () => Promise<boolean>): Promise<boolean | Refusal>
}

/**
 * The branding of pages for visitors. Null means not set.
 *
 * @example
 * const { name, accent } = brand()
 */
export interface Presented {
  readonly name: string | null
  /** A data URI, shown in place of the name. */
  readonly logo: string | null
  /** The brand color, adjusted to be legible on a light and on a dark background. */
  readonly accent: { readonly light: string; readonly dark: string } | null
}

/**
 * A guess at a secret.
 *
 * @example
 * const right = await guess({ of: link.id, by: visitor }, () => password.matches(attempt))
 */
export interface Guess {
  /** The secret, such as `link.id`. It is written to the log. */
  readonly of: string
  /** The client, such as `visit.visitor`. */
  readonly by: string
}

/**
 * The log of the server. Each line has the name of the plugin.
 *
 * @example
 * log.warn('A list was not read', { list: name })
 */
export interface Log {
  info(message: string, details?: object): void
  warn(message: string, details?: object): void
  error(message: string, details?: object): void
}

/**
 * The links of all accounts.
 *
 * @example
 * const link = await links.findOwn(caller, params.id ?? '')
 * return link && { data: links.shortUrl(link) }
 */
export interface Links {
  /** The link with this public id. */
  find(id: string): Promise<SavedLink | undefined>
  /** The same; undefined if another account has it. */
  findOwn(caller: Caller, id: string): Promise<SavedLink | undefined>
  /** The stored values of this plugin's fields of a link. */
  ownFields(link: LinkView): Promise<Readonly<Record<string, Json>>>
  /** Earlier short codes that still lead to the links, oldest first, by `rowId`. */
  formerCodes(links: readonly LinkView[]): Promise<ReadonlyMap<number, readonly string[]>>
  /** The short URL of a link, such as `https://go.example.org/abc`. */
  shortUrl(link: LinkView): string
  /** Whether a URL points to this instance, so that visitors would go in circles. */
  leadsBack(url: string): boolean
  /** The URL of a path of the API: `apiUrl('/links/lnk_x')`. */
  apiUrl(path: string): string
  /**
   * All-time visits of links, summed by `group_id`. Groups without visits are left out. Up to date, except where
   * `context.db` is a transaction: there the visits of the last seconds may be missing.
   */
  visitsBy(groups: LinkGroups): Promise<ReadonlyMap<number, number>>
  /** Sets the title of a link if it has none and `title` has a visible character. */
  nameLink(link: LinkView, title: string): Promise<void>
  /**
   * All links, oldest first, a page at a time. With `after`, the public id of a link, only those that were created after
   * it, so that a job that takes long can store how far it came. That link may be deleted by then.
   */
  all(after?: string): AsyncIterable<readonly AddressedLink[]>
  /**
   * Records whether this plugin guards a link for a reason that is not in the link's fields. A guarded link stays closed
   * while the plugin is off. The next visit calls `guard` again. Do not call this where `context.db` is a transaction,
   * because that visit may come before the commit.
   */
  markGuarded(link: LinkView, isGuarded: boolean): Promise<void>
  /** Makes the next visit of a link call `guard` and `target` of all plugins again. */
  recompile(id: string): void
}

/**
 * The custom hosts, and the URLs that their root and unknown codes lead to.
 *
 * @example
 * hosts.block(new Map([['https://example.com/', refuse('blocked', 'It is harmful.', 403)]]))
 */
export interface HostKeeper {
  /** The custom hosts on which links are followed now. */
  all(): readonly CustomHost[]
  /**
   * Keeps custom hosts from leading to some URLs. Visitors get the refusal instead. Each call replaces the one before. It
   * is not stored, so call it again in `setup`.
   */
  block(refusals: ReadonlyMap<string, Refusal>): void
}

/**
 * Messages between the copies of this plugin on several servers that share one PostgreSQL database. A plugin that
 * caches rows of its tables in memory sends a message when they change, and reads them again when it receives one.
 *
 * @example
 * context.news.on(() => readRates(context))
 * await context.news.tell()
 */
export interface PluginNews {
  /** Sends a message to all servers at once, possibly including this one. Does nothing with SQLite. */
  tell(what?: string): Promise<void>
  /**
   * Listens until the plugin is switched off. After a time in which messages may have been missed, the listener is
   * called without `what`.
   */
  on(listener: (what?: string) => unknown): void
}

/**
 * A query on the plugin's own tables that selects `link_id` and the `group_id` to sum by.
 *
 * @example
 * await links.visitsBy(db.selectFrom('acme_moods').select(['link_id', 'mood_id as group_id']))
 */
export type LinkGroups = SelectQueryBuilder<Tables, string, { link_id: number; group_id: number }>

/** The plugin's own tables. `definePlugin<Tables>()` gives their columns. */
// biome-ignore lint/suspicious/noExplicitAny: only the plugin knows its tables
export type Tables = any

/**
 * JSON values by key, for plugins that need no tables. Where `context.db` is a transaction, this is part of it. Purging
 * the plugin deletes them.
 *
 * @example
 * await store.set('greeting', { text: 'Hello' })
 * await store.get('greeting') // { text: 'Hello' }
 */
export interface Store {
  /** The value of a key, or undefined. */
  get(key: string): Promise<Json | undefined>
  /**
   * Stores a value, replacing any earlier one. Throws if the key is empty or longer than 200 characters, if the value is
   * longer than 64 KiB as JSON, or if there are 10,000 other keys.
   */
  set(key: string, value: Json): Promise<void>
  /** Deletes a key. False if it did not exist. */
  delete(key: string): Promise<boolean>
  /** At most 100 entries whose keys start with `prefix`, sorted by key, starting after the key `after`. */
  list(prefix?: string, after?: string): Promise<readonly StoreEntry[]>
}

export interface StoreEntry {
  readonly key: string
  readonly value: Json
}

/**
 * The MMDB files that map addresses to places.
 *
 * @example
 * const since = places.newerBuiltAt('city')
 * if (isOld(since)) await places.replace('city', chunks)
 */
export interface PlaceKeeper {
  /** The build date of the file that `replace` installed; undefined if there is none or it has no date. */
  newerBuiltAt(fact: PlaceFact): Date | undefined
  /**
   * Installs an MMDB file in place of the one that came with Linnet. It is in use within half a minute. Throws an error
   * with one sentence if the file is invalid, has other data or is too large, and changes nothing then.
   */
  replace(fact: PlaceFact, content: AsyncIterable<Uint8Array>): Promise<void>
}
