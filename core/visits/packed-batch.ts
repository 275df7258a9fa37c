import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from './bytes.ts'
import type { CountName, LinkCounts, VisitBatch } from './visit-batch.ts'

/** The first number of a packed batch; another one is not ours to read. */
const version = 1

/**
 * A batch as the bytes of one row. Each name is written once, and counts refer to it by its place;
 * hours count from the earliest.
 */
export function packBatch(batch: VisitBatch): Buffer {
  const writer = createByteWriter()
  const firstHour = earliestHour(batch)
  const places = placesOfNames(batch)
  writer.number(version)
  writer.number(firstHour)
  writer.number(places.size)
  for (const name of places.keys()) writeName(writer, name)
  writer.number(batch.length)
  for (const { linkId, visits, lastVisitAt, counts } of batch) {
    writer.number(linkId)
    writer.number(visits)
    writer.number(lastVisitAt)
    writer.number(counts.length)
    for (const { name, hour, count } of counts) {
      writer.number(places.get(name) ?? 0)
      writer.number(hour - firstHour)
      writer.number(count)
    }
  }
  return writer.bytes()
}

/** What was packed; throws when the bytes are not a whole batch of a version that is known here. */
export function unpackBatch(packed: Uint8Array): VisitBatch {
  const reader = createByteReader(packed)
  const found = reader.number()
  if (found !== version) throw new RangeError(`version ${found} is not known here`)
  const firstHour = reader.number()
  const names = readList(reader, () => readName(reader))
  const batch = readList(reader, () => readLink(reader, firstHour, names))
  if (!reader.atEnd()) throw new RangeError('there are bytes after the end')
  return batch
}

function earliestHour(batch: VisitBatch): number {
  let earliest = Number.MAX_SAFE_INTEGER
  for (const { counts } of batch) for (const { hour } of counts) earliest = Math.min(earliest, hour)
  return earliest
}

function placesOfNames(batch: VisitBatch): ReadonlyMap<CountName, number> {
  const places = new Map<CountName, number>()
  for (const { counts } of batch) {
    for (const { name } of counts) if (!places.has(name)) places.set(name, places.size)
  }
  return places
}

function writeName(writer: ByteWriter, { dimension, value, bots }: CountName): void {
  writer.text(dimension)
  writer.text(value)
  writer.number(bots ? 1 : 0)
}

function readName(reader: ByteReader): CountName {
  return { dimension: reader.text(), value: reader.text(), bots: reader.number() === 1 }
}

function readLink(reader: ByteReader, firstHour: number, names: readonly CountName[]): LinkCounts {
  return {
    linkId: reader.number(),
    visits: reader.number(),
    lastVisitAt: reader.number(),
    counts: readList(reader, () => {
      const name = names[reader.number()]
      if (name === undefined) throw new RangeError('a name is missing')
      return { name, hour: reader.number() + firstHour, count: reader.number() }
    }),
  }
}

function readList<T>(reader: ByteReader, readOne: () => T): T[] {
  const list: T[] = []
  for (let left = reader.number(); left > 0; left -= 1) list.push(readOne())
  return list
}
