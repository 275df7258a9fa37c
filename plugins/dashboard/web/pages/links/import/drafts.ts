import { findColumns } from '../../../../../organization/imports/reading/column-names.ts'
import { formatChoice } from '../../../shared/text/format.ts'
import { withScheme } from '../../../shared/text/with-scheme.ts'
import { codesTexts } from '../../../texts/link-form.ts'
import { manyTexts } from '../../../texts/many.ts'
import type { Columns } from './columns.ts'
import { isDate, momentIn, truthIn } from './read-cell.ts'
import { isAddress, type Row } from './read-table.ts'

/** The values of a row, by what its columns contain: `originalUrl`, `code`, `startsAt`. */
export type Said = Readonly<Partial<Record<string, string>>>

/** A link to create from a row. */
export interface Draft {
  readonly row: Row
  /** What its cells contain. */
  readonly columns: Columns
  readonly said: Said
  /** Why the row cannot become a link. */
  readonly problem: string | undefined
  /** Whether the row says that its link had routing rules, which no table has. */
  readonly hasRules: boolean
}

/** The links in the rows. A row that repeats the short code of an earlier row has a problem, and so has one without its password. */
export function draftsOf(
  rows: readonly Row[],
  columns: Columns,
  schemes: readonly string[] = [],
  head: readonly string[] | null = null,
): readonly Draft[] {
  const codes = new Set<string>()
  const { hasPassword = -1, hasRules = -1 } = findColumns(head ?? [], ['hasPassword', 'hasRules'])
  return rows.map(row => {
    const said = readRow(row, columns)
    const place = said.code && `${said.host ?? ''}/${said.code}`
    const isTwice = place !== undefined && codes.has(place)
    if (place) codes.add(place)
    const isTooWide = row.cells.slice(columns.length).some(cell => cell.trim() !== '')
    const problem = isTooWide
      ? manyTexts.problems.tooWide
      : mayBeSo(row.cells[hasPassword]?.trim()) && !said.password
        ? manyTexts.problems.password
        : isTwice
          ? manyTexts.problems.twice
          : problemOf(said, columns, schemes)
    return {
      row,
      columns,
      said,
      problem,
      hasRules: truthIn(row.cells[hasRules]?.trim() ?? '') === true,
    }
  })
}

/** What says neither yes nor no may mean yes: a link that comes without its password is open to everybody. */
function mayBeSo(cell = ''): boolean {
  return cell !== '' && truthIn(cell) !== false
}

function readRow({ cells }: Row, columns: Columns): Said {
  const parts = columns.flatMap((target, index) => {
    const whole = cells[index] ?? ''
    const text = whole.trim()
    if (target === null || text === '') return []
    return [[target.name, target.field.control === 'password' ? whole : text] as const]
  })
  const said: Said = Object.fromEntries(parts)
  return said.originalUrl ? { ...said, originalUrl: withScheme(said.originalUrl) } : said
}

function problemOf(said: Said, columns: Columns, schemes: readonly string[]): string | undefined {
  const { problems } = manyTexts
  const { originalUrl, code } = said
  if (originalUrl === undefined) return problems.noAddress
  if (!isAddress(originalUrl, schemes)) {
    const others = schemes.map(it => `${it}:`)
    return problems.badAddress(formatChoice(['http://', 'https://', ...others]))
  }
  // Which codes a host has, the server says: this is what none has.
  if (code !== undefined && !/^[^\s%?#\\,]{1,255}$/.test(code)) return codesTexts.malformed
  const isWrong = (text: string | undefined) => text !== undefined && momentIn(text) === undefined
  const dates = columns.filter(it => it !== null && isDate(it.field))
  return dates.some(it => it && isWrong(said[it.name])) ? problems.badDate : undefined
}
