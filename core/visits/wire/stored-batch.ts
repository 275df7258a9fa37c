/** A stored batch, opened to be added up. */
export interface StoredBatch {
  /** The id of the link of each part; what a part is depends on the format. */
  readonly linkIds: ArrayLike<number>
  /** Add a part to the sums of its link. */
  add(part: number, sums: Sums): void
}

/** Receives the sums of a link. Names are given by their number in a table. */
export interface Sums {
  /** Tracked visits, without robots; the time of the last one is in milliseconds since 1970 UTC. */
  visited(visits: number, lastVisitAt: number): void
  /** A count in an hour, in hours since 1970 UTC. */
  count(name: number, hour: number, count: number): void
  /** Visits that left a mark under a name on a UTC day, in days since 1970. */
  mark(name: number, day: number, visits: number, mark: number): void
}
