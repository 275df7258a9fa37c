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

const section = new ByteWriter()
const row = new ByteWriter()

/**
 * A row of counts as bytes: varints, where ids are differences to the one before. First the bucket that it
 * is of, so that rows that were read together can be told apart. A dimension has its id
 * and, where it has more than one value, how many bytes they take, so that a reader can skip them; most
 * rows are of one visit, and most counts are 1: so the last bit of an id says what need not be written.
 */
export function packCounts(bucket: number, counts: RowCounts): Buffer {
  row.clear()
  row.number(format)
  row.number(bucket)
  let dimension = 0
  for (let from = 0, to = 0; from < counts.length; from = to) {
    const next = counts[from] ?? 0
    section.clear()
    for (let value = 0; to < counts.length && counts[to] === next; to += numbersACount) {
      writeCount(section, (counts[to + 1] ?? 0) - value, counts[to + 2] ?? 0)
      value = counts[to + 1] ?? 0
    }
    const isOne = to - from === numbersACount
    row.number((next - dimension) * 2 + (isOne ? 1 : 0))
    if (!isOne) row.number(section.length)
    row.append(section)
    dimension = next
  }
  return Buffer.from(row.bytes())
}

/** Counts may be below 0: those of an account, once a link was taken out of it in another bucket. */
function writeCount(writer: ByteWriter, step: number, count: number): void {
  writer.number(step * 2 + (count === 1 ? 1 : 0))
  if (count !== 1) writer.number(count < 0 ? -count * 2 - 1 : count * 2)
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

/** The counts of a packed row. */
export function unpackCounts(packed: Uint8Array): RowCounts {
  const counts: number[] = []
  eachCount(packed, dimension => (value, count) => {
    counts.push(dimension, value, count)
  })
  return counts
}

/** Two rows as one; `times` -1 takes the second out of the first. What comes to 0 is left out. */
export function addCounts(a: RowCounts, b: RowCounts, times: 1 | -1 = 1): RowCounts {
  const sums: number[] = []
  let [atA, atB] = [0, 0]
  while (atA < a.length || atB < b.length) {
    const order = compareCounts(a, atA, b, atB)
    const from = order <= 0 ? a : b
    const at = order <= 0 ? atA : atB
    let count = 0
    if (order <= 0) count += a[atA + 2] ?? 0
    if (order >= 0) count += times * (b[atB + 2] ?? 0)
    if (count !== 0) sums.push(from[at] ?? 0, from[at + 1] ?? 0, count)
    if (order <= 0) atA += numbersACount
    if (order >= 0) atB += numbersACount
  }
  return sums
}

/** Below 0 where the count of `a` comes first; one that is at its end comes last. */
function compareCounts(a: RowCounts, atA: number, b: RowCounts, atB: number): number {
  if (atA >= a.length) return 1
  if (atB >= b.length) return -1
  return (a[atA] ?? 0) - (b[atB] ?? 0) || (a[atA + 1] ?? 0) - (b[atB + 1] ?? 0)
}
