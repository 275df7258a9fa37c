import { ByteReader, ByteWriter } from '../../lib/bytes.ts'
import type { CountName, NameTable } from './name-table.ts'
import {
  type Counts,
  countLength,
  eachCount,
  type LinkCounts,
  type Marked,
  type VisitBatch,
} from './visit-batch.ts'

/** The first number of a packed batch; another one is not ours to read. */
const version = 2

/** What a name is besides its texts, in one number. */
const botsFlag = 1
const summedFlag = 2

/**
 * A batch as the bytes of one row. Each name is written once, and counts refer to it by its place;
 * hours count from the earliest.
 */
export function packBatch({ names, links }: VisitBatch): Buffer {
  const writer = new ByteWriter()
  const firstHour = earliestHour(links)
  const { placeOf, inOrder } = placesOfNames(links, names.size())
  writer.number(version)
  writer.number(firstHour)
  writer.number(inOrder.length)
  for (const name of inOrder) writeName(writer, names.name(name))
  writer.number(links.length)
  for (const { linkId, visits, lastVisitAt, counts, marked } of links) {
    writer.number(linkId)
    writer.number(visits)
    writer.number(lastVisitAt)
    writer.number(counts.length / countLength)
    eachCount(counts, (name, hour, count) => {
      writer.number(placeOf(name))
      writer.number(hour - firstHour)
      writer.number(count)
    })
    writer.number(marked.length)
    for (const it of marked) writeMarked(writer, it, placeOf(it.name))
  }
  return writer.bytes()
}

/** A packed batch of which links can be read one by one. */
export interface OpenBatch {
  readonly links: readonly PlaceOfLink[]
  /** What it has of the link at that place. */
  read(place: number): LinkCounts
}

/** Where a batch has what it has of a link. */
export interface PlaceOfLink {
  readonly linkId: number
  readonly place: number
}

/**
 * Open what was packed, its names in this table; throws when the bytes are not a whole batch of a version
 * that is known here.
 */
export function openBatch(packed: Uint8Array, names: NameTable): OpenBatch {
  const reader = new ByteReader(packed)
  const found = reader.number()
  if (found !== version) throw new RangeError(`version ${found} is not known here`)
  const firstHour = reader.number()
  const numbers = readList(reader, () => names.numberOf(readName(reader)))
  const links = readList(reader, () => {
    const { place } = reader
    return { place, linkId: skipLink(reader, numbers.length) }
  })
  if (!reader.atEnd()) throw new RangeError('there are bytes after the end')
  return {
    links,
    read(place) {
      reader.skipTo(place)
      return readLink(reader, firstHour, numbers)
    },
  }
}

function earliestHour(links: readonly LinkCounts[]): number {
  let earliest = Number.MAX_SAFE_INTEGER
  for (const { counts } of links) {
    eachCount(counts, (_, hour) => {
      if (hour < earliest) earliest = hour
    })
  }
  return earliest
}

/** Of a table's names only some are in a batch. */
function placesOfNames(links: readonly LinkCounts[], names: number) {
  const inOrder: number[] = []
  /** By name: its place, and 1. */
  const places = new Uint32Array(names)
  const place = (name: number) => {
    if (places[name] === 0) places[name] = inOrder.push(name)
  }
  for (const { counts, marked } of links) {
    eachCount(counts, place)
    for (const { name } of marked) place(name)
  }
  return { inOrder, placeOf: (name: number) => (places[name] ?? 0) - 1 }
}

function writeName(writer: ByteWriter, { dimension, value, bots, summed }: CountName): void {
  writer.text(dimension)
  writer.text(value)
  writer.number((bots ? botsFlag : 0) + (summed ? summedFlag : 0))
}

function readName(reader: ByteReader): CountName {
  const [dimension, value, flags] = [reader.text(), reader.text(), reader.number()]
  return { dimension, value, bots: (flags & botsFlag) !== 0, summed: (flags & summedFlag) !== 0 }
}

/** Marks go up, so that their differences are smaller than they are. */
function writeMarked(writer: ByteWriter, { day, visits, marks }: Marked, place: number): void {
  writer.number(place)
  writer.number(day)
  writer.number(visits)
  writer.number(marks.length)
  let before = 0
  for (const mark of marks) {
    writer.number(mark - before)
    before = mark
  }
}

/** Gives whose it is. Throws where it refers to a name that is not among so many. */
function skipLink(reader: ByteReader, names: number): number {
  const skip = (numbers: number) => {
    for (let left = numbers; left > 0; left -= 1) reader.number()
  }
  const skipName = () => {
    if (reader.number() >= names) throw new RangeError('a name is missing')
  }
  const linkId = reader.number()
  skip(2)
  for (let counts = reader.number(); counts > 0; counts -= 1) {
    skipName()
    skip(2)
  }
  for (let marked = reader.number(); marked > 0; marked -= 1) {
    skipName()
    skip(2)
    skip(reader.number())
  }
  return linkId
}

function readLink(reader: ByteReader, firstHour: number, names: readonly number[]): LinkCounts {
  return {
    linkId: reader.number(),
    visits: reader.number(),
    lastVisitAt: reader.number(),
    counts: readCounts(reader, firstHour, names),
    marked: readList(reader, () => readMarked(reader, names)),
  }
}

function readCounts(reader: ByteReader, firstHour: number, names: readonly number[]): Counts {
  const counts: number[] = []
  for (let left = reader.number(); left > 0; left -= 1) {
    counts.push(readPlace(reader, names), reader.number() + firstHour, reader.number())
  }
  return counts
}

function readMarked(reader: ByteReader, names: readonly number[]): Marked {
  let mark = 0
  return {
    name: readPlace(reader, names),
    day: reader.number(),
    visits: reader.number(),
    marks: readList(reader, () => {
      mark += reader.number()
      return mark
    }),
  }
}

function readPlace(reader: ByteReader, names: readonly number[]): number {
  return names[reader.number()] ?? 0
}

function readList<T>(reader: ByteReader, readOne: () => T): T[] {
  const list: T[] = []
  for (let left = reader.number(); left > 0; left -= 1) list.push(readOne())
  return list
}
