import type { Count, CountName, VisitBatch } from './visit-batch.ts'

/** Adds counts up until they are asked for as a batch. */
export interface Tally {
  count(linkId: number, name: CountName, hour: number, count: number): void
  visited(linkId: number, visits: number, lastVisitAt: number): void
  /** How many counts there are apart. */
  size(): number
  batch(): VisitBatch
}

interface LinkTally {
  visits: number
  lastVisitAt: number
  /** By name and hour in one number, the fastest key there is. */
  readonly counts: Map<number, Count & { count: number }>
}

/** Hours that a key has room for: until the year 2448. */
const hourSpan = 2 ** 22

/** An empty one. */
export function createTally(): Tally {
  const known = rememberNames()
  const links = new Map<number, LinkTally>()
  let size = 0

  function tallyOf(linkId: number): LinkTally {
    const before = links.get(linkId)
    if (before) return before
    const tally = { visits: 0, lastVisitAt: 0, counts: new Map() }
    links.set(linkId, tally)
    return tally
  }

  return {
    count(linkId, given, hour, count) {
      const { counts } = tallyOf(linkId)
      const { name, place } = known(given)
      const key = place * hourSpan + hour
      const before = counts.get(key)
      if (before) {
        before.count += count
      } else {
        counts.set(key, { name, hour, count })
        size += 1
      }
    },
    visited(linkId, visits, lastVisitAt) {
      const tally = tallyOf(linkId)
      tally.visits += visits
      tally.lastVisitAt = Math.max(tally.lastVisitAt, lastVisitAt)
    },
    size: () => size,
    batch: () =>
      Array.from(links, ([linkId, { visits, lastVisitAt, counts }]) => ({
        linkId,
        visits,
        lastVisitAt,
        counts: [...counts.values()],
      })),
  }
}

/** One object and one number, from 0 up, for each name. */
function rememberNames(): (name: CountName) => { name: CountName; place: number } {
  const dimensions = new Map<string, Map<string, { name: CountName; place: number }>>()
  let next = 0
  return name => {
    const values = dimensions.get(name.dimension) ?? new Map()
    if (values.size === 0) dimensions.set(name.dimension, values)
    const before = values.get(name.value)
    if (before) return before
    const known = { name, place: next }
    values.set(name.value, known)
    next += 1
    return known
  }
}
