import { ByteReader, ByteWriter } from '../../lib/memory/bytes.ts'

/**
 * What was counted for one owner in one bucket, three numbers each: the dimension, the value, both by
 * their ids from `visit_names`, and how often it came. Ascending by dimension and value, each pair once,
 * none of them 0. Too many for an object of each.
 */
export type RowCounts = readonly number[]

const numbersACount = 3

/**
 * The first number of a packed row. No dimension begins with it, so that rows can be read one after
 * another as if they were one.
 */
const format = 1

/** Nothing was counted yet. */
const nothing = new Uint8Array()

/**
 * A row of counts as bytes: varints, where ids are differences to the one before. First the bucket that it
 * is of, so that rows that were read together can be told apart. A dimension has its id
 * and, where it has more than one value, how many bytes they take, so that a reader can skip them; most
 * rows are of one visit, and most counts are 1: so the last bit of an id says what need not be written.
 */
class RowWriter {
  readonly #row = new ByteWriter()
  /** The values of the dimension that is written. */
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

  /** Counts may be below 0: those of an account, once a link was taken out of it in another bucket. */
  add(dimension: number, value: number, count: number): void {
    if (count === 0) return
    if (dimension !== this.#dimension) this.#endDimension(dimension)
    this.#section.number((value - this.#value) * 2 + (count === 1 ? 1 : 0))
    if (count !== 1) this.#section.number(count < 0 ? -count * 2 - 1 : count * 2)
    this.#value = value
    this.#values += 1
  }

  /** Undefined: there are none. */
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
 * A row with these counts added to those that it was packed with, if it was: it is read and written in one go, for a
 * row has hundreds. What comes to 0 is left out; undefined: nothing is left.
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

/** Below 0 where the count comes before this value; one past the end comes last. */
function comparePlace(counts: RowCounts, at: number, dimension: number, value: number): number {
  if (at >= counts.length) return 1
  return (counts[at] ?? 0) - dimension || (counts[at + 1] ?? 0) - value
}

/** Called with each value of a dimension. */
type Show = (value: number, count: number) => void

/**
 * Show what was packed, be it several rows one after another, dimension by dimension: `open` says who
 * looks at the counts of one, if anybody does. Throws when the bytes are not whole rows of a format that is
 * known here.
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

/** Gives the value that was read. */
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

/** The counts of a packed row; `times` -1 gives those that take them out again. */
export function unpackCounts(packed: Uint8Array, times: 1 | -1 = 1): RowCounts {
  const counts: number[] = []
  eachCount(packed, dimension => (value, count) => {
    counts.push(dimension, value, times * count)
  })
  return counts
}
