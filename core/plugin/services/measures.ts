/** How the instance runs, in numbers. Counts begin at the start of the process and never decrease. */
export interface Measures {
  /** The number of the process, if several share a port. Only this process is measured. */
  readonly worker?: string | undefined
  /** Visits by kind of answer. Counted only while a plugin with `measures` is on. */
  readonly answers: Readonly<Record<AnswerKind, number>>
  /** How long answers took, for one visit in 64. */
  readonly answerSeconds: Timings
  /** Number of links in the cache. */
  readonly cachedLinks: number
  readonly visits: {
    /** Visits that have been answered but not stored yet. */
    readonly waiting: number
    /** Visits that were not counted because too many waited. */
    readonly dropped: number
    /** Batches of visits that are stored but not counted yet. */
    readonly unfolded: number
  }
  /** The checks of `/health/ready`, by name: 0 is ok, 1 is degraded, 2 is failing. */
  readonly health: Readonly<Record<string, 0 | 1 | 2>>
  /** Failures in a row, by hook, such as `link.x guard`. Hooks that work are left out. */
  readonly failingHooks: Readonly<Record<string, number>>
  readonly jobs: readonly {
    readonly name: string
    /** True if the last run failed or was aborted. */
    readonly isFailed: boolean
    /** When the last run ended; null before the first. */
    readonly endedAt: Date | null
  }[]
  /** Sizes of the database, of its log, and free space, in bytes. Absent if the database is not a local file. */
  readonly disk?: { readonly database: number; readonly log: number; readonly free: number }
}

/** Kinds of answers to a visit: a redirect, a page, not found, a refusal or a question, an error. */
export type AnswerKind = 'redirected' | 'shown' | 'not_found' | 'refused' | 'failed'

export interface Timings {
  /** For each upper bound in seconds, the number of answers that took at most that long. */
  readonly upTo: readonly (readonly [seconds: number, count: number])[]
  readonly count: number
  /** The sum of all durations, in seconds. */
  readonly sum: number
}
