import type { SelectQueryBuilder } from 'kysely'
import type { ApiTool, Called, Method } from './called.ts'
import type { Event } from './event.ts'
import type { Json } from './fields.ts'
import type { Mailer, Notices } from './messages.ts'
import type { Later, Refusal } from './outcomes.ts'
import type { Tables } from './plugin-tables.ts'
import type { FetchOptions } from './services/fetch.ts'
import type { Measures } from './services/measures.ts'
import type { Numbers, NumbersOf } from './services/numbers.ts'
import type { TokenKeeper } from './token-keeper.ts'
import type { ImaginedVisit, LinkView, PlaceFact, SavedLink, Visit } from './visit.ts'
import type { PastCounts } from './write-links.ts'

/**
 * What one or two plugins have tried so far, as `context.unstable`. It may change with any version of Linnet.
 *
 * @example
 * const { name } = context.unstable.brand()
 */
export interface Unstable {
  readonly links: UnstableLinks
  readonly hosts: HostKeeper
  readonly codes: CodeKeeper
  readonly tokens: TokenKeeper
  readonly geoip: PlaceKeeper
  readonly mail: Mailer
  readonly notices: Notices
  readonly signIn: SignInKeeper
  readonly files: PluginFiles
  readonly secrets: SecretKeeper
  /** Who accounts are, such as those of actors of events. */
  readonly accounts: AccountFinder
  /**
   * Calls the API in the name of an account, which has to have agreed to it, as with a session of it that is not new and gives no
   * password: what other plugins keep is read and written as they declare it. Texts are in `language`, such as `de`. Throws where
   * `context.db` is a transaction.
   */
  callApi(
    accountId: number,
    method: Method,
    path: string,
    body?: Json,
    language?: string,
  ): Promise<Called>
  /**
   * The operations of the API, those of plugins among them, that say what they do for language models, in the order of the
   * description of the API. The list is the same until a plugin is switched. Call them with `call` of a mount, so that the
   * scopes of the token apply.
   */
  tools(): readonly ApiTool[]
  /** The plans that accounts can be on, in the order in which they are shown. */
  plans(): readonly KnownPlan[]
  /** Why `context.fetch` would not fetch a URL, as far as that can be told without the DNS; undefined if nothing is in the way. */
  whyNoFetch(url: string, options?: Pick<FetchOptions, 'toOwnNetwork'>): string | undefined
  /** The TXT records of a name in the DNS; empty if there are none. Throws if no server answers. */
  resolveTxt(name: string): Promise<readonly string[]>
  /** Analytics, up to date; undefined if the account has nothing at `path`. Throws when too many are being computed. */
  readNumbers(of: NumbersOf): Promise<Numbers | undefined>
  /**
   * Whether the account has anything at `path`. Undefined if that is not known now, because the plugin that has such
   * paths is off or failed.
   */
  hasNumbers(of: Pick<NumbersOf, 'accountId' | 'path'>): Promise<boolean | undefined>
  /** The branding that an admin set for pages that visitors see. Use it for pages of a mount. */
  brand(): Presented
  /** Returns an invented visit, to try out guards and targets. It is not counted. */
  imagineVisit(link: LinkView, imagined: ImaginedVisit): Visit
  /**
   * Tells plugins that hear of a kind of thing what happened to one, in the transaction `within`, or else in that of
   * `context.db`, or in one of its own. `make` is called only if there are such plugins. Linnet's own kinds throw.
   */
  tell(kind: string, make: () => Later<OwnEvent>, within?: Transacting): Promise<void>
  /**
   * Chooses the kinds of things that the plugin's `events` hear of, in the transaction of `context.db` if it is one: of what
   * happens after it they do. `*` is every kind. Other servers on the database learn of it within seconds. The plugin must set
   * `unstable.hears`.
   */
  hear(kinds: readonly string[]): Promise<void>
  /** The kinds of things that Linnet and the plugins that run tell of, in no order. Not known in the first `setup`. */
  kinds(): readonly string[]
  /** False while a global switch turns off the plugin or one that it needs. */
  isOn(): boolean
  /** How the instance runs, in numbers. Takes some milliseconds. The plugin must set `unstable.measures`. */
  measure(): Promise<Measures>
}

/**
 * Tells who accounts are, for people who may know it. Keep row ids, and ask for addresses where they are shown: they change, and
 * of a deleted account nobody should find more here.
 *
 * @example
 * const [who] = await context.unstable.accounts.find([link.accountId])
 */
export interface AccountFinder {
  /** Those of at most 1,000 accounts that there are, by their row ids, in no order. */
  find(accountIds: readonly number[]): Promise<readonly KnownAccount[]>
  /** All of them, oldest first, a page at a time. */
  all(): AsyncIterable<readonly KnownAccount[]>
  /** The account with an e-mail address, in upper or lower case. */
  byEmail(email: string): Promise<KnownAccount | undefined>
  /**
   * Makes an account for somebody who has shown that the address is theirs, as by a link in a mail, and who chose the password. On the
   * usual plan, unless it names one of `plans()`. Refused: `validation_failed`, `email_taken`, and `passwords_off` while nobody may
   * sign in by password. Throws where `context.db` is a transaction.
   */
  create(draft: {
    readonly email: string
    readonly password: string
    readonly plan?: string | undefined
  }): Promise<KnownAccount | Refusal>
}

/** Who an account is. */
export interface KnownAccount {
  /** Row id. */
  readonly accountId: number
  /** Public id, as in the API of admins. */
  readonly id: string
  readonly email: string
  readonly fullName: string | null
  /** The slug of its plan. */
  readonly plan: string
  readonly isAdmin: boolean
  /** Whether an admin suspended it: do nothing in its name, and send nothing to it. */
  readonly isSuspended: boolean
}

/**
 * A plan of the instance.
 *
 * @example
 * const names = context.unstable.plans().filter(it => it.isEnough).map(it => it.name)
 */
export interface KnownPlan {
  readonly slug: string
  readonly name: string
  /** Whether it includes this plugin, and that is on for everybody. */
  readonly isEnough: boolean
}

/**
 * The accounts that sign in only with a second step of this plugin, and the sessions that its providers opened.
 *
 * @example
 * await context.unstable.signIn.requireStep(caller.accountId, true)
 */
export interface SignInKeeper {
  /**
   * Notes whether an account needs the `steps` of this plugin to sign in. It stays so until it is called with false, also
   * while the plugin is off: the account is closed then. On the server, `linnet account reset-second-factor` ends it, and the
   * plugin hears of `step.deleted` if it has `events` of the kind `step`. Throws if the plugin has no steps.
   */
  requireStep(accountId: number, isRequired: boolean): Promise<void>
  /** Whether an account needs them now. */
  isRequired(accountId: number): Promise<boolean>
  /**
   * Ends the sessions that were opened, or proven again last, by what ended at a provider. False if there is none. Throws if the
   * plugin has no providers.
   */
  endSessions(ended: EndedThere): Promise<boolean>
}

/** What ended at a provider: all sessions of somebody, or one. Without a subject or a session it is an error. */
export interface EndedThere {
  readonly issuer: string
  readonly subject?: string
  readonly session?: string
}

/**
 * A transaction that `context.db` made.
 *
 * @example
 * db.transaction().execute(async tx => unstable.tell('note', () => changed(tx), tx))
 */
export interface Transacting {
  readonly isTransaction: boolean
  withoutPlugins(): object
}

/**
 * What happened to a thing of a plugin.
 *
 * @example
 * const event: OwnEvent = { what: 'created', accountId: caller.accountId, before: null, after: shown }
 */
export interface OwnEvent extends Pick<Event, 'accountId' | 'before' | 'after'> {
  readonly what: 'created' | 'updated' | 'deleted'
  /** Default: the members of `before` and `after` that differ. */
  readonly changed?: readonly string[]
}

/**
 * More that can be done with links.
 *
 * @example
 * await context.unstable.links.nameLink(link, 'Spring sale')
 */
export interface UnstableLinks {
  /** Earlier short codes that still lead to the links, oldest first, by `rowId`. */
  formerCodes(links: readonly LinkView[]): Promise<ReadonlyMap<number, readonly string[]>>
  /**
   * All-time visits of links, summed by `group_id`. Groups without visits are left out. Up to date, except where
   * `context.db` is a transaction: there the visits of the last seconds may be missing.
   */
  visitsBy(groups: LinkGroups): Promise<ReadonlyMap<number, number>>
  /**
   * How often links were visited in the hour that contains a moment, in UTC: of all accounts, oldest first, a page at a time.
   * Links without visits are left out. It reads a row of each link that was ever visited.
   */
  visitsIn(hour: Date): AsyncIterable<readonly LinkVisits[]>
  /**
   * All there is of the links of an account, by row id, oldest first, a page at a time. Each page is as it is when it is read.
   */
  whole(accountId: number): AsyncIterable<readonly WholeLink[]>
  /**
   * The dated visits of links as `addVisits` takes them, in parts of whole days, oldest first: link by link, in the order of
   * their row ids. Links without any are left out. Many links together take far less time than each by itself.
   */
  histories(links: readonly LinkView[]): AsyncIterable<LinkHistory>
  /** What takes part when links are followed, and the plugin's own fields, by `rowId`. */
  partsOf(links: readonly LinkView[]): Promise<ReadonlyMap<number, LinkParts>>
  /** Sets the title of a link if it has none and `title` has a visible character. */
  nameLink(link: LinkView, title: string): Promise<void>
  /**
   * Records whether this plugin guards a link for a reason that is not in the link's fields. A guarded link stays closed
   * while the plugin is off. The next visit calls `guard` again. Do not call this where `context.db` is a transaction,
   * because that visit may come before the commit.
   */
  markGuarded(link: LinkView, isGuarded: boolean): Promise<void>
}

/**
 * How often a link was visited.
 *
 * @example
 * for await (const page of links.visitsIn(hour)) for (const { link, visits } of page) say(link.id, visits)
 */
export interface LinkVisits {
  readonly link: LinkView
  readonly visits: number
}

/** A part of the dated visits of a link. */
export interface LinkHistory {
  readonly link: LinkView
  readonly counts: readonly PastCounts[]
}

/**
 * A link with all that belongs to it, but its visits.
 *
 * @example
 * for await (const page of links.whole(accountId)) for (const { link, settable } of page) await write(link, settable)
 */
export interface WholeLink {
  readonly link: SavedLink
  /** What `links.create` takes of it, without what is null, and without its code and its host. */
  readonly settable: Readonly<Record<string, Json>>
  /** As `GET /links/:id` shows it, with names in camelCase. */
  readonly shown: Readonly<Record<string, Json>>
  /** The hashes of its sealed fields, as `links.create` takes them. */
  readonly hashed: Readonly<Record<string, string>>
  /** Other codes that lead to it, oldest first. '' is the host of the base URL. */
  readonly formerCodes: readonly { readonly domain: string; readonly code: string }[]
}

/**
 * What takes part when a link is followed.
 *
 * @example
 * const isForAllAlike = parts.guards.length === 0 && parts.targets.length === 0
 */
export interface LinkParts {
  /** The features that guard it. */
  readonly guards: readonly string[]
  /** The features that may choose its address: those that have a `target`, and no fields or a stored one of this link. */
  readonly targets: readonly string[]
  /** The stored values of this plugin's fields. */
  readonly own: Readonly<Record<string, Json>>
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
 * A custom host, on which links of its account are followed, or of all accounts.
 *
 * @example
 * hosts: () => [{ name: 'go.example.org', accountId: 1, rootUrl: null, notFoundUrl: null }]
 */
export interface CustomHost {
  /** In lower case and punycode, without a port, such as `links.example.org`. */
  readonly name: string
  /** Row id of the account. Links of other accounts are not followed on this host. Null: it is the instance's, for links of all. */
  readonly accountId: number | null
  /** Where `/` leads. Null: `/` is answered like an unknown code. */
  readonly rootUrl: string | null
  /** Where unknown codes lead. Null: visitors get a page with 404. */
  readonly notFoundUrl: string | null
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
 * A query on the plugin's own tables that selects `link_id` and the `group_id` to sum by.
 *
 * @example
 * await links.visitsBy(db.selectFrom('acme_moods').select(['link_id', 'mood_id as group_id']))
 */
export type LinkGroups = SelectQueryBuilder<Tables, string, { link_id: number; group_id: number }>

/**
 * The MMDB files that map addresses to places.
 *
 * @example
 * const since = geoip.newerBuiltAt('city')
 * if (isOld(since)) await geoip.replace('city', chunks)
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

/**
 * Files of the plugin, in a folder of its own on this server: for dimensions that look visits up in one. They are no part of backups,
 * so keep only what can be fetched again.
 *
 * @example
 * if (isOld(files.writtenAt('networks.csv'))) await files.replace('networks.csv', fetched.body)
 */
export interface PluginFiles {
  /**
   * Writes a file in one step, in place of any that there is. Throws if the name has other letters than small ones, digits, dots,
   * hyphens and underscores, for more than 256 MiB, and if there are a hundred files.
   */
  replace(name: string, content: Uint8Array): Promise<void>
  /** Where it is, or would be. */
  pathOf(name: string): string
  /** When it was written; undefined if there is none. */
  writtenAt(name: string): Date | undefined
  /** Deletes it, if there is one. */
  remove(name: string): Promise<void>
}

/**
 * Hides what the plugin has to read again, such as a key for another server, where its own tables keep it. The key is in the
 * database too, and so in backups: it keeps secrets from whoever sees some rows, not from whoever has all of it. What need not be
 * read again is better kept as a digest.
 *
 * @example
 * await db.insertInto(table).values({ secret: context.unstable.secrets.hide(secret) }).execute()
 */
export interface SecretKeeper {
  /** Encrypts a text. It is longer than the text by half and some 40 characters, of letters, digits, `-` and `_`. */
  hide(text: string): string
  /** Undefined for what this plugin of this instance did not hide, and for what was changed since. */
  reveal(hidden: string): string | undefined
}

/**
 * Which short codes a host has, and when two of them are the same. Where nobody said anything it is `narrow`, `exact` and
 * `strict`.
 *
 * @example
 * const rules: CodeRules = { grammar: 'wide', codes: 'any_case', hyphens: 'strict' }
 */
export interface CodeRules {
  /** `narrow`: 1 to 64 letters, digits, `-` and `_`. `wide`: paths with slashes, letters of all scripts and emojis. */
  readonly grammar: 'narrow' | 'wide'
  /** `any_case`: `/Spring` and `/SPRING` lead to the link with the code `spring`. */
  readonly codes: 'exact' | 'any_case'
  /** `ignored`: `/spring-sale` leads to the link with the code `springsale`. */
  readonly hyphens: 'strict' | 'ignored'
}

/**
 * The rules for short codes of each host.
 *
 * @example
 * const { grammar } = codes.rulesOf('')
 */
export interface CodeKeeper {
  /** The rules on a host; empty for the host of the base URL. */
  rulesOf(host: string): CodeRules
  /**
   * Changes the rules of a host, for links that there are and those to come. Refused if codes that exist would be the same,
   * or could not be followed any more: no link is lost by it. Takes some seconds for a million links, in which no other link
   * is saved. `isDry`: only says whether it would be refused.
   */
  change(host: string, rules: CodeRules, isDry?: boolean): Promise<Refusal | undefined>
}
