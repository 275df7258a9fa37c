/** A batch that was stored, opened to be added up. */
export interface StoredBatch {
  /** The row of the link of each part; what a part is, is the batch's own. */
  readonly linkIds: ArrayLike<number>
  /** Add a part to the sums of its link. */
  add(part: number, sums: Sums): void
}

/** What the visits of a link come to. Names go by their number in a table. */
export interface Sums {
  /** Tracked visits; robots are not among them. The last one's moment is in milliseconds since 1970 UTC. */
  visited(visits: number, lastVisitAt: number): void
  /** So many in an hour since 1970 UTC. */
  count(name: number, hour: number, count: number): void
  /** So many visits that left a mark under a name, on a UTC day since 1970. */
  mark(name: number, day: number, visits: number, mark: number): void
}
