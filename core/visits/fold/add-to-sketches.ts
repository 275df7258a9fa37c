import type { Tx } from '../../storage/database.ts'
import { createMergeSketches, type OwnedMarks } from '../tables/merge-sketches.ts'
import type { NameIds } from '../tables/name-ids.ts'
import { sketchesOfAccounts, sketchesOfLinks } from '../tables/sketches-table.ts'
import type { VisitBatch } from '../wire/visit-batch.ts'
import type { VisitedLink } from './add-to-totals.ts'

/**
 * Creates the function that adds the marks of a batch to the sketches of links and of their accounts. Neither number
 * follows from the other, because a visitor of two links counts once for the account.
 */
export function createAddToSketches(
  nameIds: NameIds,
): (tx: Tx, batch: VisitBatch, links: ReadonlyMap<number, VisitedLink>) => Promise<void> {
  const mergeOfLinks = createMergeSketches(sketchesOfLinks)
  const mergeOfAccounts = createMergeSketches(sketchesOfAccounts)
  return async (tx, batch, links) => {
    const ofLinks = await marksOfLinks(tx, batch, links, nameIds)
    if (ofLinks.length === 0) return
    await mergeOfLinks(tx, ofLinks)
    await mergeOfAccounts(tx, marksOfAccounts(ofLinks, links))
  }
}

/** A batch has each link once, and each link has each dimension and day once. */
async function marksOfLinks(
  tx: Tx,
  batch: VisitBatch,
  links: ReadonlyMap<number, VisitedLink>,
  nameIds: NameIds,
): Promise<readonly OwnedMarks[]> {
  const dimensions = await dimensionsOf(tx, batch, nameIds)
  const all: OwnedMarks[] = []
  for (const { linkId, marked } of batch.links) {
    if (!links.has(linkId)) continue
    for (const { name, day, visits, marks } of marked) {
      const dimension = dimensions.get(name)
      if (dimension !== undefined) all.push({ owner: linkId, dimension, day, visits, marks })
    }
  }
  return all
}

/** The ids of the dimensions that have marks, by the number of the name. */
async function dimensionsOf(
  tx: Tx,
  { names, links }: VisitBatch,
  nameIds: NameIds,
): Promise<ReadonlyMap<number, number>> {
  const texts = new Map<number, string>()
  for (const { marked } of links) {
    for (const { name } of marked) {
      if (!texts.has(name)) texts.set(name, names.name(name).dimension)
    }
  }
  const ids = await nameIds.idsOf(tx, new Set(texts.values()))
  const known = new Map<number, number>()
  for (const [number, text] of texts) {
    const id = ids.get(text)
    if (id !== undefined) known.set(number, id)
  }
  return known
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
