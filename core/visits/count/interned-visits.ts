import type { RawVisit, TrackedLink } from '../facts/open-visit.ts'
import { column, type PackedVisits, rowLength } from '../wire/packed-visits.ts'
import type { TextNumbers } from './text-numbers.ts'

/** Visits of a batch with their texts numbered, but for addresses: what two of them share has one number. */
export interface InternedVisits extends Pick<PackedVisits, 'links' | 'variants'> {
  readonly at: Float64Array
  /** By number; 0 is the empty one. */
  readonly texts: readonly string[]
  /** By visit: hardly two have the same one. */
  readonly ips: readonly string[]
  /** As in the batch, but for texts: their numbers. */
  readonly rows: Uint32Array
}

/** Read the texts of a batch, each once; those that came before have the numbers they had. */
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

/** The number that a visit of the batch has in a column. */
export function numberIn({ rows }: InternedVisits, visit: number, column: number): number {
  return rows[visit * rowLength + column] ?? 0
}

/** The link of a visit of the batch. */
export function linkOf(batch: InternedVisits, visit: number): TrackedLink {
  const link = batch.links[numberIn(batch, visit, column.link)]
  if (!link) throw new Error('A visit came of a link that did not.')
  return link
}

/** The address of a visitor of the batch. */
export function ipOf({ ips }: InternedVisits, visit: number): string {
  return ips[visit] ?? ''
}

/** What a visit of the batch says in one of the other columns of texts. */
export function textOf(batch: InternedVisits, visit: number, column: number): string {
  return batch.texts[numberIn(batch, visit, column)] ?? ''
}

/** When a visit of the batch came, in milliseconds since 1970 UTC. */
export function momentOf({ at }: InternedVisits, visit: number): number {
  return at[visit] ?? 0
}

/** What targets noted of a visit of the batch. */
export function variantsOf(
  batch: InternedVisits,
  visit: number,
): NonNullable<RawVisit['variants']> {
  return batch.variants[numberIn(batch, visit, column.variants)] ?? none
}

const none = {}
