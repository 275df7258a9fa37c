/** Uses of something that servers on one database count together. */
export interface Uses {
  readonly key: string
  readonly seconds: number
  readonly uses: number
}

/** What all servers counted of it, and how long its window lasts yet. */
export interface Tallied {
  readonly uses: number
  readonly msLeft: number
}

/** Adds to what is counted by all, in one statement; keys differ. Answers are in the order of what was given. */
export type Tally = (uses: readonly Uses[]) => Promise<readonly Tallied[]>
