import { copied } from '../../lib/memory/copied.ts'
import type { CountsRow } from '../tables/counts-table.ts'

/** How many buckets a key has room for: hours until the year 2448. */
const bucketSpan = 2 ** 22

/** The ids in `visit_names`, by the number of a name. */
export interface IdsOfNames {
  dimensionOf(name: number): number
  valueOf(name: number): number
}

/**
 * Counts that are to be added to rows of a table, in the order in which they come: row, name, count. A fold has
 * hundreds of thousands of them, so they are columns of numbers that are sorted at the end: no count is an object,
 * and none is looked up.
 */
export class CountsToAdd {
  readonly #owners: number[] = []
  readonly #buckets: number[] = []
  readonly #rowOfKey = new Map<number, number>()
  /** The latest key: it is mostly asked for again. */
  #lastKey = Number.NaN
  #lastRow = 0
  #size = 0
  #rows: Uint32Array
  #names: Uint32Array
  #counts: Float64Array

  /** @param room how many counts to expect */
  constructor(room: number) {
    this.#rows = new Uint32Array(room)
    this.#names = new Uint32Array(room)
    this.#counts = new Float64Array(room)
  }

  /** The number of a row. */
  rowOf(owner: number, bucket: number): number {
    const key = owner * bucketSpan + bucket
    if (key === this.#lastKey) return this.#lastRow
    this.#lastKey = key
    this.#lastRow = this.#findRow(key, owner, bucket)
    return this.#lastRow
  }

  #findRow(key: number, owner: number, bucket: number): number {
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

  /** The numbers of all names with counts. */
  names(): readonly number[] {
    const counted: number[] = []
    const isCounted: boolean[] = []
    for (let at = 0; at < this.#size; at += 1) {
      const name = this.#names[at] ?? 0
      if (isCounted[name] === true) continue
      isCounted[name] = true
      counted.push(name)
    }
    return counted
  }

  /** The same counts in rows of other owners: `ownerOf` returns the new owner, or undefined to leave a row out. */
  regrouped(ownerOf: (owner: number, bucket: number) => number | undefined): CountsToAdd {
    const others = new CountsToAdd(this.#size)
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

  /** The same counts with each row once, and each name once per row, in the order of the table's keys. */
  inOrder(ids: IdsOfNames): CountsToAdd {
    const names = [...this.names()].sort(
      (a, b) => ids.dimensionOf(a) - ids.dimensionOf(b) || ids.valueOf(a) - ids.valueOf(b),
    )
    const rows = Array.from(this.#owners.keys()).sort((a, b) => this.#byKey(a, b))
    const byName = sorted(numbered(this.#size), this.#names, ranksOf(names))
    const order = sorted(byName, this.#rows, ranksOf(rows))
    const sums = new CountsToAdd(this.#size)
    let [row, name, sum] = [-1, -1, 0]
    const end = () => {
      if (row >= 0) sums.add(sums.rowOf(this.#owners[row] ?? 0, this.#buckets[row] ?? 0), name, sum)
    }
    for (let next = 0; next < order.length; next += 1) {
      const at = order[next] ?? 0
      if (this.#rows[at] !== row || this.#names[at] !== name) {
        end()
        row = this.#rows[at] ?? 0
        name = this.#names[at] ?? 0
        sum = 0
      }
      sum += this.#counts[at] ?? 0
    }
    end()
    return sums
  }

  /** The counts as rows; they must be in order. */
  toRows(ids: IdsOfNames): readonly CountsRow[] {
    let at = 0
    return this.#owners.map((owner, row) => {
      const counts: number[] = []
      for (; this.#rows[at] === row && at < this.#size; at += 1) {
        const name = this.#names[at] ?? 0
        counts.push(ids.dimensionOf(name), ids.valueOf(name), this.#counts[at] ?? 0)
      }
      return { owner, bucket: this.#buckets[row] ?? 0, counts }
    })
  }

  #byKey(a: number, b: number): number {
    return (
      (this.#owners[a] ?? 0) - (this.#owners[b] ?? 0) ||
      (this.#buckets[a] ?? 0) - (this.#buckets[b] ?? 0)
    )
  }

  #grow(): void {
    const room = this.#size * 2 + 1
    this.#rows = copied(this.#rows, new Uint32Array(room))
    this.#names = copied(this.#names, new Uint32Array(room))
    this.#counts = copied(this.#counts, new Float64Array(room))
  }
}

function numbered(size: number): Uint32Array {
  const numbers = new Uint32Array(size)
  for (let at = 0; at < size; at += 1) numbers[at] = at
  return numbers
}

/** The position of each of these numbers in the list. */
function ranksOf(numbers: readonly number[]): Uint32Array {
  const ranks = new Uint32Array(numbers.reduce((most, it) => Math.max(most, it + 1), 0))
  for (const [rank, number] of numbers.entries()) ranks[number] = rank
  return ranks
}

/**
 * A stable counting sort of these places by the rank of their value in a column. The loops use indexes, because an
 * iterator would create an object for each element.
 */
function sorted(places: Uint32Array, column: Uint32Array, ranks: Uint32Array): Uint32Array {
  const ends = new Uint32Array(ranks.length + 1)
  const rankOf = (place: number) => ranks[column[place] ?? 0] ?? 0
  for (let next = 0; next < places.length; next += 1) {
    const rank = rankOf(places[next] ?? 0) + 1
    ends[rank] = (ends[rank] ?? 0) + 1
  }
  for (let rank = 1; rank < ends.length; rank += 1) {
    ends[rank] = (ends[rank] ?? 0) + (ends[rank - 1] ?? 0)
  }
  const inOrder = new Uint32Array(places.length)
  for (let next = 0; next < places.length; next += 1) {
    const place = places[next] ?? 0
    const rank = rankOf(place)
    inOrder[ends[rank] ?? 0] = place
    ends[rank] = (ends[rank] ?? 0) + 1
  }
  return inOrder
}
