/**
 * One visit, read-only. `agent` and `place` are worked out once, when first read.
 *
 * @example
 * guard: () => ({ at, language }) => (at.getUTCHours() < 9 ? closedIn(language) : undefined)
 */
export interface Visit {
  readonly link: LinkView
  readonly at: Date
  /** The client's address as text, mapped IPv4 unwrapped; empty when unknown. */
  readonly ip: string
  /** One key per visitor for `guess` and `throttle`: the IPv4 address, or the /64 network of an IPv6 one. */
  readonly visitor: string
  /** At most 512 bytes of each header. */
  readonly userAgent: string
  readonly referer: string
  readonly language: string
  readonly query: URLSearchParams
  /** What the visitor filled in on an asking page. */
  readonly answers: Readonly<Record<string, string>>
  /** What targets noted when they chose the address, by feature; only dimensions see it. */
  readonly notes: Readonly<Record<string, string>>
  readonly agent: Agent
  /** Known only to plugins that declare what of it they read: nowhere, while no plugin does. */
  readonly place: Place
}

/**
 * What is given to try out a visit that nobody made.
 *
 * @example
 * imagineVisit(link, { at: now(), ip: '192.0.2.1', userAgent: '', language: 'de', query: 'a=1' })
 */
export interface ImaginedVisit {
  readonly at: Date
  readonly ip: string
  readonly userAgent: string
  /** As `Accept-Language` says it. */
  readonly language: string
  /** Without the question mark. */
  readonly query: string
}

/** What a user agent says of itself; undefined where it says nothing. */
export interface Agent {
  readonly browser: string | undefined
  readonly os: string | undefined
  readonly device: 'desktop' | 'mobile' | 'tablet' | 'other' | undefined
  readonly bot: boolean
}

/** Where a visitor is, as far as the address tells; undefined when unknown. */
export interface Place {
  /** ISO 3166-1 alpha-2, in capitals; known to plugins that declare `reads: ['place']`. */
  readonly country: string | undefined
  /** Known to plugins that declare `reads: ['city']`. */
  readonly city: City | undefined
}

/** What of a place a plugin reads: `place` is its country, `city` its city. */
export type PlaceFact = 'place' | 'city'

/** A city, and where it is: its country may differ from the place's, which another file tells. */
export interface City {
  /** In English, as `Springfield`; without its district. */
  readonly name: string
  /** The state or province, in English. */
  readonly region: string | undefined
  /** ISO 3166-1 alpha-2, in capitals. */
  readonly country: string
}

/** What a plugin may know of a link. */
export interface LinkView {
  readonly id: string
  /** Number of its row, for foreign keys of a plugin's tables; 0 while it is about to be made. */
  readonly rowId: number
  readonly domain: string
  readonly shortCode: string
  readonly originalUrl: string
}

/** A link as it is saved, and whose it is. */
export interface SavedLink extends LinkView {
  /** Number of its account's row. */
  readonly accountId: number
  readonly title: string | null
}

/** A saved link with all that it may lead to. */
export interface AddressedLink extends SavedLink {
  /** The original URL, then those in fields of plugins. */
  readonly addresses: readonly LinkAddress[]
}

/**
 * An address that a link may lead to, and the field that has it, as `originalUrl`.
 *
 * @example
 * addresses: ({ rootUrl }) => (rootUrl ? [{ field: 'rootUrl', url: rootUrl }] : [])
 */
export interface LinkAddress {
  readonly field: string
  readonly url: string
}
