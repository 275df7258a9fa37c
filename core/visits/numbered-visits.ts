import { ownText } from './own-text.ts'
import { column, type PackedVisits, rowLength } from './packed-visits.ts'
import type { RawVisit, TrackedLink } from './visit.ts'

/** Visits of a batch with their texts numbered: what two of them share has one number. */
export interface NumberedVisits extends Pick<PackedVisits, 'links' | 'notes' | 'at'> {
  /** By number; 0 is the empty one. */
  readonly texts: readonly string[]
  /** As in the batch, but for texts: their numbers. */
  readonly rows: Uint32Array
}

/** Read the texts of a batch, each once. */
export function numberTexts({ texts: bytes, rows: before, ...rest }: PackedVisits): NumberedVisits {
  const rows = before.slice()
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const numbers = new Map<string, number>()
  const texts = ['']
  let read = 0

  function next(length: number): number {
    if (length === 0) return 0
    const part = all.slice(read, read + length)
    read += length
    const known = numbers.get(part)
    if (known !== undefined) return known
    const own = ownText(part)
    numbers.set(own, texts.length)
    return texts.push(own) - 1
  }

  for (let row = 0; row < rows.length; row += rowLength) {
    for (let cell = row + column.ip; cell <= row + column.query; cell += 1) {
      rows[cell] = next(rows[cell] ?? 0)
    }
  }
  return { ...rest, rows, texts }
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

/** When a visit of the batch came, in milliseconds since 1970 UTC. */
export function momentOf({ at }: NumberedVisits, visit: number): number {
  return at[visit] ?? 0
}

/** What targets noted of a visit of the batch. */
export function notesOf(batch: NumberedVisits, visit: number): NonNullable<RawVisit['notes']> {
  return batch.notes[numberIn(batch, visit, column.notes)] ?? none
}

const none = {}
