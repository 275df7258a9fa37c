import type { TrackedLink } from '../facts/visit.ts'
import type { NameTable } from '../wire/name-table.ts'

/** What a visit is besides what it counts under. */
interface CountedVisit {
  /** Of the batch's links, from 0 up. */
  readonly linkNumber: number
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly isBot: boolean
}

/**
 * What is left of visits once they are worked out: nothing in it tells who the visitors were. They are
 * numbers in columns, for as objects with lists of their own they would be what the recorder's garbage
 * collector is busy with.
 */
export class CountedVisits {
  /** What visits count under, by number. */
  readonly names: NameTable
  readonly links: readonly TrackedLink[]
  readonly #linkNumbers: Uint32Array
  readonly #moments: Float64Array
  readonly #bots: Uint8Array
  readonly #counted: Uint32Array
  /** Names and marks in turn. */
  readonly #marks: Uint32Array
  /** By visit: where its own begin; those of the next begin where they end. */
  readonly #countedFrom: Uint32Array
  readonly #marksFrom: Uint32Array
  #size = 0
  #countedTo = 0
  #marksTo = 0

  /** There is room for so many visits, each with so many names and marks. */
  constructor(
    names: NameTable,
    links: readonly TrackedLink[],
    { visits, each }: { readonly visits: number; readonly each: number },
  ) {
    this.names = names
    this.links = links
    this.#linkNumbers = new Uint32Array(visits)
    this.#moments = new Float64Array(visits)
    this.#bots = new Uint8Array(visits)
    this.#counted = new Uint32Array(visits * each)
    this.#marks = new Uint32Array(visits * each * 2)
    this.#countedFrom = new Uint32Array(visits + 1)
    this.#marksFrom = new Uint32Array(visits + 1)
  }

  /** Visits have numbers from 0 up to here. */
  get size(): number {
    return this.#size
  }

  linkOf(visit: number): TrackedLink {
    const link = this.links[this.linkNumberOf(visit)]
    if (!link) throw new RangeError(`there is no visit ${visit}`)
    return link
  }

  linkNumberOf(visit: number): number {
    return this.#linkNumbers[visit] ?? 0
  }

  /** Milliseconds since 1970 UTC. */
  momentOf(visit: number): number {
    return this.#moments[visit] ?? 0
  }

  isBot(visit: number): boolean {
    return this.#bots[visit] === 1
  }

  /** Show the number of each name that the visit counts under. */
  eachName(visit: number, show: (name: number) => void): void {
    const end = this.#countedFrom[visit + 1] ?? 0
    for (let from = this.#countedFrom[visit] ?? 0; from < end; from += 1) {
      show(this.#counted[from] ?? 0)
    }
  }

  /** Show each mark that the visit left, and the number of the name it left it under. */
  eachMark(visit: number, show: (name: number, mark: number) => void): void {
    const end = this.#marksFrom[visit + 1] ?? 0
    for (let from = this.#marksFrom[visit] ?? 0; from < end; from += 2) {
      show(this.#marks[from] ?? 0, this.#marks[from + 1] ?? 0)
    }
  }

  /** The visit that ends next counts under this name. */
  count(name: number): void {
    this.#counted[this.#countedTo++] = name
  }

  /** The visit that ends next left this mark. */
  mark(name: number, mark: number): void {
    this.#marks[this.#marksTo++] = name
    this.#marks[this.#marksTo++] = mark
  }

  /** What came since the one before was of this visit; if nothing did, it is left out. */
  end({ linkNumber, at, isBot }: CountedVisit): void {
    const visit = this.#size
    if (this.#countedTo === this.#countedFrom[visit] && this.#marksTo === this.#marksFrom[visit]) {
      return
    }
    this.#linkNumbers[visit] = linkNumber
    this.#moments[visit] = at
    this.#bots[visit] = isBot ? 1 : 0
    this.#size += 1
    this.#countedFrom[this.#size] = this.#countedTo
    this.#marksFrom[this.#size] = this.#marksTo
  }
}
