import { copied } from '../../lib/memory/copies.ts'
import type { Sums } from '../wire/packed-batch.ts'
import type { LinkCounts, Marked } from '../wire/visit-batch.ts'

/** Adds up the counts of one link after another. Each name has a fixed place for its sum, so nothing is looked up. */
export class LinkSums implements Sums {
  #linkId = 0
  #visits = 0
  #lastVisitAt = 0
  #hour = 0
  #counts: number[] = []
  #marked: OpenMarked[] = []
  /** Visits that were brought from elsewhere may be more than 32 bits can hold. */
  #sums = new Float64Array(1_024)
  /** The names that have a sum in the current hour. */
  readonly #seen: number[] = []

  begin(linkId: number): void {
    this.#linkId = linkId
    this.#visits = 0
    this.#lastVisitAt = 0
    this.#counts = []
    this.#marked = []
  }

  visited(visits: number, lastVisitAt: number): void {
    this.#visits += visits
    if (lastVisitAt > this.#lastVisitAt) this.#lastVisitAt = lastVisitAt
  }

  /** Visits come in order of time, so a new hour is rare. */
  count(name: number, hour: number, count: number): void {
    if (hour !== this.#hour) this.#endHour()
    this.#hour = hour
    while (name >= this.#sums.length) {
      this.#sums = copied(this.#sums, new Float64Array(this.#sums.length * 2))
    }
    const sum = this.#sums[name] ?? 0
    if (sum === 0) this.#seen.push(name)
    this.#sums[name] = sum + count
  }

  /**
   * A linear search is enough: a link has few dimensions with marks, and one fold covers a day or two of its visits.
   */
  mark(name: number, day: number, visits: number, mark: number): void {
    let marked = this.#marked.find(it => it.name === name && it.day === day)
    if (marked === undefined) {
      marked = { name, day, visits: 0, marks: [] }
      this.#marked.push(marked)
    }
    marked.visits += visits
    marked.marks.push(mark)
  }

  /** The sums since `begin`. */
  end(): LinkCounts {
    this.#endHour()
    return {
      linkId: this.#linkId,
      visits: this.#visits,
      lastVisitAt: this.#lastVisitAt,
      counts: this.#counts,
      marked: this.#marked,
    }
  }

  #endHour(): void {
    for (const name of this.#seen) {
      this.#counts.push(name, this.#hour, this.#sums[name] ?? 0)
      this.#sums[name] = 0
    }
    this.#seen.length = 0
  }
}

type OpenMarked = Marked & { visits: number; readonly marks: number[] }
