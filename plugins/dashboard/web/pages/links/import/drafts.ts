import { formatChoice } from '../../../shared/text/format.ts'
import { withScheme } from '../../../shared/text/with-scheme.ts'
import { codesTexts } from '../../../texts/link-form.ts'
import { manyTexts } from '../../../texts/many.ts'
import type { Columns, Target } from './columns.ts'
import { isAddress, type Row } from './read-table.ts'

/** The values of a row, by what its columns contain. */
export type Said = Readonly<Partial<Record<Target, string>>>

/** A link to create from a row. */
export interface Draft {
  readonly row: Row
  readonly said: Said
  /** Why the row cannot become a link. */
  readonly problem: string | undefined
}

/** The links in the rows. A row that repeats the short code of an earlier row has a problem, and so has one without its password. */
export function draftsOf(
  rows: readonly Row[],
  columns: Columns,
  schemes: readonly string[] = [],
  head: readonly string[] | null = null,
): readonly Draft[] {
  const codes = new Set<string>()
  const passwords = head?.indexOf('has_password') ?? -1
  return rows.map(row => {
    const said = readRow(row, columns)
    const place = said.short_code && `${said.domain ?? ''}/${said.short_code}`
    const isTwice = place !== undefined && codes.has(place)
    if (place) codes.add(place)
    const isTooWide = row.cells.slice(columns.length).some(cell => cell !== '')
    const problem = isTooWide
      ? manyTexts.problems.tooWide
      : row.cells[passwords]
        ? manyTexts.problems.password
        : isTwice
          ? manyTexts.problems.twice
          : problemOf(said, schemes)
    return { row, said, problem }
  })
}

function readRow({ cells }: Row, columns: Columns): Said {
  const parts = columns.flatMap((target, index) => {
    const text = cells[index] ?? ''
    return target === null || text === '' ? [] : [[target, text] as const]
  })
  const said: Said = Object.fromEntries(parts)
  return said.original_url ? { ...said, original_url: withScheme(said.original_url) } : said
}

function problemOf(
  { original_url, short_code, expires_at }: Said,
  schemes: readonly string[],
): string | undefined {
  const { problems } = manyTexts
  if (original_url === undefined) return problems.noAddress
  if (!isAddress(original_url, schemes)) {
    const others = schemes.map(it => `${it}:`)
    return problems.badAddress(formatChoice(['http://', 'https://', ...others]))
  }
  // Which codes a host has, the server says: this is what none has.
  if (short_code !== undefined && !/^[^\s%?#\\,]{1,255}$/.test(short_code))
    return codesTexts.malformed
  if (expires_at !== undefined && momentIn(expires_at) === undefined) return problems.badDate
  return undefined
}

/**
 * Parses `2027-03-01`, `2027-03-01 12:00`, `1.3.2027` or `1.3.2027 12:00` in the browser's time zone, or a moment with an
 * offset, for the API. With slashes, nobody could tell the day from the month.
 */
export function momentIn(written: string): string | undefined {
  const text = written.replace(
    /^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})(?=$| \d\d:)/,
    (_, day, month, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text)) return undefined
  const date = new Date(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** A number for the API; what is none stays as it is, and the API says what it wants. */
export function numberIn(text: string): number | string {
  const value = Number(text)
  return Number.isNaN(value) ? text : value
}

/** The names in a cell: `Print, Newsletter`, or with bars between them. */
export function namesIn(text: string | undefined): readonly string[] {
  const separator = text?.includes('|') ? '|' : /[,;]/
  const names = (text ?? '').split(separator).map(name => name.trim())
  return [...new Set(names.filter(name => name !== ''))]
}
