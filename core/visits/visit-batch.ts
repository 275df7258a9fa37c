/** Counts of many visits, added up: all that is kept of them. */
export type VisitBatch = readonly LinkCounts[]

export interface LinkCounts {
  /** Row id. */
  readonly linkId: number
  /** Tracked visits; robots are not in it. */
  readonly visits: number
  /** Of the tracked visits, in milliseconds since 1970 UTC; 0 when there is none. */
  readonly lastVisitAt: number
  readonly counts: readonly Count[]
}

export interface Count {
  readonly name: CountName
  /** Since 1970 UTC. */
  readonly hour: number
  readonly count: number
}

/** What a visit counts under. */
export interface CountName {
  readonly dimension: string
  /** At most 128 characters; '' where the dimension has only one. */
  readonly value: string
  /** It counts robots, which are in no link's total. */
  readonly bots: boolean
}
