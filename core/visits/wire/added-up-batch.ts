import { ByteReader } from '../../lib/memory/bytes.ts'
import type { CountName, NameTable } from './name-table.ts'
import type { StoredBatch, Sums } from './stored-batch.ts'

/** The first number of batches in the old format, before they were stored in columns. */
export const addedUpVersion = 2

const botsFlag = 1
const summedFlag = 2

/**
 * Opens a batch whose visits were added up by link before they were stored: a server of an older version that was
 * killed may have left some. Throws if the bytes are not a whole batch.
 */
export function openAddedUpBatch(packed: Uint8Array, names: NameTable): StoredBatch {
  const reader = new ByteReader(packed)
  reader.number()
  const firstHour = reader.number()
  const numbers = readList(reader, () => names.numberOf(readName(reader)))
  /** The position of each link in the bytes. */
  const places: number[] = []
  const linkIds = readList(reader, () => {
    places.push(reader.place)
    return readLink(reader, { firstHour, numbers }, nobody)
  })
  if (!reader.atEnd()) throw new RangeError('there are bytes after the end')
  return {
    linkIds,
    add(part, sums) {
      reader.skipTo(places[part] ?? 0)
      readLink(reader, { firstHour, numbers }, sums)
    },
  }
}

interface Head {
  readonly firstHour: number
  readonly numbers: readonly number[]
}

/** Returns the id of the link. */
function readLink(reader: ByteReader, { firstHour, numbers }: Head, sums: Sums): number {
  const readNumber = () => {
    const number = numbers[reader.number()]
    if (number === undefined) throw new RangeError('a name is missing')
    return number
  }
  const linkId = reader.number()
  sums.visited(reader.number(), reader.number())
  for (let counts = reader.number(); counts > 0; counts -= 1) {
    sums.count(readNumber(), reader.number() + firstHour, reader.number())
  }
  for (let marked = reader.number(); marked > 0; marked -= 1) {
    const [name, day, visits] = [readNumber(), reader.number(), reader.number()]
    let mark = 0
    for (let marks = reader.number(), left = marks; left > 0; left -= 1) {
      mark += reader.number()
      sums.mark(name, day, left === marks ? visits : 0, mark)
    }
  }
  return linkId
}

const nobody: Sums = { visited: () => undefined, count: () => undefined, mark: () => undefined }

/** The old format has no flag for names with marks. */
function readName(reader: ByteReader): CountName {
  const [dimension, value, flags] = [reader.text(), reader.text(), reader.number()]
  const [bots, summed] = [(flags & botsFlag) !== 0, (flags & summedFlag) !== 0]
  return { dimension, value, bots, summed, marked: false }
}

function readList<T>(reader: ByteReader, readOne: () => T): T[] {
  const list: T[] = []
  for (let left = reader.number(); left > 0; left -= 1) list.push(readOne())
  return list
}
