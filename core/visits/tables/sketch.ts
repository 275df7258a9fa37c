/**
 * HyperLogLog sketches: how many different values there were, of which none is kept. Flajolet, Fusy,
 * Gandouet and Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm"
 * (2007). A value leaves a mark, a register and a rank in 16 bits, drawn from its hash; a sketch is the
 * highest mark of each register. So a value that comes again changes nothing, and sketches are merged by
 * putting their marks together, in any order and as often as one likes.
 */

/** The standard error is 1.04 / sqrt(4,096): 1.6 %. */
export const registers = 4_096

/** Ranks are 1 to 15: enough for tens of millions of values. */
export const maxRank = 15

const rankBits = 4

/** What the ranks of all registers take. */
const denseBytes = (registers * rankBits) / 8

/** So many marks, two bytes each, would take as much. */
const denseFrom = denseBytes / 2

/** The mark that a value leaves whose hash has these 32 bits, which are as good as random. */
export function markOf(hash: number): number {
  const register = hash >>> (32 - 12)
  const rank = Math.min(Math.clz32(hash << 12) + 1, maxRank)
  return (register << rankBits) | rank
}

export function registerOf(mark: number): number {
  return mark >> rankBits
}

export function rankOf(mark: number): number {
  return mark & maxRank
}

/** The highest mark of each register, in the order of the registers. */
export function highestMarks(marks: readonly number[]): readonly number[] {
  if (marks.length < 2) return marks
  const sorted = new Uint16Array(marks).sort()
  const highest: number[] = []
  for (let at = 0; at < sorted.length; at += 1) {
    const mark = sorted[at] ?? 0
    const next = sorted[at + 1]
    if (next === undefined || registerOf(next) !== registerOf(mark)) highest.push(mark)
  }
  return highest
}

/** A sketch as bytes: the marks, two bytes each, or past 1,023 of them the ranks of all registers. */
export function packSketch(marks: readonly number[]): Buffer {
  const highest = highestMarks(marks)
  return highest.length < denseFrom ? packMarks(highest) : packRanks(highest)
}

function packMarks(marks: readonly number[]): Buffer {
  const bytes = Buffer.alloc(marks.length * 2)
  for (const [index, mark] of marks.entries()) bytes.writeUInt16BE(mark, index * 2)
  return bytes
}

function packRanks(marks: readonly number[]): Buffer {
  const bytes = Buffer.alloc(denseBytes)
  for (const mark of marks) {
    const register = registerOf(mark)
    const byte = register >> 1
    bytes[byte] = (bytes[byte] ?? 0) | (rankOf(mark) << shiftOf(register))
  }
  return bytes
}

/**
 * Raise ranks, one a register, to those of a sketch. A question about a year reads hundreds of sketches:
 * so none of their marks becomes an object. Throws when the bytes are none.
 */
export function mergeInto(ranks: Uint8Array, sketch: Uint8Array): void {
  if (sketch.length === denseBytes) {
    for (let at = 0; at < denseBytes; at += 1) {
      const pair = sketch[at] ?? 0
      raise(ranks, at * 2, pair >> rankBits)
      raise(ranks, at * 2 + 1, pair & maxRank)
    }
    return
  }
  checkLength(sketch.length)
  for (let at = 0; at < sketch.length; at += 2) {
    const mark = ((sketch[at] ?? 0) << 8) | (sketch[at + 1] ?? 0)
    raise(ranks, registerOf(mark), rankOf(mark))
  }
}

function raise(ranks: Uint8Array, register: number, rank: number): void {
  if (rank > (ranks[register] ?? 0)) ranks[register] = rank
}

/** The marks of a sketch, in the order of their registers; throws when the bytes are none. */
export function unpackSketch(sketch: Uint8Array): readonly number[] {
  const bytes = Buffer.from(sketch.buffer, sketch.byteOffset, sketch.byteLength)
  if (bytes.length === denseBytes) return unpackRanks(bytes)
  checkLength(bytes.length)
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2))
}

function checkLength(bytes: number): void {
  if (bytes > denseBytes || bytes % 2 !== 0) throw new RangeError(`a sketch has no ${bytes} bytes`)
}

function unpackRanks(bytes: Buffer): readonly number[] {
  const marks: number[] = []
  for (let register = 0; register < registers; register += 1) {
    const rank = ((bytes[register >> 1] ?? 0) >> shiftOf(register)) & maxRank
    if (rank > 0) marks.push((register << rankBits) | rank)
  }
  return marks
}

/** Two registers share a byte, the first has its upper half. */
function shiftOf(register: number): number {
  return register % 2 === 0 ? rankBits : 0
}
