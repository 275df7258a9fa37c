import { readCsv } from '../../../shared/text/csv.ts'
import { withScheme } from '../../../shared/text/with-scheme.ts'

/** Pasted or chosen text as a table. */
export interface Table {
  /** The names of the columns; null if the first row is already a link. */
  readonly head: readonly string[] | null
  readonly rows: readonly Row[]
}

export interface Row {
  /** Its row number in the text, from 1. */
  readonly number: number
  /** With the spaces around what they say: without its spaces, a password would be another one. */
  readonly cells: readonly string[]
}

/** The most rows in one import. */
export const maxRows = 10_000

/**
 * Reads a list of addresses, one per line, each perhaps after a short code; or a table with commas, semicolons
 * or tabs. Addresses may have these schemes besides http and https.
 */
export function readTable(text: string, schemes: readonly string[] = []): Table {
  const lines = text.split(/\r\n|[\r\n]/).map(line => line.trim())
  const isOne = (it: string) => isAddress(it, schemes)
  const all = lines.map(line => wordsOf(line, isOne))
  if (all.every(words => words !== undefined)) {
    const rows = all.map((words, index) => ({ number: index + 1, cells: words }))
    return { head: null, rows: rows.filter(({ cells }) => cells.length > 0) }
  }
  const [first = [], ...others] = readCsv(text)
  const hasHead = !first.some(isOne)
  const head = hasHead ? first.map(cell => cell.trim()) : null
  return {
    head,
    rows: (hasHead ? others : [first, ...others]).map((cells, index) => ({
      number: index + (hasHead ? 2 : 1),
      cells,
    })),
  }
}

/** Whether a text is an address, with or without its `https://`, or one with another of these schemes. */
export function isAddress(text: string, schemes: readonly string[]): boolean {
  const whole = withScheme(text)
  const url = URL.parse(whole)
  if (url === null) return false
  return /^https?:\/\/[^\s,;]+/i.test(whole) || schemes.includes(url.protocol.slice(0, -1))
}

/** A line as address and short code; undefined if the line is part of a table. */
function wordsOf(line: string, isOne: (text: string) => boolean): readonly string[] | undefined {
  if (line === '') return []
  const [first = '', second, ...more] = line.split(/ +/)
  if (line.includes('\t') || more.length > 0) return undefined
  if (second === undefined) return isOne(first) ? [first] : undefined
  return isOne(second) && !isOne(first) ? [second, first] : undefined
}
