/** A link, by row id, and its visits of all time. */
export interface VisitedRow {
  readonly id: number
  readonly visits: number
}

/** How many links to read at once: this many, or as many as have about this many rows of counts. */
const linksAtOnce = 500
const rowsAtOnce = 3_000

/** How many rows of counts a link has at most in a year, when hours become days. */
const mostRows = 2_000

/**
 * Splits links, in order, into portions that one query may ask for. A link has no more rows than visits, except for
 * robots.
 */
export function* portionsOf(links: readonly VisitedRow[]): Generator<readonly VisitedRow[]> {
  let portion: VisitedRow[] = []
  let rows = 0
  for (const link of links) {
    portion.push(link)
    rows += Math.min(Number(link.visits), mostRows)
    if (portion.length < linksAtOnce && rows < rowsAtOnce) continue
    yield portion
    portion = []
    rows = 0
  }
  if (portion.length > 0) yield portion
}
