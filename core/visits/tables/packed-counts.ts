import { ByteReader, ByteWriter } from '../../lib/memory/bytes.ts'

/**
 * The counts of one owner in one bucket, three numbers each: the ids of dimension and value in `visit_names`, and the
 * count. They ascend by dimension and value, each pair occurs once, and no count is 0. There are too many for one
 * object each.
 */
export type RowCounts = readonly number[]

const numbersACount = 3

/**
 * The first number of a packed row. No dimension begins with it, so that consecutive rows can be read as if they were
 * one.
 */
const format = 1

/** No counts yet. */
const nothing = new Uint8Array()

/**
 * Writes a row of counts as bytes: varints, with ids as differences to the previous one. First comes the bucket, so
 * that rows that were read together can be told apart. Each dimension has its id and, if it has more than one value,
 * the length of its values in bytes, so that a reader can skip them. Most rows are of one visit, and most counts are
 * 1: so the last bit of an id tells what is not written.
 */
class RowWriter {
  readonly #row = new ByteWriter()
  /** The values of the current dimension. */
  readonly #section = new ByteWriter()
  #dimension = 0
  #dimensionBefore = 0
  #values = 0
  #value = 0

  begin(bucket: number): void {
    this.#row.clear()
    this.#row.number(format)
    this.#row.number(bucket)
    this.#dimension = 0
    this.#dimensionBefore = 0
    this.#values = 0
  }

  /** Counts may be negative: in an account, after a link was subtracted in another bucket. */
  add(dimension: number, value: number, count: number): void {
    if (count === 0) return
    if (dimension !== this.#dimension) this.#endDimension(dimension)
    this.#section.number((value - this.#value) * 2 + (count === 1 ? 1 : 0))
    if (count !== 1) this.#section.number(count < 0 ? -count * 2 - 1 : count * 2)
    this.#value = value
    this.#values += 1
  }

  /** Undefined if there are no counts. */
  end(): Buffer | undefined {
    this.#endDimension(0)
    return this.#dimensionBefore === 0 ? undefined : Buffer.from(this.#row.bytes())
  }

  #endDimension(next: number): void {
    if (this.#values > 0) {
      const isOne = this.#values === 1
      this.#row.number((this.#dimension - this.#dimensionBefore) * 2 + (isOne ? 1 : 0))
      if (!isOne) this.#row.number(this.#section.length)
      this.#row.append(this.#section)
      this.#dimensionBefore = this.#dimension
    }
    this.#section.clear()
    this.#dimension = next
    this.#values = 0
    this.#value = 0
  }
}

const writer = new RowWriter()

/**
 * Adds these counts to a packed row, or packs them into a new one. It reads and writes in a single pass, because a
 * row has hundreds of counts. Counts of 0 are left out; undefined if nothing is left.
 */
export function packCounts(
  bucket: number,
  counts: RowCounts,
  packed: Uint8Array = nothing,
): Buffer | undefined {
  let at = 0
  let dimension = 0
  const addNext = () => {
    writer.add(counts[at] ?? 0, counts[at + 1] ?? 0, counts[at + 2] ?? 0)
    at += numbersACount
  }
  const merge: Show = (value, count) => {
    let order = comparePlace(counts, at, dimension, value)
    for (; order < 0; order = comparePlace(counts, at, dimension, value)) addNext()
    writer.add(dimension, value, order === 0 ? count + (counts[at + 2] ?? 0) : count)
    if (order === 0) at += numbersACount
  }
  writer.begin(bucket)
  eachCount(packed, next => {
    dimension = next
    return merge
  })
  while (at < counts.length) addNext()
  return writer.end()
}

/** Negative if the count at `at` comes before this value; positive past the end. */
function comparePlace(counts: RowCounts, at: number, dimension: number, value: number): number {
  if (at >= counts.length) return 1
  return (counts[at] ?? 0) - dimension || (counts[at + 1] ?? 0) - value
}

/** Called with each value of a dimension and its count. */
type Show = (value: number, count: number) => void

/**
 * Reads packed counts, one row or several in sequence, dimension by dimension: `open` returns the function to call
 * with the counts of a dimension, or undefined to skip them. Throws if the bytes are not whole rows of a known
 * format.
 */
export function eachCount(
  packed: Uint8Array,
  open: (dimension: number, bucket: number) => Show | undefined,
): void {
  const reader = new ByteReader(packed)
  let dimension = Number.NaN
  let bucket = 0
  while (!reader.atEnd()) {
    const head = reader.number()
    if (head === format) {
      dimension = 0
      bucket = reader.number()
      continue
    }
    if (head === 0 || Number.isNaN(dimension)) throw new RangeError('the format is not known here')
    dimension += Math.floor(head / 2)
    const show = open(dimension, bucket)
    if (head % 2 === 1) readCount(reader, 0, show)
    else readCounts(reader, show)
  }
}

function readCounts(reader: ByteReader, show: Show | undefined): void {
  const end = reader.number() + reader.place
  if (show === undefined) reader.skipTo(end)
  for (let value = 0; reader.place < end; ) value = readCount(reader, value, show)
  if (reader.place !== end) throw new RangeError('a dimension ends too late')
}

/** Returns the value that was read. */
function readCount(reader: ByteReader, before: number, show: Show | undefined): number {
  const step = reader.number()
  const value = before + Math.floor(step / 2)
  const count = step % 2 === 1 ? 1 : readSigned(reader)
  show?.(value, count)
  return value
}

function readSigned(reader: ByteReader): number {
  const number = reader.number()
  return number % 2 === 1 ? -(number + 1) / 2 : number / 2
}

/** The counts of a packed row; with `times` -1, the counts that subtract them again. */
export function unpackCounts(packed: Uint8Array, times: 1 | -1 = 1): RowCounts {
  const counts: number[] = []
  eachCount(packed, dimension => (value, count) => {
    counts.push(dimension, value, times * count)
  })
  return counts
}
