import type { NameTable } from './name-table.ts'
import { highestMarks } from './sketch.ts'
import { createSums } from './sums.ts'
import type { LinkCounts, VisitBatch } from './visit-batch.ts'

/** Adds counts up, and puts marks together, until they are asked for as a batch. */
export interface Tally {
  /** `name` is the number of one in the tally's table. */
  count(linkId: number, name: number, hour: number, count: number): void
  mark(linkId: number, name: number, day: number, visits: number, marks: readonly number[]): void
  visited(linkId: number, visits: number, lastVisitAt: number): void
  /** How many counts there are apart. */
  size(): number
  batch(): VisitBatch
}

/** What a link has got so far; the lists are filled when the batch is asked for. */
interface LinkTally extends LinkCounts {
  visits: number
  lastVisitAt: number
  readonly counts: number[]
  readonly marked: { name: number; day: number; visits: number; marks: readonly number[] }[]
}

/** An empty one. */
export function createTally(names: NameTable): Tally {
  const links: LinkTally[] = []
  const places = new Map<number, number>()
  const counts = createSums()
  const marked = createSums()
  /** By number of the sum in `marked`. */
  const marksOf: number[][] = []
  let lastId = Number.NaN
  let lastPlace = 0

  /** All counts of a visit are of one link. */
  function placeOf(linkId: number): number {
    if (linkId === lastId) return lastPlace
    lastId = linkId
    lastPlace = places.get(linkId) ?? newPlace(linkId)
    return lastPlace
  }

  function newPlace(linkId: number): number {
    places.set(linkId, links.length)
    return links.push({ linkId, visits: 0, lastVisitAt: 0, counts: [], marked: [] }) - 1
  }

  return {
    count(linkId, name, hour, count) {
      counts.add(placeOf(linkId), name, hour, count)
    },
    mark(linkId, name, day, visits, marks) {
      const before = marksOf[marked.add(placeOf(linkId), name, day, visits)]
      if (before === undefined) marksOf.push([...marks])
      else for (const mark of marks) before.push(mark)
    },
    visited(linkId, visits, lastVisitAt) {
      const link = links[placeOf(linkId)]
      if (!link) return
      link.visits += visits
      link.lastVisitAt = Math.max(link.lastVisitAt, lastVisitAt)
    },
    size: () => counts.size() + marked.size(),
    batch() {
      counts.each((place, name, hour, count) => links[place]?.counts.push(name, hour, count))
      let number = 0
      marked.each((place, name, day, visits) => {
        links[place]?.marked.push({ name, day, visits, marks: highestMarks(marksOf[number] ?? []) })
        number += 1
      })
      return { names, links }
    },
  }
}
