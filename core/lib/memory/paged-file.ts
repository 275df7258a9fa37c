import { closeSync, fstatSync, readSync } from 'node:fs'
import { openRegularFileSync } from '../files/regular-file.ts'

/** As the kernel keeps files. */
const pageBytes = 4_096
/** Each page is followed by the first bytes of the next, so that nothing short lies across two. */
const overlap = 8
const slotBytes = pageBytes + overlap

/** Closes files that nobody uses any more; who still looks something up in one keeps it open. */
const unused = new FinalizationRegistry((descriptor: number) => closeSync(descriptor))

/**
 * A large file of which only the pages used lately are in memory. The others are in the cache of the kernel, which drops
 * them where memory is short. A file that is written over while it is open cannot be read any more; one that another
 * took the place of can.
 */
export class PagedFile {
  readonly size: number
  readonly #descriptor: number
  readonly #stamp: string
  readonly #slots: number
  /** By page: its slot, plus 1. */
  #slotOf = new Uint16Array(0)
  /** By slot: its page, and whether it was used since the hand last came by. */
  readonly #pageIn: Uint32Array
  readonly #isUsed: Uint8Array
  #hand = 0
  /** Pages lie here, each in its slot. */
  bytes = Buffer.alloc(0)

  /** Throws if the file cannot be opened. No memory is taken for `maxBytes` of pages before the first is read. */
  constructor(path: string, maxBytes: number) {
    this.#descriptor = openRegularFileSync(path)
    unused.register(this, this.#descriptor)
    this.size = fstatSync(this.#descriptor).size
    this.#stamp = stampOf(this.#descriptor)
    this.#slots = Math.min(
      Math.ceil(this.size / pageBytes),
      Math.ceil(maxBytes / pageBytes),
      65_535,
    )
    this.#pageIn = new Uint32Array(this.#slots)
    this.#isUsed = new Uint8Array(this.#slots)
  }

  /**
   * The place in `bytes` of the byte at this offset of the file, which some more follow: eight, if the file has them.
   * It holds until the next call. Throws beyond the end of the file, and if it cannot be read.
   */
  locate(at: number): number {
    const page = Math.floor(at / pageBytes)
    const slot = (this.#slotOf[page] ?? 0) - 1
    if (slot < 0) return this.#load(page, at)
    this.#isUsed[slot] = 1
    return slot * slotBytes + (at % pageBytes)
  }

  /** A copy of some bytes; throws as `locate` does. */
  copy(at: number, length: number): Buffer {
    if (!(at >= 0 && at + length <= this.size)) throw new RangeError('it ends before')
    if (length > 0 && (at % pageBytes) + length <= slotBytes) {
      const place = this.locate(at)
      return Buffer.from(this.bytes.subarray(place, place + length))
    }
    const bytes = Buffer.allocUnsafe(length)
    this.#read(bytes, 0, length, at)
    return bytes
  }

  #load(page: number, at: number): number {
    if (!(at >= 0 && at < this.size)) throw new RangeError('it ends before')
    if (this.bytes.length === 0) {
      this.bytes = Buffer.allocUnsafeSlow(this.#slots * slotBytes)
      this.#slotOf = new Uint16Array(Math.ceil(this.size / pageBytes))
    }
    const slot = this.#freeSlot()
    const from = page * pageBytes
    this.#read(this.bytes, slot * slotBytes, Math.min(slotBytes, this.size - from), from)
    this.#pageIn[slot] = page
    this.#slotOf[page] = slot + 1
    return slot * slotBytes + (at % pageBytes)
  }

  /** Goes around the slots, past those that were used since. */
  #freeSlot(): number {
    while (this.#isUsed[this.#hand] === 1) {
      this.#isUsed[this.#hand] = 0
      this.#hand = (this.#hand + 1) % this.#slots
    }
    const slot = this.#hand
    const page = this.#pageIn[slot] ?? 0
    if (this.#slotOf[page] === slot + 1) this.#slotOf[page] = 0
    this.#hand = (slot + 1) % this.#slots
    return slot
  }

  /** What is read of a file that was written over would be a mixture of both. */
  #read(into: Buffer, start: number, length: number, at: number): void {
    const count = readSync(this.#descriptor, into, start, length, at)
    if (count === length && stampOf(this.#descriptor) === this.#stamp) return
    throw new Error('it was written over while it was in use')
  }
}

function stampOf(descriptor: number): string {
  const { size, mtimeMs } = fstatSync(descriptor)
  return `${size} ${mtimeMs}`
}
