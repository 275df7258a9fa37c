import { ownText } from '../../lib/memory/copies.ts'
import type { RawVisit, TrackedLink } from '../facts/open-visit.ts'
import { column, type PackedVisits, rowLength } from '../wire/packed-visits.ts'

/** The visits of a batch with all their texts numbered, except addresses: equal texts have the same number. */
export interface InternedVisits extends Pick<PackedVisits, 'links' | 'variants'> {
  readonly at: Float64Array
  /** By number; 0 is the empty text. */
  readonly texts: readonly string[]
  /** By visit, because hardly two visits have the same address. */
  readonly ips: readonly string[]
  /** As in the batch, but with numbers for texts. */
  readonly rows: Uint32Array
}

/** Reads the texts of a batch, each once; known texts keep their numbers. */
export function internTexts(packed: PackedVisits, known: TextNumbers): InternedVisits {
  const { texts: bytes, links, variants, at } = packed
  const rows = packed.rows.slice()
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const ips: string[] = []
  let read = 0
  const take = (length = 0) => {
    const start = read
    read += length
    return all.slice(start, read)
  }
  for (let row = 0; row < rows.length; row += rowLength) {
    ips.push(take(rows[row + column.ip]))
    for (let cell = row + column.userAgent; cell <= row + column.query; cell += 1) {
      rows[cell] = known.numberOf(take(rows[cell]))
    }
  }
  return { links, variants, at, rows, texts: known.texts, ips }
}

/** The number in a column of a visit. */
export function numberIn({ rows }: InternedVisits, visit: number, column: number): number {
  return rows[visit * rowLength + column] ?? 0
}

/** The link of a visit. */
export function linkOf(batch: InternedVisits, visit: number): TrackedLink {
  const link = batch.links[numberIn(batch, visit, column.link)]
  if (!link) throw new Error('A visit came of a link that did not.')
  return link
}

/** The address of the visitor. */
export function ipOf({ ips }: InternedVisits, visit: number): string {
  return ips[visit] ?? ''
}

/** The text in one of the other text columns of a visit. */
export function textOf(batch: InternedVisits, visit: number, column: number): string {
  return batch.texts[numberIn(batch, visit, column)] ?? ''
}

/** The time of a visit, in milliseconds since 1970 UTC. */
export function momentOf({ at }: InternedVisits, visit: number): number {
  return at[visit] ?? 0
}

/** What targets noted about a visit. */
export function variantsOf(
  batch: InternedVisits,
  visit: number,
): NonNullable<RawVisit['variants']> {
  return batch.variants[numberIn(batch, visit, column.variants)] ?? none
}

const none = {}

/** Numbers texts, from 1 up; 0 is the empty text. */
export class TextNumbers {
  readonly #numbers = new Map([['', 0]])
  readonly #texts = ['']
  #chars = 0

  /** The texts by number; the list grows. */
  get texts(): readonly string[] {
    return this.#texts
  }

  /** How many characters they have together, one byte each. */
  get chars(): number {
    return this.#chars
  }

  /** The number of a part of a larger text; does not keep the larger text in memory. */
  numberOf(part: string): number {
    if (part === '') return 0
    const known = this.#numbers.get(part)
    if (known !== undefined) return known
    const own = ownText(part)
    this.#chars += own.length
    this.#numbers.set(own, this.#texts.length)
    return this.#texts.push(own) - 1
  }
}
