import type { TrackedLink } from '../facts/open-visit.ts'
import type { NameTable } from './name-table.ts'

/** Facts about a visit besides the names that it counts under. */
interface CountedVisit {
  /** Index in the links of the batch. */
  readonly linkNumber: number
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly isBot: boolean
}

/**
 * What remains of visits once they are counted: nothing in it tells who the visitors were. They are columns of
 * numbers, because objects with lists of their own would keep the garbage collector busy.
 */
export class CountedVisits {
  /** The names that visits count under, by number. */
  readonly names: NameTable
  readonly links: readonly TrackedLink[]
  readonly #linkNumbers: Uint32Array
  readonly #moments: Float64Array
  readonly #bots: Uint8Array
  readonly #entries: Uint32Array
  /** By visit: where its entries end, and those of the next begin. */
  readonly #ends: Uint32Array
  #size = 0
  #end = 0

  /** Allocates room for this many visits, each with this many names and marks. */
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

  /** The number of visits; they are numbered from 0. */
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

  /** Where the entries of a visit begin; they end where those of the next begin. */
  startOf(visit: number): number {
    return this.#ends[visit - 1] ?? 0
  }

  /** The number of a name; if marks belong to the name, the next entry is the mark. */
  entry(at: number): number {
    return this.#entries[at] ?? 0
  }

  /** Counts the current visit under this name. */
  count(name: number): void {
    this.#entries[this.#end++] = name
  }

  /** Adds this mark of the current visit. */
  mark(name: number, mark: number): void {
    this.#entries[this.#end++] = name
    this.#entries[this.#end++] = mark
  }

  /** Ends the current visit; if nothing was added to it, it is left out. */
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
