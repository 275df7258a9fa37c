import type { MmdbBytes } from './mmdb-tree.ts'

/** What a record says; numbers with a fraction are skipped, and so are those above 2^53. */
export type MmdbValue =
  | string
  | number
  | boolean
  | undefined
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue }

/** A damaged record may say that it has millions of values, or be inside itself. */
const maxValues = 10_000
const maxDepth = 32

/** Types of the format: https://maxmind.github.io/MaxMind-DB/#output-data-section */
const type = {
  ...{ extended: 0, pointer: 1, text: 2, double: 3, bytes: 4, uint16: 5, uint32: 6, map: 7 },
  ...{ int32: 8, uint64: 9, uint128: 10, array: 11, boolean: 14, float: 15 },
} as const

/** Reads the value at an offset of the file; pointers in it count from `base`. Throws if it is damaged. */
export function readMmdbValue(file: MmdbBytes, at: number, base: number): MmdbValue {
  let next = at
  let values = 0

  function uint(length: number): number {
    if (length === 0) return 0
    let number = 0
    let place = file.locate(next)
    for (let end = next + length; next < end; next += 1) {
      if (next < file.size) number = number * 256 + (file.bytes[place++] ?? 0)
      else throw new RangeError('it ends before')
    }
    return number
  }

  /** Sizes above 28 are in the bytes that follow. */
  function sizeOf(bits: number): number {
    if (bits < 29) return bits
    if (bits === 29) return 29 + uint(1)
    return bits === 30 ? 285 + uint(2) : 65_821 + uint(3)
  }

  function pointed(control: number, depth: number): MmdbValue {
    const length = ((control >> 3) & 3) + 1
    const high = length === 4 ? 0 : (control & 7) * 256 ** length
    const to = base + high + uint(length) + ([0, 2_048, 526_336][length - 1] ?? 0)
    const after = next
    next = to
    const found = value(depth)
    next = after
    return found
  }

  function map(size: number, depth: number): MmdbValue {
    const entries: [string, MmdbValue][] = []
    while (entries.length < size) entries.push([String(value(depth)), value(depth)])
    return Object.fromEntries(entries)
  }

  function array(size: number, depth: number): MmdbValue {
    const items: MmdbValue[] = []
    while (items.length < size) items.push(value(depth))
    return items
  }

  function skip(size: number): undefined {
    next += size
  }

  function text(size: number): string {
    const found = file.copy(next, size).toString()
    next += size
    return found
  }

  function value(depth: number): MmdbValue {
    values += 1
    if (values > maxValues || depth > maxDepth) throw new Error('it is damaged')
    const control = uint(1)
    const short = control >> 5
    if (short === type.pointer) return pointed(control, depth + 1)
    const long = short === type.extended ? type.map + uint(1) : short
    // Those that fit in three bits are never written so, but zeros would look like it.
    if (short === type.extended && long === type.map) throw new Error('it is damaged')
    const size = sizeOf(control & 31)
    switch (long) {
      case type.text:
        return text(size)
      case type.map:
        return map(size, depth + 1)
      case type.array:
        return array(size, depth + 1)
      case type.boolean:
        return size !== 0
      case type.uint16:
      case type.uint32:
      case type.uint64:
        return size <= 6 ? uint(size) : skip(size)
      case type.double:
      case type.float:
      case type.bytes:
      case type.int32:
      case type.uint128:
        return skip(size)
      default:
        throw new Error('it is damaged')
    }
  }

  return value(0)
}
