/** A link, by its row, and how often it was ever visited. */
export interface VisitedRow {
  readonly id: number
  readonly visits: number
}

/** Links that are read at once: so many, or fewer that have about so many rows of counts. */
const linksAtOnce = 500
const rowsAtOnce = 3_000

/** Rows of counts that a link has at most in a year, when hours become days. */
const mostRows = 2_000

/** Links in their order, as many together as one question may ask about. A link has no more rows than visits, but for robots. */
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
