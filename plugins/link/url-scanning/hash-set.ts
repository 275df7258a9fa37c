/** A set of texts that keeps only their hashes: it can tell whether a text was added, but cannot list the texts. */
export interface HashSet {
  readonly size: number
  /** Memory that its table takes. */
  readonly bytes: number
  add(text: string): void
  /** Whether a text was added. In a set of a million, wrongly true for about one in 10^10 texts that were not. */
  has(text: string): boolean
}

/**
 * Uses open addressing with linear probing, at most two thirds full. A million texts take 16 MiB. Adding never sorts,
 * so other work does not wait while a list is read.
 */
export function createHashSet(): HashSet {
  let slots = new Float64Array(1_024)
  let size = 0

  /** Where a hash is, or would be. */
  function slotOf(hash: number): number {
    const mask = slots.length - 1
    let slot = (hash >>> 0) & mask
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const before = slots
    slots = new Float64Array(before.length * 2)
    for (const hash of before) if (hash !== 0) slots[slotOf(hash)] = hash
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return slots.byteLength
    },
    add(text) {
      const hash = hashOf(text)
      const slot = slotOf(hash)
      if (slots[slot] === hash) return
      slots[slot] = hash
      size += 1
      if (size * 3 > slots.length * 2) grow()
    },
    has(text) {
      const hash = hashOf(text)
      return slots[slotOf(hash)] === hash
    },
  }
}

/** Returns a hash of 53 bits, never 0: cyrb53 by bryc, in the public domain (https://github.com/bryc/code). */
function hashOf(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 2 ** 32 * (low & 0x1fffff) + (high >>> 0) || 1
}
