import { dayOf, hourOf } from '../facts/buckets.ts'
import type { CountedVisits } from './counted-visits.ts'
import type { CountName, NameTable } from './name-table.ts'

/** A stored batch, opened to be added up. */
export interface StoredBatch {
  /** The id of the link of each visit. */
  readonly linkIds: ArrayLike<number>
  /** Adds a visit to the sums of its link. */
  add(visit: number, sums: Sums): void
}

/** Receives the sums of a link. Names are given by their number in a table. */
export interface Sums {
  /** Tracked visits, without robots; the time of the last one is in milliseconds since 1970 UTC. */
  visited(visits: number, lastVisitAt: number): void
  /** A count in an hour, in hours since 1970 UTC. */
  count(name: number, hour: number, count: number): void
  /** Visits that left a mark under a name on a UTC day, in days since 1970. */
  mark(name: number, day: number, visits: number, mark: number): void
}

/** The first byte of a packed batch. */
const version = 3

/** The flags of a name, stored as one character. */
const botsFlag = 1
const summedFlag = 2
const markedFlag = 4

/**
 * How many numbers the head has: the version, the numbers of visits and entries, the bytes per entry, the bytes of
 * all names, and one that pads to a multiple of eight bytes.
 */
const headLength = 6

/**
 * Packs these visits into the bytes of one row: columns of numbers as they are in memory, because they are read again
 * within seconds, and then the names that they count under, each once. Nothing is added up until many batches are
 * folded together, so that what they have in common is worked out once.
 */
export function packBatch(visits: CountedVisits, which: Uint32Array): Buffer {
  const { names } = visits
  const linkIds = new Float64Array(which.length)
  const moments = new Float64Array(which.length)
  const ends = new Uint32Array(which.length)
  const entries = new Uint32Array(visits.startOf(visits.size))
  const inOrder: CountName[] = []
  /** By the number of a name: its place in the batch, plus 1. */
  const places = new Uint32Array(names.size())
  let end = 0
  for (let at = 0; at < which.length; at += 1) {
    const visit = which[at] ?? 0
    linkIds[at] = visits.linkOf(visit).id
    moments[at] = visits.momentOf(visit)
    for (let from = visits.startOf(visit); from < visits.startOf(visit + 1); from += 1) {
      const number = visits.entry(from)
      const name = names.name(number)
      if (places[number] === 0) places[number] = inOrder.push(name)
      entries[end++] = (places[number] ?? 0) - 1
      if (name.marked) entries[end++] = visits.entry(++from)
    }
    ends[at] = end
  }
  const packed = entries.subarray(0, end)
  const narrow = inOrder.length <= 0x10000 ? new Uint16Array(packed) : packed
  const texts = Buffer.from(inOrder.flatMap(textsOf).join('\0'))
  const head = Uint32Array.of(version, which.length, end, narrow.BYTES_PER_ELEMENT, texts.length, 0)
  return Buffer.concat([head, linkIds, moments, ends, narrow, texts].map(bytesOf))
}

/** Opens a packed batch, with its names in this table; throws if the bytes are not a whole batch of a known version. */
export function openBatch(packed: Uint8Array, table: NameTable): StoredBatch {
  // Columns must be aligned to the size of their numbers: mostly the bytes are aligned already, and are not copied.
  const isAligned = packed.byteOffset % 8 === 0
  const { buffer, byteOffset, length } = isAligned ? packed : Uint8Array.from(packed)
  if (packed[0] !== version) throw new RangeError(`version ${packed[0]} is not known here`)
  let read = 0
  const bytes = (count: number) => {
    const start = read
    read += count
    if (read > length) throw new RangeError('the bytes end too early')
    return [buffer, byteOffset + start] as const
  }
  const head = new Uint32Array(...bytes(headLength * 4), headLength)
  const [, visits = 0, entryCount = 0, width = 0, textBytes = 0] = head
  const linkIds = new Float64Array(...bytes(visits * 8), visits)
  const moments = new Float64Array(...bytes(visits * 8), visits)
  const ends = new Uint32Array(...bytes(visits * 4), visits)
  const ofEntries = bytes(entryCount * width)
  const entries =
    width === 2
      ? new Uint16Array(...ofEntries, entryCount)
      : new Uint32Array(...ofEntries, entryCount)
  const names = namesIn(new TextDecoder().decode(new Uint8Array(...bytes(textBytes), textBytes)))
  if (read !== length) throw new RangeError('there are bytes after the end')
  const numbers = names.map(name => table.numberOf(name))

  function add(visit: number, sums: Sums): void {
    const at = moments[visit] ?? 0
    const end = ends[visit] ?? 0
    let isBot = false
    for (let from = ends[visit - 1] ?? 0; from < end; from += 1) {
      const entry = entries[from] ?? 0
      const name = names[entry]
      const number = numbers[entry]
      if (name === undefined || number === undefined) throw new RangeError('a name is missing')
      isBot = name.bots
      if (name.marked) sums.mark(number, dayOf(at), 1, entries[++from] ?? 0)
      else sums.count(number, hourOf(at), 1)
    }
    // No dimension counts both robots and people.
    if (!isBot) sums.visited(1, at)
  }

  return { linkIds, add }
}

/** The bytes of a column of numbers. */
export function bytesOf(column: ArrayBufferView): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
}

/** The texts that a name is stored as. None of them contains NUL: see `tidyValue`. */
export function textsOf({ dimension, value, bots, summed, marked }: CountName): readonly string[] {
  const flags = (bots ? botsFlag : 0) + (summed ? summedFlag : 0) + (marked ? markedFlag : 0)
  return [String(flags), dimension, value]
}

/** The names that were stored as these texts, with a NUL between any two. */
export function namesIn(text: string): readonly CountName[] {
  if (text === '') return []
  const texts = text.split('\0')
  return Array.from({ length: texts.length / 3 }, (_, name) => {
    const [flags, dimension = '', value = ''] = texts.slice(name * 3, name * 3 + 3)
    const has = (flag: number) => (Number(flags) & flag) !== 0
    return {
      dimension,
      value,
      bots: has(botsFlag),
      summed: has(summedFlag),
      marked: has(markedFlag),
    }
  })
}
