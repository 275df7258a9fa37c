import { SourceError } from '../source.ts'
import { findColumns, type Target, targets } from './column-names.ts'
import type { Row } from './table.ts'
import { oneLine, quoted } from './texts.ts'

/** The place of what a row has, from 0. */
export type Columns = Readonly<Partial<Record<Target, number>>>

/** The columns of a table: those that people said, such as `code=Back half` or `code=#2`, and those whose names tell it. */
export function readColumns(head: readonly string[], said: readonly string[] = []): Columns {
  const named: Partial<Record<Target, number>> = {}
  for (const entry of said) {
    const [target = '', ...name] = entry.split('=')
    named[target as Target] = placeOf(name.join('=').trim(), head)
  }
  return findColumns(head, targets, named)
}

/** The columns of a table without names: the first that has a URL, and the one before or after it as the code. */
export function columnsWithoutNames({ cells }: Row, said: readonly string[]): Columns {
  const numbered = readColumns(
    cells.map(() => ''),
    said,
  )
  const originalUrl = numbered.originalUrl ?? cells.findIndex(isUrl)
  const free = cells.findIndex((_, index) => index !== originalUrl && index < 2)
  const isFree = !Object.values(numbered).includes(free)
  return { ...(free !== -1 && isFree && { code: free }), ...numbered, originalUrl }
}

/** Whether a row has names, and no link yet. */
export function isHead({ cells }: Row): boolean {
  return !cells.some(isUrl)
}

/** The names of columns that have nothing which Linnet has. */
export function leftOut(head: readonly string[], columns: Columns): readonly string[] {
  const read = new Set(Object.values(columns))
  return head.filter((name, index) => name.trim() !== '' && !read.has(index))
}

function isUrl(cell: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(cell.trim())
}

function placeOf(name: string, head: readonly string[]): number {
  const number = /^#(\d+)$/.exec(name)?.[1]
  const index = number
    ? Number(number) - 1
    : head.findIndex(it => it.trim().toLowerCase() === name.toLowerCase())
  if (index >= 0 && index < head.length) return index
  const known = head.filter(it => it.trim() !== '').slice(0, 30)
  throw new SourceError(
    known.length > 0
      ? `The file has no column ${quoted(name)}. Its columns are: ${known.map(it => oneLine(it.slice(0, 60))).join(', ')}.`
      : `The file has no column ${quoted(name)}: it has ${head.length}, without names. Name them as #1 to #${head.length}.`,
  )
}
