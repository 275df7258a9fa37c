import type { Tx } from '../../storage/database.ts'
import { createMergeSketches, type OwnedMarks } from '../tables/merge-sketches.ts'
import type { NameIds } from '../tables/name-ids.ts'
import { sketchesOfAccounts, sketchesOfLinks } from '../tables/sketches-table.ts'
import type { VisitBatch } from '../wire/visit-batch.ts'
import type { VisitedLink } from './add-to-totals.ts'

/**
 * Makes the function that puts the marks of a batch into the sketches of links, and into those of their
 * accounts: neither can be worked out from the other's numbers, for a visitor of two links is one.
 */
export function createAddToSketches(
  nameIds: NameIds,
): (tx: Tx, batch: VisitBatch, links: ReadonlyMap<number, VisitedLink>) => Promise<void> {
  const mergeOfLinks = createMergeSketches(sketchesOfLinks)
  const mergeOfAccounts = createMergeSketches(sketchesOfAccounts)
  return async (tx, batch, links) => {
    const marked = await allMarks(tx, batch, nameIds)
    const ofLinks = putTogether(marked, linkId => (links.has(linkId) ? linkId : undefined))
    if (ofLinks.length === 0) return
    await mergeOfLinks(tx, ofLinks)
    await mergeOfAccounts(
      tx,
      putTogether(ofLinks, linkId => links.get(linkId)?.accountId),
    )
  }
}

async function allMarks(
  tx: Tx,
  { names, links }: VisitBatch,
  nameIds: NameIds,
): Promise<readonly OwnedMarks[]> {
  const named = links.flatMap(({ linkId, marked }) =>
    marked.map(({ name, ...rest }) => ({ linkId, name: names.name(name).dimension, ...rest })),
  )
  const ids = await nameIds.idsOf(tx, new Set(named.map(({ name }) => name)))
  return named.flatMap(({ linkId, name, day, visits, marks }) => {
    const dimension = ids.get(name)
    return dimension === undefined ? [] : [{ owner: linkId, dimension, day, visits, marks }]
  })
}

/** What owners have together, by dimension and day; `ownerOf` says whose the marks of a link are. */
function putTogether(
  marked: readonly OwnedMarks[],
  ownerOf: (linkId: number) => number | undefined,
): readonly OwnedMarks[] {
  const all = new Map<string, OwnedMarks & { visits: number; marks: number[] }>()
  for (const { owner: linkId, dimension, day, visits, marks } of marked) {
    const owner = ownerOf(linkId)
    if (owner === undefined) continue
    const key = `${owner} ${dimension} ${day}`
    const before = all.get(key)
    if (before) {
      before.visits += visits
      for (const mark of marks) before.marks.push(mark)
    } else all.set(key, { owner, dimension, day, visits, marks: [...marks] })
  }
  return [...all.values()]
}
