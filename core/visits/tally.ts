import type { NameTable } from './name-table.ts'
import { highestMarks } from './sketch.ts'
import type { Marked, VisitBatch } from './visit-batch.ts'

/** Adds counts up, and puts marks together, until they are asked for as a batch. */
export interface Tally {
  /** `name` is the number of one in the tally's table. */
  count(linkId: number, name: number, hour: number, count: number): void
  mark(linkId: number, marked: Marked): void
  visited(linkId: number, visits: number, lastVisitAt: number): void
  /** How many counts there are apart. */
  size(): number
  batch(): VisitBatch
}

interface LinkTally {
  visits: number
  lastVisitAt: number
  /** By hour and name in one number: small ones are the fastest keys there are. */
  readonly counts: Map<number, number>
  /** By day and name. */
  readonly marked: Map<number, DayMarks>
}

interface DayMarks {
  visits: number
  readonly marks: number[]
}

/** Names that a key has room for: more than any batch has. */
const nameSpan = 2 ** 22

/** An empty one. */
export function createTally(names: NameTable): Tally {
  const hours = numberTimes()
  const days = numberTimes()
  const links = new Map<number, LinkTally>()
  let size = 0

  function tallyOf(linkId: number): LinkTally {
    const before = links.get(linkId)
    if (before) return before
    const tally = { visits: 0, lastVisitAt: 0, counts: new Map(), marked: new Map() }
    links.set(linkId, tally)
    return tally
  }

  return {
    count(linkId, name, hour, count) {
      const { counts } = tallyOf(linkId)
      const key = hours.placeOf(hour) * nameSpan + name
      const before = counts.get(key)
      if (before === undefined) size += 1
      counts.set(key, (before ?? 0) + count)
    },
    mark(linkId, { name, day, visits, marks }) {
      const { marked } = tallyOf(linkId)
      const key = days.placeOf(day) * nameSpan + name
      const before = marked.get(key)
      if (before === undefined) {
        marked.set(key, { visits, marks: [...marks] })
        size += 1
        return
      }
      before.visits += visits
      for (const mark of marks) before.marks.push(mark)
    },
    visited(linkId, visits, lastVisitAt) {
      const tally = tallyOf(linkId)
      tally.visits += visits
      tally.lastVisitAt = Math.max(tally.lastVisitAt, lastVisitAt)
    },
    size: () => size,
    batch: () => ({
      names,
      links: Array.from(links, ([linkId, { visits, lastVisitAt, counts, marked }]) => ({
        linkId,
        visits,
        lastVisitAt,
        counts: Array.from(counts, ([key, count]) => ({
          name: key % nameSpan,
          hour: hours.timeAt(Math.floor(key / nameSpan)),
          count,
        })),
        marked: Array.from(marked, ([key, { visits, marks }]) => ({
          name: key % nameSpan,
          day: days.timeAt(Math.floor(key / nameSpan)),
          visits,
          marks: highestMarks(marks),
        })),
      })),
    }),
  }
}

/** Numbers hours or days, from 0 up. Most visits are of the same one as the visit before. */
function numberTimes() {
  const times: number[] = []
  const places = new Map<number, number>()
  let lastTime = Number.NaN
  let lastPlace = 0
  return {
    placeOf(time: number): number {
      if (time === lastTime) return lastPlace
      lastTime = time
      lastPlace = places.get(time) ?? times.push(time) - 1
      places.set(time, lastPlace)
      return lastPlace
    },
    timeAt: (place: number) => times[place] ?? 0,
  }
}
