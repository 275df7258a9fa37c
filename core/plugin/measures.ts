/** How the instance runs, in numbers. Counts are since the start of the process, and never go down. */
export interface Measures {
  /** Visits by what they were answered; only while a plugin that is on says `measures`. */
  readonly answers: Readonly<Record<AnswerKind, number>>
  /** How long answers took in this process, of one visit in 64. */
  readonly answerSeconds: Timings
  /** Links that are followed without the database. */
  readonly cachedLinks: number
  readonly visits: {
    /** Answered, and not stored yet. */
    readonly waiting: number
    /** Never counted: too many waited. */
    readonly dropped: number
    /** Batches that are stored and not in the counts yet. */
    readonly unfolded: number
  }
  /** 0: well, 1: degraded, 2: failing; by part, as `/health/ready` has them. */
  readonly health: Readonly<Record<string, 0 | 1 | 2>>
  /** How often in a row hooks failed, as `link.x guard`; those that work are left out. */
  readonly failingHooks: Readonly<Record<string, number>>
  readonly jobs: readonly {
    readonly name: string
    /** Whether the last run failed or was broken off. */
    readonly isFailed: boolean
    /** When it ended. */
    readonly endedAt: Date | null
  }[]
  /** In bytes; absent when the database is not a file of ours. */
  readonly disk?: { readonly database: number; readonly log: number; readonly free: number }
}

/** What a visit was answered: sent on, shown a page, not found, turned away or asked for something, or failed. */
export type AnswerKind = 'redirected' | 'shown' | 'not_found' | 'refused' | 'failed'

export interface Timings {
  /** How many took at most so many seconds, by the bound. */
  readonly upTo: readonly (readonly [seconds: number, count: number])[]
  readonly count: number
  /** All of them together, in seconds. */
  readonly sum: number
}
