import { copied } from '../../lib/memory/copies.ts'
import type { CountsRow } from '../tables/counts-table.ts'
import type { IdsOfNames } from '../tables/name-ids.ts'

/** How many buckets a key has room for: hours until the year 2448. */
const bucketSpan = 2 ** 22

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

  /** The counts as rows, with each name once per row, in the order of ids. */
  toRows(ids: IdsOfNames): readonly CountsRow[] {
    const names = [...this.names()].sort(
      (a, b) => ids.dimensionOf(a) - ids.dimensionOf(b) || ids.valueOf(a) - ids.valueOf(b),
    )
    const ranks = ranksOf(names)
    const places = new Uint32Array(this.#size).map((_, place) => place)
    const byName = sorted(places, names.length, place => ranks[this.#names[place] ?? 0] ?? 0)
    const order = sorted(byName, this.#owners.length, place => this.#rows[place] ?? 0)
    const counts: number[][] = this.#owners.map(() => [])
    let [row, name] = [-1, -1]
    for (let next = 0; next < order.length; next += 1) {
      const at = order[next] ?? 0
      const isSame = this.#rows[at] === row && this.#names[at] === name
      row = this.#rows[at] ?? 0
      name = this.#names[at] ?? 0
      const ofRow = counts[row] ?? []
      const count = this.#counts[at] ?? 0
      if (isSame) ofRow[ofRow.length - 1] = (ofRow.at(-1) ?? 0) + count
      else ofRow.push(ids.dimensionOf(name), ids.valueOf(name), count)
    }
    return counts.map((counts, row) => ({
      owner: this.#owners[row] ?? 0,
      bucket: this.#buckets[row] ?? 0,
      counts,
    }))
  }

  #grow(): void {
    const room = this.#size * 2 + 1
    this.#rows = copied(this.#rows, new Uint32Array(room))
    this.#names = copied(this.#names, new Uint32Array(room))
    this.#counts = copied(this.#counts, new Float64Array(room))
  }
}

/** The position of each of these numbers in the list. */
function ranksOf(numbers: readonly number[]): Uint32Array {
  const ranks = new Uint32Array(numbers.reduce((most, it) => Math.max(most, it + 1), 0))
  for (const [rank, number] of numbers.entries()) ranks[number] = rank
  return ranks
}

/**
 * A stable counting sort of places by their ranks, which are below `ranks`: much faster than comparing. The loops use
 * indexes, because an iterator would create an object for each element.
 */
function sorted(
  places: Uint32Array,
  ranks: number,
  rankOf: (place: number) => number,
): Uint32Array {
  const ends = new Uint32Array(ranks + 1)
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
