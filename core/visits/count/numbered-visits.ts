import type { RawVisit, TrackedLink } from '../facts/visit.ts'
import { column, type PackedVisits, rowLength } from '../wire/packed-visits.ts'
import { TextNumbers } from './text-numbers.ts'

/** Visits of a batch with their texts numbered: what two of them share has one number. */
export interface NumberedVisits extends Pick<PackedVisits, 'links' | 'notes' | 'at'> {
  /** By number; 0 is the empty one. */
  readonly texts: readonly string[]
  /** By number, for this batch alone: addresses of visitors are not kept for the next. */
  readonly ips: readonly string[]
  /** As in the batch, but for texts: their numbers. */
  readonly rows: Uint32Array
}

/** Read the texts of a batch, each once; those that came before have the numbers they had. */
export function numberTexts(packed: PackedVisits, known: TextNumbers): NumberedVisits {
  const { texts: bytes, links, notes, at } = packed
  const rows = packed.rows.slice()
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const ips = new TextNumbers()
  let read = 0
  for (let row = 0; row < rows.length; row += rowLength) {
    for (let cell = row + column.ip; cell <= row + column.query; cell += 1) {
      const end = read + (rows[cell] ?? 0)
      const numbers = cell === row + column.ip ? ips : known
      rows[cell] = end === read ? 0 : numbers.numberOf(all.slice(read, end))
      read = end
    }
  }
  return { links, notes, at, rows, texts: known.texts, ips: ips.texts }
}

/** The number that a visit of the batch has in a column. */
export function numberIn({ rows }: NumberedVisits, visit: number, column: number): number {
  return rows[visit * rowLength + column] ?? 0
}

/** The link of a visit of the batch. */
export function linkOf(batch: NumberedVisits, visit: number): TrackedLink {
  const link = batch.links[numberIn(batch, visit, column.link)]
  if (!link) throw new Error('A visit came of a link that did not.')
  return link
}

/** The address of a visitor of the batch. */
export function ipOf(batch: NumberedVisits, visit: number): string {
  return batch.ips[numberIn(batch, visit, column.ip)] ?? ''
}

/** What a visit of the batch says in one of the other columns of texts. */
export function textOf(batch: NumberedVisits, visit: number, column: number): string {
  return batch.texts[numberIn(batch, visit, column)] ?? ''
}

/** When a visit of the batch came, in milliseconds since 1970 UTC. */
export function momentOf({ at }: NumberedVisits, visit: number): number {
  return at[visit] ?? 0
}

/** What targets noted of a visit of the batch. */
export function notesOf(batch: NumberedVisits, visit: number): NonNullable<RawVisit['notes']> {
  return batch.notes[numberIn(batch, visit, column.notes)] ?? none
}

const none = {}
