/** How often names came. Each has a place for its sum: nothing is looked up. */
export class NameSums {
  readonly #sums: Uint32Array
  readonly #seen: Uint32Array
  #size = 0

  /** For names by number, of which there are so many. */
  constructor(names: number) {
    this.#sums = new Uint32Array(names)
    this.#seen = new Uint32Array(names)
  }

  add(name: number): void {
    const sum = this.#sums[name] ?? 0
    if (sum === 0) this.#seen[this.#size++] = name
    this.#sums[name] = sum + 1
  }

  /** Write what came together as counts of this hour, and begin again. */
  moveTo(counts: number[], hour: number): void {
    for (let place = 0; place < this.#size; place += 1) {
      const name = this.#seen[place] ?? 0
      counts.push(name, hour, this.#sums[name] ?? 0)
      this.#sums[name] = 0
    }
    this.#size = 0
  }
}
