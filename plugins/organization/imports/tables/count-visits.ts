import type { Counting } from './counting.ts'
import { type FoundVisit, valuesOfVisit } from './values-of-visit.ts'

/** A visit of a link, as another program keeps it. */
export interface DatedVisit extends FoundVisit {
  readonly link: string
  /** Undefined if nobody can tell when it was. */
  readonly at: Date | undefined
  /** What the program says of it. Default: what its user agent says. */
  readonly isBot?: boolean
}

/** Adds up visits that are found in rows, those of robots apart. */
export async function countVisits<Row>(
  rows: AsyncIterable<Row>,
  counting: Counting,
  visitOf: (row: Row) => DatedVisit | undefined,
): Promise<void> {
  for await (const row of rows) {
    const visit = visitOf(row)
    if (!visit) continue
    const { link, at, agent, isBot = agent.bot } = visit
    if (isBot) counting.add({ link, at, visits: 0, bots: 1 })
    else counting.add({ link, at, by: valuesOfVisit(visit) })
    if (counting.isFull()) await counting.store()
  }
  await counting.store()
}
