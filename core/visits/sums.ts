import { copied } from './copied.ts'

const firstRoom = 1_024

/**
 * Numbers added up by three whole numbers that tell what they are of. A batch has tens of thousands of
 * them: they are rows of typed arrays, found by open addressing, so that no sum is an object which the
 * garbage collector has to carry about.
 */
export class Sums {
  #room = firstRoom
  #size = 0
  #owners = new Int32Array(firstRoom)
  #names = new Int32Array(firstRoom)
  #times = new Float64Array(firstRoom)
  #sums = new Float64Array(firstRoom)
  /** By hash, or in the next free slot: the number of a sum, and 1. At most half of them are taken. */
  #slots = new Int32Array(firstRoom * 2)

  get size(): number {
    return this.#size
  }

  /** `owner` and `name` are below 2^31. Gives the number of the sum, from 0 up in the order they began. */
  add(owner: number, name: number, time: number, amount: number): number {
    const slot = this.#slotOf(owner, name, time)
    const before = (this.#slots[slot] ?? 0) - 1
    if (before >= 0) {
      this.#sums[before] = (this.#sums[before] ?? 0) + amount
      return before
    }
    const number = this.#size
    this.#size += 1
    this.#slots[slot] = this.#size
    this.#owners[number] = owner
    this.#names[number] = name
    this.#times[number] = time
    this.#sums[number] = amount
    if (this.#size === this.#room) this.#grow()
    return number
  }

  /** Show every sum, in the order in which they began. */
  each(show: (owner: number, name: number, time: number, sum: number) => void): void {
    for (let number = 0; number < this.#size; number += 1) {
      show(
        this.#owners[number] ?? 0,
        this.#names[number] ?? 0,
        this.#times[number] ?? 0,
        this.#sums[number] ?? 0,
      )
    }
  }

  #slotOf(owner: number, name: number, time: number): number {
    const last = this.#slots.length - 1
    let slot = hash(owner, name, time) & last
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1
      if (number < 0 || this.#isOf(number, owner, name, time)) return slot
      slot = (slot + 1) & last
    }
  }

  #isOf(number: number, owner: number, name: number, time: number): boolean {
    return (
      this.#names[number] === name && this.#owners[number] === owner && this.#times[number] === time
    )
  }

  #grow(): void {
    this.#room *= 2
    this.#owners = copied(this.#owners, new Int32Array(this.#room))
    this.#names = copied(this.#names, new Int32Array(this.#room))
    this.#times = copied(this.#times, new Float64Array(this.#room))
    this.#sums = copied(this.#sums, new Float64Array(this.#room))
    this.#slots = new Int32Array(this.#room * 2)
    let number = 0
    this.each((owner, name, time) => {
      number += 1
      this.#slots[this.#slotOf(owner, name, time)] = number
    })
  }
}

/** Odd numbers without a pattern spread neighbours: https://github.com/aappleby/smhasher/wiki/MurmurHash3 */
function hash(owner: number, name: number, time: number): number {
  const mixed =
    Math.imul(owner, 0x9e3779b1) ^ Math.imul(name, 0x85ebca6b) ^ Math.imul(time, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}
