import type { Tx } from '../../storage/database.ts'
import { createMergeSketches, type OwnedMarks } from '../tables/merge-sketches.ts'
import { sketchesOfAccounts, sketchesOfLinks } from '../tables/sketches-table.ts'
import type { VisitBatch } from '../wire/visit-batch.ts'
import type { VisitedLink } from './add-to-totals.ts'
import type { IdsOfNames } from './ids-of-names.ts'

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
