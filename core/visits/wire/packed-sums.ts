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
const version = 4

/** The version, the numbers of counts and of names, and the bytes of all names. */
const headLength = 4

/** How many numbers a count has: see `columns`. */
const numbersACount = 6

/** Packs what links bring into the bytes of one row of `visit_batches`: columns of numbers, then the names. */
export function packSums(
  links: readonly { readonly linkId: number; readonly brought: BroughtVisits }[],
): Buffer {
  const places = new Map<CountName, number>()
  const placeOf = (name: CountName) => {
    const place = places.get(name) ?? places.size
    places.set(name, place)
    return place
  }
  const rows = links.flatMap(({ linkId, brought: { visits, lastVisitAt, counts } }) =>
    [...counts]
      .sort((a, b) => a.hour - b.hour)
      .map(({ name, hour, count }, at) => {
        // The total of a link stands beside its first count.
        const total = at === 0 ? [visits, lastVisitAt] : [0, 0]
        return [linkId, placeOf(name), hour, count, ...total]
      }),
  )
  const columns = Array.from({ length: numbersACount }, (_, column) =>
    rows.map(row => row[column] ?? 0),
  )
  const texts = Buffer.from([...places.keys()].flatMap(textsOf).join('\0'))
  const head = Uint32Array.of(version, rows.length, places.size, texts.length)
  return Buffer.concat([head, Float64Array.from(columns.flat()), texts].map(bytesOf))
}

/** Whether the bytes of a row of `visit_batches` are sums rather than single visits. */
export function holdsSums(packed: Uint8Array): boolean {
  return packed[0] === version
}

/** Opens packed sums, with their names in this table; throws if the bytes are not whole. */
export function openPackedSums(packed: Uint8Array, table: NameTable): StoredBatch {
  const { buffer } = Uint8Array.from(packed)
  const [, size = 0, , textBytes = 0] = new Uint32Array(buffer, 0, headLength)
  const start = headLength * Uint32Array.BYTES_PER_ELEMENT
  const end = start + size * numbersACount * Float64Array.BYTES_PER_ELEMENT
  if (end + textBytes !== packed.length) throw new RangeError('the bytes are not whole')
  const column = (number: number) =>
    new Float64Array(buffer, start + number * size * Float64Array.BYTES_PER_ELEMENT, size)
  const [linkIds, places, hours, counts, visits, lastVisitAt] = [0, 1, 2, 3, 4, 5].map(column)
  const names = namesIn(new TextDecoder().decode(new Uint8Array(buffer, end)))
  const numbers = names.map(name => table.numberOf(name))
  return {
    linkIds: linkIds ?? [],
    add(at, sums) {
      const number = numbers[places?.[at] ?? 0]
      if (number === undefined) throw new RangeError('a name is missing')
      sums.count(number, hours?.[at] ?? 0, counts?.[at] ?? 0)
      sums.visited(visits?.[at] ?? 0, lastVisitAt?.[at] ?? 0)
    },
  }
}
