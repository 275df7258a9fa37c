import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Fetch } from './fetch.ts'
import type { Fields, Json, Settings } from './fields.ts'
import type { CustomHost } from './host.ts'
import type { Measures } from './measures.ts'
import type { Numbers, NumbersOf } from './numbers.ts'
import type { Refusal } from './outcomes.ts'
import type { Caller, TokenKeeper } from './token-keeper.ts'
import type { AddressedLink, ImaginedVisit, LinkView, PlaceFact, Visit } from './visit.ts'

/**
 * All that a hook can reach. Nothing else is in reach, on purpose.
 *
 * @example
 * async created(link, { settings, fetch }: Context) {
 *   await fetch(settings.url, { method: 'POST', body: link.originalUrl })
 * }
 */
export interface Context<S extends Fields = Fields, T = unknown, D = Tables> {
  readonly settings: Settings<S>
  readonly state: T
  /** The plugin's own tables; naming another table throws. */
  readonly db: Kysely<D>
  readonly store: Store
  readonly log: Log
  /** Aborted when it is switched off or set up anew, and when the process stops. */
  readonly signal: AbortSignal
  readonly links: LinkReader
  readonly hosts: HostKeeper
  readonly tokens: TokenKeeper
  readonly places: PlaceKeeper
  /** For what is on the internet; it reaches nothing in a private network. */
  readonly fetch: Fetch
  /** The TXT records of a name in the DNS; none when there are none. Throws when nobody answers. */
  resolveTxt(name: string): Promise<readonly string[]>
  /** What was counted, up to date; undefined where the account has no such thing. */
  readNumbers(of: NumbersOf): Promise<Numbers | undefined>
  /** A visit as it would be, to try out what would become of it; it is not counted. */
  imagineVisit(link: LinkView, said: ImaginedVisit): Visit
  /** Whether the plugin is on for everybody: its own switch, and those of what it needs. */
  isOn(): boolean
  now(): Date
  /** How the instance runs, in numbers; worked out anew, in milliseconds. */
  measure(): Promise<Measures>
  /** True while `key` has been used at most `max` times in the last `seconds`. */
  throttle(key: string, max: number, seconds: number): Promise<boolean>
  /**
   * Check a guess at a secret: whether `isRight` says so, or a refusal (429) for who was wrong too often.
   * What is right costs nothing. What is wrong is logged with `of`, and is limited: 5 a minute for each
   * client, and 5 an hour once there were a hundred of all clients in it, so that no stranger can shut a
   * link. `isRight` is called at its turn, which comes later for who was wrong before. Throws when too
   * many wait for theirs; let that pass, the visitor is told to come back (503).
   */
  guess(guess: Guess, isRight: () => Promise<boolean>): Promise<boolean | Refusal>
}

/**
 * What is guessed, and by whom.
 *
 * @example
 * const right = await guess({ of: link.id, by: visitor }, () => password.matches(attempt))
 */
export interface Guess {
  /** Which secret it is, as `link.id`. */
  readonly of: string
  /** Who guesses, as `visit.visitor`. */
  readonly by: string
}

/**
 * Lines for the operator, with the name of the plugin.
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
 * Links, for reading.
 *
 * @example
 * const link = await links.findOwn(caller, params.id ?? '')
 * return link && { data: links.shortUrl(link) }
 */
export interface LinkReader {
  find(id: string): Promise<LinkView | undefined>
  /** A link of the caller's; undefined for other people's. */
  findOwn(caller: Caller, id: string): Promise<LinkView | undefined>
  /** What is stored of this plugin's fields on a link. */
  ownFields(link: LinkView): Promise<Readonly<Record<string, Json>>>
  /** Codes that a link had before and that still lead to it, oldest first, by row. */
  formerCodes(links: readonly LinkView[]): Promise<ReadonlyMap<number, readonly string[]>>
  /** The whole short URL of a link. */
  shortUrl(link: LinkView): string
  /** Whether a web address leads back to this link shortener, where a visitor would go in circles. */
  leadsBack(url: string): boolean
  /** A whole address of the API: `apiUrl('/links/lnk_x')`. */
  apiUrl(path: string): string
  /**
   * The visits of links, summed by group; a group without visits is left out. Up to date, but where
   * `context.db` is a transaction: there the visits of the last seconds may be missing.
   */
  visitsBy(groups: LinkGroups): Promise<ReadonlyMap<number, number>>
  /** Give a link a title if it has none, and this one can be seen; for what is found out later. */
  nameLink(link: LinkView, title: string): Promise<void>
  /** Every link there is, a page at a time, oldest first. */
  all(): AsyncIterable<readonly AddressedLink[]>
  /**
   * Remember that this plugin guards a link, or no more, for a reason that is not in the link's fields:
   * what it guards stays shut while it is off. The next visit asks the plugins again, so never say it
   * where `context.db` is a transaction: that visit could come before the commit.
   */
  markGuarded(link: LinkView, isGuarded: boolean): Promise<void>
  /** Forget what was compiled for a link, so that its next visit asks the plugins again. */
  recompile(id: string): void
}

/**
 * The hosts of accounts' own, and where they lead beside their links.
 *
 * @example
 * hosts.block(new Map([['https://example.com/', refuse('blocked', 'It is harmful.', 403)]]))
 */
export interface HostKeeper {
  /** All that links are followed on now. */
  all(): readonly CustomHost[]
  /**
   * Keep hosts from leading to some addresses: visitors get the refusal instead. It takes the place of what
   * this plugin said before, and is forgotten at the stop: say it again in `setup`.
   */
  block(refusals: ReadonlyMap<string, Refusal>): void
}

/**
 * A query on own tables: `db.selectFrom('…').select(['link_id', 'mood_id as group_id'])`.
 *
 * @example
 * await links.visitsBy(db.selectFrom('acme_moods').select(['link_id', 'mood_id as group_id']))
 */
export type LinkGroups = SelectQueryBuilder<Tables, string, { link_id: number; group_id: number }>

/** A plugin's own tables; the plugin knows their columns. */
// biome-ignore lint/suspicious/noExplicitAny: only the plugin knows its tables
export type Tables = any

/**
 * A few values by key, for what is too little for tables of its own. Where `context.db` is a transaction it is in it
 * too. Purging the plugin removes them.
 *
 * @example
 * await store.set('greeting', { text: 'Hello' })
 * await store.get('greeting') // { text: 'Hello' }
 */
export interface Store {
  /** Undefined when there is none. */
  get(key: string): Promise<Json | undefined>
  /**
   * Keep a value in place of the one before. Throws for a key of more than 200 characters or none, for a value of
   * more than 64 KiB as JSON, and when there are 10,000 others.
   */
  set(key: string, value: Json): Promise<void>
  /** Whether there was one. */
  delete(key: string): Promise<boolean>
  /** At most 100 whose keys begin so, by key; `after` goes on behind a key. */
  list(prefix?: string, after?: string): Promise<readonly StoreEntry[]>
}

export interface StoreEntry {
  readonly key: string
  readonly value: Json
}

/**
 * The files that tell where visitors are.
 *
 * @example
 * const since = places.newerBuiltAt('city')
 * if (isOld(since)) await places.replace('city', chunks)
 */
export interface PlaceKeeper {
  /** When the data of the newer file of a fact was put together; undefined: there is none, or it does not say. */
  newerBuiltAt(fact: PlaceFact): Date | undefined
  /**
   * Put an MMDB file in the place of what came with Linnet; both threads read it within half a minute. Throws a sentence
   * when it is none, tells something else or is too large, and then nothing has changed.
   */
  replace(fact: PlaceFact, content: AsyncIterable<Uint8Array>): Promise<void>
}
