import type { Tx } from '../../storage/database.ts'
import { createMergeRows } from '../tables/merge-rows.ts'
import type { IdsOfNames } from '../tables/name-ids.ts'
import { packSketch } from '../tables/sketch.ts'
import {
  type SketchesTable,
  sketchesOfAccounts,
  sketchesOfLinks,
} from '../tables/sketches-table.ts'
import type { VisitBatch } from '../wire/visit-batch.ts'
import type { VisitedLink } from './add-to-totals.ts'

/**
 * Creates the function that adds the marks of a batch to the sketches of links and of their accounts. Neither number
 * follows from the other, because a visitor of two links counts once for the account.
 */
export function createAddToSketches(): (
  tx: Tx,
  batch: VisitBatch,
  links: ReadonlyMap<number, VisitedLink>,
  ids: IdsOfNames,
) => Promise<void> {
  const mergeOfLinks = createMergeSketches(sketchesOfLinks)
  const mergeOfAccounts = createMergeSketches(sketchesOfAccounts)
  return async (tx, batch, links, ids) => {
    const ofLinks = marksOfLinks(batch, links, ids)
    await mergeOfLinks(tx, ofLinks)
    await mergeOfAccounts(tx, marksOfAccounts(ofLinks, links))
  }
}

/** The numbers of the names that have marks. */
export function markedNames({ links }: VisitBatch): ReadonlySet<number> {
  return new Set(links.flatMap(({ marked }) => marked.map(({ name }) => name)))
}

/** A batch has each link once, and each link has each dimension and day once. */
function marksOfLinks(
  batch: VisitBatch,
  links: ReadonlyMap<number, VisitedLink>,
  ids: IdsOfNames,
): readonly OwnedMarks[] {
  return batch.links
    .filter(({ linkId }) => links.has(linkId))
    .flatMap(({ linkId, marked }) =>
      marked.map(({ name, ...marks }) => ({
        owner: linkId,
        dimension: ids.dimensionOf(name),
        ...marks,
      })),
    )
}

/** The marks of all links of an account together, by dimension and day. */
function marksOfAccounts(
  ofLinks: readonly OwnedMarks[],
  links: ReadonlyMap<number, VisitedLink>,
): readonly OwnedMarks[] {
  const all = new Map<string, OwnedMarks & { visits: number; marks: number[] }>()
  for (const { owner: linkId, dimension, day, visits, marks } of ofLinks) {
    const owner = links.get(linkId)?.accountId
    if (owner === undefined) continue
    const key = `${owner} ${dimension} ${day}`
    const together = all.get(key) ?? { owner, dimension, day, visits: 0, marks: [] }
    all.set(key, together)
    together.visits += visits
    for (const mark of marks) together.marks.push(mark)
  }
  return [...all.values()]
}

/** Marks for one sketch. */
interface OwnedMarks {
  /** The id of its link or account. */
  readonly owner: number
  /** Id from `visit_names`. */
  readonly dimension: number
  /** UTC days since 1970. */
  readonly day: number
  /** How many visits left the marks. */
  readonly visits: number
  readonly marks: readonly number[]
}

/** Creates the function that adds marks to the sketches of a table, each key once. */
function createMergeSketches({
  table,
  owner,
}: SketchesTable): (tx: Tx, rows: readonly OwnedMarks[]) => Promise<void> {
  return createMergeRows({
    table,
    key: [owner, 'dimension', 'day'],
    others: ['visits', 'sketch'],
    keyOf: (it: OwnedMarks) => [it.owner, it.dimension, it.day],
    merge: ({ visits, marks }, before) => [
      visits + (before?.visits ?? 0),
      packSketch(marks, before?.sketch),
    ],
  })
}
