import type { CountedVisits } from '../count/counted-visits.ts'
import { dayOf, hourOf } from '../facts/buckets.ts'
import { highestMarks } from '../tables/sketch.ts'
import type { LinkCounts, VisitBatch } from '../wire/visit-batch.ts'
import { NameSums } from './name-sums.ts'

/** Add these visits up, link by link. */
export function addUp(visits: CountedVisits, which: Uint32Array): VisitBatch {
  const { names } = visits
  const sums = new NameSums(names.size())
  const links: LinkCounts[] = []
  const inOrder = inOrderOfLinks(visits, which)
  for (let from = 0, to = 0; from < inOrder.length; from = to) {
    const linkNumber = visits.linkNumberOf(inOrder[from] ?? 0)
    while (to < inOrder.length && visits.linkNumberOf(inOrder[to] ?? 0) === linkNumber) to += 1
    links.push(addUpLink(visits, inOrder.subarray(from, to), sums))
  }
  return { names, links }
}

/** Counting sort: each link has a stretch as long as its visits are many. They stay in their order. */
function inOrderOfLinks(visits: CountedVisits, which: Uint32Array): Uint32Array {
  const places = new Uint32Array(visits.links.length + 1)
  for (const visit of which) takePlace(places, visits.linkNumberOf(visit) + 1)
  for (let link = 1; link < places.length; link += 1) {
    places[link] = (places[link] ?? 0) + (places[link - 1] ?? 0)
  }
  const inOrder = new Uint32Array(which.length)
  for (const visit of which) inOrder[takePlace(places, visits.linkNumberOf(visit))] = visit
  return inOrder
}

function takePlace(places: Uint32Array, link: number): number {
  const place = places[link] ?? 0
  places[link] = place + 1
  return place
}

/** Those of a link come in the order of time, so that a new hour or day is a rare thing. */
function addUpLink(visits: CountedVisits, ofLink: Uint32Array, sums: NameSums): LinkCounts {
  const counts: number[] = []
  const marked: OpenMarked[] = []
  let tracked = 0
  let lastVisitAt = 0
  let hour = 0
  for (const visit of ofLink) {
    const at = visits.momentOf(visit)
    if (hourOf(at) !== hour) sums.moveTo(counts, hour)
    hour = hourOf(at)
    visits.eachName(visit, name => sums.add(name))
    visits.eachMark(visit, (name, mark) => addMark(marked, name, dayOf(at), mark))
    if (visits.isBot(visit)) continue
    tracked += 1
    lastVisitAt = Math.max(lastVisitAt, at)
  }
  sums.moveTo(counts, hour)
  return {
    linkId: visits.linkOf(ofLink[0] ?? 0).id,
    visits: tracked,
    lastVisitAt,
    counts,
    marked: marked.map(({ name, day, visits, marks }) => ({
      name,
      day,
      visits,
      marks: highestMarks(marks),
    })),
  }
}

interface OpenMarked {
  readonly name: number
  readonly day: number
  visits: number
  readonly marks: number[]
}

/** A link has few dimensions that leave marks, and its visits of a batch are of a day or two. */
function addMark(marked: OpenMarked[], name: number, day: number, mark: number): void {
  for (const it of marked) {
    if (it.name !== name || it.day !== day) continue
    it.visits += 1
    it.marks.push(mark)
    return
  }
  marked.push({ name, day, visits: 1, marks: [mark] })
}
