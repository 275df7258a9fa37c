/** A set of row numbers, a bit each: ten million of them take a little over a megabyte. */
export interface IdSet {
  add(id: number): IdSet
  has(id: number): boolean
}

/** Creates an empty set, for ids from 0 up. */
export function createIdSet(): IdSet {
  let bits = new Uint8Array(1_024)
  const set: IdSet = {
    add(id) {
      const byte = Math.floor(id / 8)
      if (byte >= bits.length) bits = longer(bits, byte)
      bits[byte] = (bits[byte] ?? 0) | (1 << (id % 8))
      return set
    },
    has: id => ((bits[Math.floor(id / 8)] ?? 0) & (1 << (id % 8))) !== 0,
  }
  return set
}

function longer(bits: Uint8Array, byte: number): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(Math.max(bits.length * 2, byte + 1))
  more.set(bits)
  return more
}
