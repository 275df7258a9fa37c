import type { NameTable } from './name-table.ts'

/** Counts of many visits, added up. */
export interface VisitBatch {
  readonly names: NameTable
  /** In the order of their ids, each once. */
  readonly links: readonly LinkCounts[]
}

export interface LinkCounts {
  /** Row id. */
  readonly linkId: number
  /** Tracked visits, without robots. */
  readonly visits: number
  /** The time of the last tracked visit, in milliseconds since 1970 UTC; 0 if there is none. */
  readonly lastVisitAt: number
  readonly counts: Counts
  readonly marked: readonly Marked[]
}

/** Counts in sequence, `countLength` numbers each: there are too many for one object each. */
export type Counts = readonly number[]

export const countLength = 3

export interface Count {
  /** The number of a name in the batch's table. */
  readonly name: number
  /** Hours since 1970 UTC. */
  readonly hour: number
  readonly count: number
}

/** The count at a position. */
export function countAt(counts: Counts, at: number): Count {
  return { name: counts[at] ?? 0, hour: counts[at + 1] ?? 0, count: counts[at + 2] ?? 0 }
}

/** The marks that the values of a `distinct` dimension left on a day. */
export interface Marked {
  /** The number of a name in the batch's table; its value is ''. */
  readonly name: number
  /** UTC days since 1970. */
  readonly day: number
  /** How many visits had a value. */
  readonly visits: number
  /** In any order, as often as they came. */
  readonly marks: readonly number[]
}
