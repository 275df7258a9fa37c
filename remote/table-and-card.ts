import stringWidth from 'string-width'
import { showHidden } from '../core/lib/text/shown.ts'

type Row = Readonly<Record<string, unknown>>

export interface Look {
  /** How wide a terminal is; undefined where a program reads. */
  readonly width: number | undefined
  /** The fields to show, such as `visits.total`. */
  readonly columns: readonly string[]
}

/** A list as lines: a table for a terminal; for a program, the values of each row between tabs. */
export function tableOf(rows: readonly Row[], { width, columns }: Look): readonly string[] {
  const cells = rows.map(row => columns.map(column => textOf(valueAt(row, column), width)))
  if (width === undefined) return cells.map(line => line.join('\t'))
  if (rows.length === 0) return ['There are none.']
  const filled = columns.map((_, column) => cells.some(line => line[column] !== ''))
  const shown = columns.filter((_, column) => filled[column])
  const isNumber = shown.map(column =>
    rows.every(row => ['number', 'undefined'].includes(typeof (valueAt(row, column) ?? undefined))),
  )
  const lines = cells.map(line => line.filter((_, column) => filled[column]))
  return aligned([shown.map(headingOf), ...lines], { width, isNumber })
}

/** One thing as lines, a field in each; below them, what it has lists of. */
export function cardOf(thing: Row, { width, columns }: Look): readonly string[] {
  const shown =
    columns.length > 0 ? columns.map(it => [it, valueAt(thing, it)] as const) : flat(thing)
  const simple = shown.filter(([, value]) => !isListOfThings(value))
  const lists = shown.filter(([, value]) => isListOfThings(value) && !isAllUnknown(value, width))
  const lines = simple.map(([name, value]) => [headingOf(name), textOf(value, width)])
  if (width === undefined) {
    return [
      ...simple.map(([name, value]) => [name, textOf(value, width)].join('\t')),
      ...lists.flatMap(([name, value]) =>
        tableOf(value as readonly Row[], {
          width,
          columns: columnsIn(value as readonly Row[]),
        }).map(line => `${name}\t${line}`),
      ),
    ]
  }
  return [
    ...aligned(
      lines.filter(([, value]) => value !== ''),
      { width, isNumber: [false, false] },
    ),
    ...lists.flatMap(([name, value]) => [
      '',
      headingOf(name),
      ...partOf(value as readonly Row[], width),
    ]),
  ]
}

/** Whether people learn nothing from it, such as that all visits are without a campaign. */
function isAllUnknown(value: unknown, width: number | undefined): boolean {
  const [first, second] = value as readonly Partial<Share>[]
  return width !== undefined && second === undefined && first?.value === '(none)'
}

/** A list inside of a thing: a chart of points over time, bars of values with their share, or a table. */
function partOf(rows: readonly Row[], width: number): readonly string[] {
  const [first = {}] = rows
  if ('start' in first && 'visits' in first)
    return chartOf(rows as unknown as readonly Point[], width)
  if ('value' in first && 'share' in first)
    return barsOf(rows as unknown as readonly Share[], width)
  return tableOf(rows, { width, columns: columnsIn(rows) })
}

interface Point {
  readonly start: string
  readonly visits: number
}

interface Share {
  readonly value: string
  readonly label: string | null
  readonly visits: number
  readonly share: number
}

const chartLines = 6
const eighths = ' ▁▂▃▄▅▆▇█'

/** Columns over time, with the highest value and the first and last moment. */
function chartOf(points: readonly Point[], width: number): readonly string[] {
  const margin = 8
  const room = Math.max(10, width - margin)
  const perColumn = Math.ceil(points.length / room)
  const columns: number[] = []
  for (let at = 0; at < points.length; at += perColumn) {
    columns.push(points.slice(at, at + perColumn).reduce((sum, { visits }) => sum + visits, 0))
  }
  const most = Math.max(...columns, 1)
  const wide = Math.max(1, Math.min(4, Math.floor(room / columns.length)))
  const lines = Array.from({ length: chartLines }, (_, line) => {
    const below = (chartLines - 1 - line) * 8
    const drawn = columns.map(value => {
      // What is not nothing is seen.
      const height = value === 0 ? 0 : Math.max(1, Math.round((value / most) * chartLines * 8))
      const part = eighths[Math.max(0, Math.min(8, height - below))] ?? ' '
      return wide > 1 ? `${part.repeat(wide - 1)} ` : part
    })
    const label = line === 0 ? count(most) : line === chartLines - 1 ? '0' : ''
    return `${label.padStart(margin - 2)}  ${drawn.join('')}`.trimEnd()
  })
  const [first, last] = [points[0], points.at(-1)].map(it => momentOf(it?.start ?? ''))
  const drawnWidth = columns.length * wide
  const gap = Math.max(1, drawnWidth - `${first}`.length - `${last}`.length)
  const ends = points.length > 1 ? `${first}${' '.repeat(gap)}${last}` : first
  return [...lines, `${' '.repeat(margin)}${ends}`]
}

/** Values with a bar as long as their share. */
function barsOf(rows: readonly Share[], width: number): readonly string[] {
  const room = Math.max(10, Math.min(40, width - 50))
  const most = Math.max(...rows.map(({ share }) => share), Number.EPSILON)
  return aligned(
    rows.map(({ value, label, visits, share }) => [
      textOf(label ?? value, width),
      count(visits),
      `${(share * 100).toFixed(1)} %`,
      '█'.repeat(Math.max(1, Math.round((share / most) * room))),
    ]),
    { width, isNumber: [false, true, true, false] },
  )
}

/**
 * Rows with their columns below each other. The last columns are left out until there is room for the others, and then the
 * widest are cut; the first is what a row is about, and stays whole as long as it can.
 */
function aligned(
  rows: readonly (readonly string[])[],
  { width, isNumber }: { readonly width: number; readonly isNumber: readonly boolean[] },
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => stringWidth(row[column] ?? ''))),
  )
  const room = () => width - (widths.length - 1) * between
  const least = () => sum(widths.map((it, column) => (column === 0 ? it : Math.min(it, narrowest))))
  while (widths.length > 1 && least() > room()) widths.pop()
  while (sum(widths) > room()) {
    const widest = widths.length === 1 ? 0 : widths.indexOf(Math.max(...widths.slice(1)), 1)
    const others = sum(widths) - (widths[widest] ?? 0)
    widths[widest] = Math.max(widths.length === 1 ? 1 : narrowest, room() - others)
  }
  return rows.map(row =>
    widths
      .map((wide, column) => {
        const text = cut(row[column] ?? '', wide)
        const space = ' '.repeat(Math.max(0, wide - stringWidth(text)))
        return isNumber[column] ? `${space}${text}` : `${text}${space}`
      })
      .join(' '.repeat(between))
      .trimEnd(),
  )
}

/** Columns between two others, and of one that was cut. */
const between = 2
const narrowest = 16

function sum(numbers: readonly number[]): number {
  return numbers.reduce((whole, it) => whole + it, 0)
}

const segments = new Intl.Segmenter()

/** A text that is no wider, with an ellipsis if something is left out. */
function cut(text: string, wide: number): string {
  if (stringWidth(text) <= wide) return text
  let kept = ''
  for (const { segment } of segments.segment(text)) {
    if (stringWidth(kept + segment) > wide - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** The value of `visits.total`. */
function valueAt(row: Row, column: string): unknown {
  return column
    .split('.')
    .reduce<unknown>((here, name) => (here as Row | null | undefined)?.[name], row)
}

/** The fields of a thing, those of a thing inside it under `visits.total`. */
function flat(thing: Row, before = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(thing).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value as Row, `${before}${name}.`)
      : [[`${before}${name}`, value] as const],
  )
}

function isListOfThings(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null
}

function columnsIn(rows: readonly Row[]): readonly string[] {
  return Object.keys(rows[0] ?? {})
}

function textOf(value: unknown, width: number | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && width !== undefined) return count(value)
  if (typeof value === 'boolean') return width === undefined ? `${value}` : value ? 'yes' : 'no'
  if (typeof value === 'object') {
    const isSimple = Array.isArray(value) && value.every(it => typeof it !== 'object')
    return showHidden(isSimple ? value.join(', ') : namesIn(value))
  }
  // A title that somebody else chose may have what steers a terminal, and a tab would end a column.
  const text = showHidden(`${value}`)
  return width !== undefined && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? momentOf(text) : text
}

/** A list of things in a cell, by their names. */
function namesIn(value: object): string {
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.map(it => it?.name ?? JSON.stringify(it)).join(', ')
}

/** A moment in the time zone of this machine, as `2026-11-27 10:24`; a day alone, if it is its beginning. */
function momentOf(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  const two = (number: number) => `${number}`.padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  return time === '00:00' ? day : `${day} ${time}`
}

function count(value: number): string {
  // The API writes what is unlimited as the largest whole number.
  return value === Number.MAX_SAFE_INTEGER ? 'unlimited' : value.toLocaleString('en-US')
}

/** `visits.total` -> `visits total`, `shortUrl` -> `short url`. */
function headingOf(column: string): string {
  return column
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('.', ' ')
    .toLowerCase()
}
