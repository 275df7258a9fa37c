import { copied } from './copied.ts'

/** Numbers added up by three whole numbers that tell what they are of. */
export interface Sums {
  /** `owner` and `name` are below 2^31. Gives the number of the sum, from 0 up in the order they began. */
  add(owner: number, name: number, time: number, amount: number): number
  size(): number
  /** Show every sum, in the order in which they began. */
  each(show: (owner: number, name: number, time: number, sum: number) => void): void
}

const firstRoom = 1_024

/**
 * None yet. A batch has tens of thousands of them: they are rows of typed arrays, found by open
 * addressing, so that no sum is an object which the garbage collector has to carry about.
 */
export function createSums(): Sums {
  let room = firstRoom
  let size = 0
  let owners = new Int32Array(room)
  let names = new Int32Array(room)
  let times = new Float64Array(room)
  let sums = new Float64Array(room)
  /** By hash, or in the next free slot: the number of a sum, and 1. At most half of them are taken. */
  let slots = new Int32Array(room * 2)

  function slotOf(owner: number, name: number, time: number): number {
    let slot = hash(owner, name, time) & (slots.length - 1)
    for (;;) {
      const number = (slots[slot] ?? 0) - 1
      if (number < 0 || isAt(number, owner, name, time)) return slot
      slot = (slot + 1) & (slots.length - 1)
    }
  }

  function isAt(number: number, owner: number, name: number, time: number): boolean {
    return names[number] === name && owners[number] === owner && times[number] === time
  }

  function grow(): void {
    room *= 2
    owners = copied(owners, new Int32Array(room))
    names = copied(names, new Int32Array(room))
    times = copied(times, new Float64Array(room))
    sums = copied(sums, new Float64Array(room))
    slots = new Int32Array(room * 2)
    for (let number = 0; number < size; number += 1) {
      slots[slotOf(owners[number] ?? 0, names[number] ?? 0, times[number] ?? 0)] = number + 1
    }
  }

  return {
    add(owner, name, time, amount) {
      const slot = slotOf(owner, name, time)
      const before = (slots[slot] ?? 0) - 1
      if (before >= 0) {
        sums[before] = (sums[before] ?? 0) + amount
        return before
      }
      const number = size
      size += 1
      slots[slot] = size
      owners[number] = owner
      names[number] = name
      times[number] = time
      sums[number] = amount
      if (size === room) grow()
      return number
    },
    size: () => size,
    each(show) {
      for (let number = 0; number < size; number += 1) {
        show(owners[number] ?? 0, names[number] ?? 0, times[number] ?? 0, sums[number] ?? 0)
      }
    },
  }
}

/** Odd numbers without a pattern spread neighbours: https://github.com/aappleby/smhasher/wiki/MurmurHash3 */
function hash(owner: number, name: number, time: number): number {
  const mixed =
    Math.imul(owner, 0x9e3779b1) ^ Math.imul(name, 0x85ebca6b) ^ Math.imul(time, 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}
