import type { Agent } from '../lib/agent.ts'

/**
 * A visit. `agent` and `place` are computed when they are first read.
 *
 * @example
 * guard: () => ({ at, language }) => (at.getUTCHours() < 9 ? closedIn(language) : undefined)
 */
export interface Visit {
  readonly link: LinkView
  /** When the request arrived. */
  readonly at: Date
  /** The IP address of the client, such as `203.0.113.7`; empty if unknown. */
  readonly ip: string
  /** A key of the client for `guess` and `throttle`: its IPv4 address, or its IPv6 /64 network. */
  readonly visitor: string
  /** The header `User-Agent`, at most 512 bytes. */
  readonly userAgent: string
  /** The header `Referer`, at most 512 bytes. */
  readonly referer: string
  /** The header `Accept-Language`, at most 512 bytes. */
  readonly language: string
  /** The query of the short URL, read anew each time. */
  readonly query: URLSearchParams
  /**
   * What a `follow` said that stands behind the short code, such as `a/b%20c`, as it was sent; empty for all other visits.
   * Dimensions do not see it, because people put secrets there.
   */
  readonly rest: string
  /** The answers to the questions of an `ask`, by `name`. */
  readonly answers: Readonly<Record<string, string>>
  /** The variants that targets chose, by `feature`. Only dimensions see them. */
  readonly variants: Readonly<Record<string, string>>
  readonly agent: Agent
  /** Unknown to plugins that do not declare `reads`. */
  readonly place: Place
}

/**
 * A visit to a path that leads to no link, with the facts of the visitor that guards get, but for the address.
 *
 * @example
 * unstable: { unknown: ({ host, path }) => (host === '' ? redirect(`https://example.com/${path}`) : undefined) }
 */
export interface UnknownVisit extends Omit<Visit, 'ip' | 'link' | 'answers' | 'variants' | 'rest'> {
  /** The custom host; empty for the host of the base URL. */
  readonly host: string
  /** Row id of the account that has the custom host; undefined on hosts of the instance. */
  readonly accountId: number | undefined
  /** As it was sent, without its first slash and without the query, such as `Spring`, `spring+` or `a/b%20c`. */
  readonly path: string
}

/**
 * A visit that would be counted.
 *
 * @example
 * unstable: { seesOwner: true, counts: ({ byOwner }) => !byOwner }
 */
export interface CountedVisit extends Visit {
  /**
   * Whether the browser is signed in as the account that owns the link. It can be true only on the host of the dashboard, whose
   * cookie no other host gets, and only while a plugin sets `unstable.seesOwner`.
   */
  readonly byOwner: boolean
}

/**
 * The request of an imagined visit.
 *
 * @example
 * imagineVisit(link, { at: now(), ip: '192.0.2.1', userAgent: '', language: 'de', query: 'a=1' })
 */
export interface ImaginedVisit {
  readonly at: Date
  readonly ip: string
  readonly userAgent: string
  /** The header `Accept-Language`. */
  readonly language: string
  /** Without the question mark. */
  readonly query: string
}

/** The location of a visitor's IP address; undefined where it is unknown. */
export interface Place {
  /** ISO 3166-1 alpha-2, in capitals. Needs `reads: ['place']`. */
  readonly country: string | undefined
  /** Needs `reads: ['city']`. */
  readonly city: City | undefined
}

/** The part of a place that a plugin reads: `place` is the country, `city` the city. */
export type PlaceFact = 'place' | 'city'

/** A city. Its country comes from a different file than the country of `Place`, and may differ from it. */
export interface City {
  /** In English, such as `Springfield`, without its district. */
  readonly name: string
  /** The state or province, in English. */
  readonly region: string | undefined
  /** ISO 3166-1 alpha-2, in capitals. */
  readonly country: string
}

/** A link. */
export interface LinkView {
  /** Its public id, such as `lnk_8rTzQ3nW`. */
  readonly id: string
  /** Its row id, for foreign keys in the plugin's tables; 0 before it is saved. */
  readonly rowId: number
  /** Row id of the account that owns it. */
  readonly accountId: number
  /** Its host; empty for the host of the base URL. */
  readonly domain: string
  readonly shortCode: string
  readonly originalUrl: string
}

/** A saved link with its title. */
export interface SavedLink extends LinkView {
  readonly title: string | null
}

/** A saved link with all URLs that it may lead to. */
export interface AddressedLink extends SavedLink {
  /** The original URL first, then the URLs in fields of plugins. */
  readonly addresses: readonly LinkAddress[]
}

/** A link that was changed. */
export interface UpdatedLink extends AddressedLink {
  /**
   * What the change was about: of `domain`, `shortCode`, `originalUrl`, `title`, `notes`, `archived` and the fields of
   * plugins, the names of those that have another value now.
   */
  readonly changed: readonly string[]
}

/**
 * A URL that a link may lead to, and the field that has it, such as `originalUrl`.
 *
 * @example
 * addresses: ({ rootUrl }) => (rootUrl ? [{ field: 'rootUrl', url: rootUrl }] : [])
 */
export interface LinkAddress {
  readonly field: string
  readonly url: string
}
