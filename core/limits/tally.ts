/** Uses of something that servers on one database count together. */
export interface Uses {
  readonly key: string
  readonly seconds: number
  readonly uses: number
}

/** How many uses all servers counted, and how much of the window is left. */
export interface Tallied {
  readonly uses: number
  readonly msLeft: number
}

/** Adds to the shared counts in one statement. Each key must occur only once. Results are in the order of `uses`. */
export type Tally = (uses: readonly Uses[]) => Promise<readonly Tallied[]>
