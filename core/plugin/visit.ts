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
  /** Number of its row, for foreign keys of a plugin's tables. */
  readonly rowId: number
  readonly domain: string
  readonly shortCode: string
  readonly originalUrl: string
}
