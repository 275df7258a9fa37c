import type { TrackedLink } from '../facts/open-visit.ts'
import type { NameTable } from './name-table.ts'

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
  readonly #entries: Uint32Array
  /** By visit: where its own end, and those of the next begin. */
  readonly #ends: Uint32Array
  #size = 0
  #end = 0

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
    this.#entries = new Uint32Array(visits * each * 2)
    this.#ends = new Uint32Array(visits)
  }

  /** Visits have numbers from 0 up to here. */
  get size(): number {
    return this.#size
  }

  linkOf(visit: number): TrackedLink {
    const link = this.links[this.#linkNumbers[visit] ?? 0]
    if (!link) throw new RangeError(`there is no visit ${visit}`)
    return link
  }

  /** Milliseconds since 1970 UTC. */
  momentOf(visit: number): number {
    return this.#moments[visit] ?? 0
  }

  isBot(visit: number): boolean {
    return this.#bots[visit] === 1
  }

  /** Where the entries of a visit begin; those of the next begin where they end. */
  startOf(visit: number): number {
    return this.#ends[visit - 1] ?? 0
  }

  /** Numbers of names; behind one that marks are left under is the mark. */
  entry(at: number): number {
    return this.#entries[at] ?? 0
  }

  /** The visit that ends next counts under this name. */
  count(name: number): void {
    this.#entries[this.#end++] = name
  }

  /** The visit that ends next left this mark. */
  mark(name: number, mark: number): void {
    this.#entries[this.#end++] = name
    this.#entries[this.#end++] = mark
  }

  /** What came since the one before was of this visit; if nothing did, it is left out. */
  end({ linkNumber, at, isBot }: CountedVisit): void {
    const visit = this.#size
    if (this.#end === this.startOf(visit)) return
    this.#linkNumbers[visit] = linkNumber
    this.#moments[visit] = at
    this.#bots[visit] = isBot ? 1 : 0
    this.#ends[visit] = this.#end
    this.#size += 1
  }
}
