import type { Kysely } from 'kysely'
import type { Fields, Json, Settings } from './fields.ts'
import type { Refusal } from './outcomes.ts'
import type { Tables } from './plugin-tables.ts'
import type { Fetch } from './services/fetch.ts'
import type { Caller } from './token-keeper.ts'
import type { Unstable } from './unstable.ts'
import type { AddressedLink, LinkView, SavedLink } from './visit.ts'
import type { LinkWriting } from './write-links.ts'

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
  readonly news: PluginNews
  /** Requests to servers on the internet. Private networks are out of reach; see `toOwnNetwork`. */
  readonly fetch: Fetch
  /** What may change with any version of Linnet. */
  readonly unstable: Unstable
  /** The current time. Use it instead of `new Date()`, because tests set it. */
  now(): Date
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
export interface Links extends LinkWriting {
  /** The link with this public id. */
  find(id: string): Promise<SavedLink | undefined>
  /** The same; undefined if another account has it. */
  findOwn(caller: Caller, id: string): Promise<SavedLink | undefined>
  /**
   * The link that a short code leads to, on the host of the base URL or on another, whichever account has it. If it is a
   * former code of the link, `isFormer` is true.
   */
  findByCode(shortCode: string, host?: string): Promise<LinkOfCode | undefined>
  /** The stored values of this plugin's fields of a link. */
  ownFields(link: LinkView): Promise<Readonly<Record<string, Json>>>
  /** The short URL of a link, such as `https://go.example.org/abc`. */
  shortUrl(link: LinkView): string
  /** The URL of a path on the host of the base URL, where mounts are: `mainUrl('/feed.xml')`; without one, that of its front page. */
  mainUrl(path?: string): string
  /** Whether a URL points to this instance, so that visitors would go in circles. */
  leadsBack(url: string): boolean
  /** The URL of a path of the API: `apiUrl('/links/lnk_x')`. */
  apiUrl(path: string): string
  /**
   * All links, oldest first, a page at a time. With `after`, the public id of a link, only those that were created after
   * it, so that a job that takes long can store how far it came. That link may be deleted by then.
   */
  all(after?: string): AsyncIterable<readonly AddressedLink[]>
  /** Makes the next visit of a link call `guard` and `target` of all plugins again. */
  recompile(id: string): void
}

/**
 * A link that was looked up by a code.
 *
 * @example
 * const found = await links.findByCode('spring')
 * return found?.accountId === caller.accountId ? { data: found.id } : undefined
 */
export interface LinkOfCode extends SavedLink {
  readonly isFormer: boolean
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
