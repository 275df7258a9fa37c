import { copied } from './copied.ts'
import type { CountsRow } from './counts-table.ts'

const firstRoom = 1_024

/** Bucket numbers that a key has room for: hours until the year 2448. */
const bucketSpan = 2 ** 22

/** The ids that a name has in `visit_names`. */
export interface NameId {
  readonly dimension: number
  readonly value: number
}

/**
 * Counts on their way into rows of a table, as they come: which row, under which name, how many. A fold
 * has hundreds of thousands: they are columns of numbers, put in order at the end, so that none is an
 * object and none is looked up.
 */
export class CountsToAdd {
  readonly #owners: number[] = []
  readonly #buckets: number[] = []
  readonly #rowOfKey = new Map<number, number>()
  #size = 0
  #rows = new Uint32Array(firstRoom)
  #names = new Uint32Array(firstRoom)
  #counts = new Float64Array(firstRoom)

  /** The number of a row. */
  rowOf(owner: number, bucket: number): number {
    const key = owner * bucketSpan + bucket
    const known = this.#rowOfKey.get(key)
    if (known !== undefined) return known
    const row = this.#owners.push(owner) - 1
    this.#buckets.push(bucket)
    this.#rowOfKey.set(key, row)
    return row
  }

  add(row: number, name: number, count: number): void {
    if (this.#size === this.#counts.length) this.#grow()
    this.#rows[this.#size] = row
    this.#names[this.#size] = name
    this.#counts[this.#size] = count
    this.#size += 1
  }

  /** The numbers of all names that there are counts of. */
  names(): ReadonlySet<number> {
    return new Set(this.#names.subarray(0, this.#size))
  }

  /** The same counts in rows of other owners: `ownerOf` says whose; undefined leaves a row out. */
  regrouped(ownerOf: (owner: number, bucket: number) => number | undefined): CountsToAdd {
    const others = new CountsToAdd()
    const rows = this.#owners.map((owner, row) => {
      const bucket = this.#buckets[row] ?? 0
      const other = ownerOf(owner, bucket)
      return other === undefined ? undefined : others.rowOf(other, bucket)
    })
    for (let at = 0; at < this.#size; at += 1) {
      const row = rows[this.#rows[at] ?? 0]
      if (row !== undefined) others.add(row, this.#names[at] ?? 0, this.#counts[at] ?? 0)
    }
    return others
  }

  /** Each row once, and in it each name once, in the order of the table's keys. */
  inOrder(ids: ReadonlyMap<number, NameId>): readonly CountsRow[] {
    const names = [...ids.keys()].sort((a, b) => byId(ids.get(a), ids.get(b)))
    const rows = Array.from(this.#owners.keys()).sort((a, b) => this.#byKey(a, b))
    const byName = sorted(numbered(this.#size), this.#names, ranksOf(names))
    const order = sorted(byName, this.#rows, ranksOf(rows))
    let next = 0
    return rows.map(row => {
      const counts: number[] = []
      for (let last = -1; this.#rows[order[next] ?? -1] === row; next += 1) {
        const at = order[next] ?? 0
        const name = this.#names[at] ?? 0
        const { dimension, value } = idOf(ids, name)
        const count = this.#counts[at] ?? 0
        if (name === last) counts[counts.length - 1] = (counts.at(-1) ?? 0) + count
        else counts.push(dimension, value, count)
        last = name
      }
      return { owner: this.#owners[row] ?? 0, bucket: this.#buckets[row] ?? 0, counts }
    })
  }

  #byKey(a: number, b: number): number {
    return (
      (this.#owners[a] ?? 0) - (this.#owners[b] ?? 0) ||
      (this.#buckets[a] ?? 0) - (this.#buckets[b] ?? 0)
    )
  }

  #grow(): void {
    this.#rows = copied(this.#rows, new Uint32Array(this.#size * 2))
    this.#names = copied(this.#names, new Uint32Array(this.#size * 2))
    this.#counts = copied(this.#counts, new Float64Array(this.#size * 2))
  }
}

function byId(a: NameId | undefined, b: NameId | undefined): number {
  if (a === undefined || b === undefined) return 0
  return a.dimension - b.dimension || a.value - b.value
}

function idOf(ids: ReadonlyMap<number, NameId>, name: number): NameId {
  const id = ids.get(name)
  if (id === undefined) throw new RangeError(`name ${name} has no id`)
  return id
}

function numbered(size: number): Uint32Array {
  const numbers = new Uint32Array(size)
  for (let at = 0; at < size; at += 1) numbers[at] = at
  return numbers
}

/** The place of each of these numbers among them. */
function ranksOf(numbers: readonly number[]): Uint32Array {
  const ranks = new Uint32Array(numbers.reduce((most, it) => Math.max(most, it + 1), 0))
  for (const [rank, number] of numbers.entries()) ranks[number] = rank
  return ranks
}

/** Counting sort of what these places have in a column, by rank; what is alike stays in its order. */
function sorted(places: Uint32Array, column: Uint32Array, ranks: Uint32Array): Uint32Array {
  const ends = new Uint32Array(ranks.length + 1)
  const rankOf = (place: number) => ranks[column[place] ?? 0] ?? 0
  for (const place of places) ends[rankOf(place) + 1] = (ends[rankOf(place) + 1] ?? 0) + 1
  for (let rank = 1; rank < ends.length; rank += 1) {
    ends[rank] = (ends[rank] ?? 0) + (ends[rank - 1] ?? 0)
  }
  const inOrder = new Uint32Array(places.length)
  for (const place of places) {
    const rank = rankOf(place)
    inOrder[ends[rank] ?? 0] = place
    ends[rank] = (ends[rank] ?? 0) + 1
  }
  return inOrder
}
