import type { NameTable } from './name-table.ts'
import { highestMarks } from './sketch.ts'
import { Sums } from './sums.ts'
import type { LinkCounts, VisitBatch } from './visit-batch.ts'

/** What a link has got so far; the lists are filled when the batch is asked for. */
interface LinkTally extends LinkCounts {
  visits: number
  lastVisitAt: number
  readonly counts: number[]
  readonly marked: { name: number; day: number; visits: number; marks: readonly number[] }[]
}

/** Adds counts up, and puts marks together, until they are asked for as a batch. */
export class Tally {
  readonly #names: NameTable
  readonly #links: LinkTally[] = []
  readonly #places = new Map<number, number>()
  readonly #counts = new Sums()
  readonly #marked = new Sums()
  /** By number of the sum in `marked`. */
  readonly #marksOf: number[][] = []
  #lastId = Number.NaN
  #lastPlace = 0

  constructor(names: NameTable) {
    this.#names = names
  }

  /** How many counts there are apart. */
  get size(): number {
    return this.#counts.size + this.#marked.size
  }

  /** `name` is the number of one in the tally's table. */
  count(linkId: number, name: number, hour: number, count: number): void {
    this.#counts.add(this.#placeOf(linkId), name, hour, count)
  }

  mark(linkId: number, name: number, day: number, visits: number, marks: readonly number[]): void {
    const before = this.#marksOf[this.#marked.add(this.#placeOf(linkId), name, day, visits)]
    if (before === undefined) this.#marksOf.push([...marks])
    else for (const mark of marks) before.push(mark)
  }

  visited(linkId: number, visits: number, lastVisitAt: number): void {
    const link = this.#links[this.#placeOf(linkId)]
    if (!link) return
    link.visits += visits
    link.lastVisitAt = Math.max(link.lastVisitAt, lastVisitAt)
  }

  batch(): VisitBatch {
    this.#counts.each((place, name, hour, count) => {
      this.#links[place]?.counts.push(name, hour, count)
    })
    let number = 0
    this.#marked.each((place, name, day, visits) => {
      const marks = highestMarks(this.#marksOf[number] ?? [])
      this.#links[place]?.marked.push({ name, day, visits, marks })
      number += 1
    })
    return { names: this.#names, links: this.#links }
  }

  /** All counts of a batch's link come one after the other. */
  #placeOf(linkId: number): number {
    if (linkId === this.#lastId) return this.#lastPlace
    this.#lastId = linkId
    this.#lastPlace = this.#places.get(linkId) ?? this.#newPlace(linkId)
    return this.#lastPlace
  }

  #newPlace(linkId: number): number {
    this.#places.set(linkId, this.#links.length)
    return this.#links.push({ linkId, visits: 0, lastVisitAt: 0, counts: [], marked: [] }) - 1
  }
}
