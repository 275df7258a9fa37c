import type { CountName, NameTable } from './name-table.ts'
import { bytesOf, namesIn, type StoredBatch, textsOf } from './packed-batch.ts'

/** Visits of a link that were added up elsewhere. */
export interface BroughtVisits {
  /** All visits, without robots. */
  readonly visits: number
  /** The time of the last of them, in milliseconds since 1970 UTC; 0 if nobody knows. */
  readonly lastVisitAt: number
  /** At least one. */
  readonly counts: readonly BroughtCount[]
}

export interface BroughtCount {
  readonly name: CountName
  /** Hours since 1970 UTC, or `undatedBucket`. */
  readonly hour: number
  readonly count: number
}

/** The first byte of packed sums: they are stored among batches, which have another one. */
const version = 5

/** How many numbers the head has: the version, the numbers of links, counts and names, the bytes of all names, and one that pads. */
const headLength = 6

/** Packs what links bring into the bytes of one row of `visit_batches`: columns of links and of their counts, then the names. */
export function packSums(
  links: readonly { readonly linkId: number; readonly brought: BroughtVisits }[],
): Buffer {
  const places = new Map<CountName, number>()
  const placeOf = (name: CountName) => {
    const place = places.get(name) ?? places.size
    places.set(name, place)
    return place
  }
  const size = links.reduce((sum, { brought }) => sum + brought.counts.length, 0)
  const ofLinks = [0, 1, 2].map(() => new Float64Array(links.length))
  const [ids, visits, lastVisits] = ofLinks as [Float64Array, Float64Array, Float64Array]
  const counts = new Float64Array(size)
  const ends = new Uint32Array(links.length)
  const hours = new Uint32Array(size)
  const names = new Uint32Array(size)
  let end = 0
  for (const [at, { linkId, brought }] of links.entries()) {
    ids[at] = linkId
    visits[at] = brought.visits
    lastVisits[at] = brought.lastVisitAt
    for (const { name, hour, count } of [...brought.counts].sort((a, b) => a.hour - b.hour)) {
      counts[end] = count
      hours[end] = hour
      names[end] = placeOf(name)
      end += 1
    }
    ends[at] = end
  }
  const texts = Buffer.from([...places.keys()].flatMap(textsOf).join('\0'))
  const head = Uint32Array.of(version, links.length, size, places.size, texts.length, 0)
  return Buffer.concat([head, ...ofLinks, counts, ends, hours, names, texts].map(bytesOf))
}

/** Whether the bytes of a row of `visit_batches` are sums rather than single visits. */
export function holdsSums(packed: Uint8Array): boolean {
  return packed[0] === version
}

/** Opens packed sums, with their names in this table; throws if the bytes are not whole. */
export function openPackedSums(packed: Uint8Array, table: NameTable): StoredBatch {
  const { buffer } = Uint8Array.from(packed)
  const [, links = 0, size = 0, , textBytes = 0] = new Uint32Array(buffer, 0, headLength)
  let read = headLength * Uint32Array.BYTES_PER_ELEMENT
  const column = <T>(kind: Column<T>, length: number): T => {
    const start = read
    read += length * kind.BYTES_PER_ELEMENT
    if (read > packed.length) throw new RangeError('the bytes end too early')
    return new kind(buffer, start, length)
  }
  const [ids, visits, lastVisits] = [0, 1, 2].map(() => column(Float64Array, links))
  const counts = column(Float64Array, size)
  const [ends, hours, names] = [links, size, size].map(length => column(Uint32Array, length))
  if (read + textBytes !== packed.length) throw new RangeError('the bytes are not whole')
  const numbers = namesIn(new TextDecoder().decode(new Uint8Array(buffer, read))).map(name =>
    table.numberOf(name),
  )
  /** The link of each count, by its place. */
  const owners = new Uint32Array(size)
  for (let link = 0, at = 0; link < links; link += 1)
    for (; at < (ends?.[link] ?? 0); at += 1) owners[at] = link
  return {
    linkIds: Float64Array.from(owners, link => ids?.[link] ?? 0),
    add(at, sums) {
      const link = owners[at] ?? 0
      const number = numbers[names?.[at] ?? 0]
      if (number === undefined) throw new RangeError('a name is missing')
      sums.count(number, hours?.[at] ?? 0, counts[at] ?? 0)
      // The total of a link comes with its first count.
      if (at === 0 || owners[at - 1] !== link)
        sums.visited(visits?.[link] ?? 0, lastVisits?.[link] ?? 0)
    },
  }
}

interface Column<T> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer, start: number, length: number): T
}
