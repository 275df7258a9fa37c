import { digestOf } from '../digest.ts'
import { type Asked, type Item, SourceError } from '../source.ts'
import { announce } from './announce.ts'
import { type Columns, columnsWithoutNames, isHead, leftOut, readColumns } from './columns.ts'
import { type RowReading, readRowLink } from './row-link.ts'
import { createSeen } from './seen.ts'
import { type Row, readTable } from './table.ts'
import { encodingOf } from './text-file.ts'
import { type Owner, offTheirHost } from './their-hosts.ts'

/** What is known of a table beforehand. */
export interface TableReading {
  /** Columns that people said, such as `code=Back half`. */
  readonly columns?: readonly string[]
  /** In which dates without a time zone are. */
  readonly zone?: string
  /** Whose table it is. */
  readonly owner?: Owner
}

/** The links of a CSV file, one a row. */
export async function* readTableLinks(
  asked: Asked,
  reading: TableReading = {},
): AsyncGenerator<Item> {
  yield* announce(readRows(asked, reading))
}

async function* readRows(asked: Asked, about: TableReading): AsyncGenerator<Item> {
  const { file, signal } = asked
  if (!file) throw new SourceError('No file was given. Choose one.')
  const { columns: said = [], zone = 'UTC', owner } = about
  const seen = createSeen()
  let reading: RowReading | undefined
  let width = 0
  const encoding = await encodingOf(file, signal)
  if (encoding === 'windows-1252')
    yield { kind: 'note', row: file.name, sentence: readAsWindows1252 }
  for await (const row of readTable(file, encoding, signal)) {
    if (reading === undefined) {
      width = row.cells.length
      const hasHead = isHead(row)
      const columns = hasHead ? readColumns(row.cells, said) : columnsWithoutNames(row, said)
      requireUrls(columns, row)
      reading = { columns, zone, now: asked.now(), which: createWhich() }
      if (hasHead) {
        const unread = leftOut(row.cells, columns)
        if (unread.length > 0)
          yield { kind: 'note', row: `line ${row.line}`, sentence: sayLeftOut(unread) }
        continue
      }
    }
    if (row.cells.slice(width).some(cell => cell.trim() !== '')) {
      yield { kind: 'refused', row: `line ${row.line}`, reason: tooWide(row, width) }
      continue
    }
    const item = readRowLink(row, reading)
    if (item.kind === 'link') {
      if (row.isOpen && row.cells.length < width) {
        yield { kind: 'refused', row: item.row, reason: cutOff }
        continue
      }
      if (!seen.add(item.id)) {
        yield { kind: 'refused', row: item.row, reason: 'It says the same as a row before it.' }
        continue
      }
    }
    yield item.kind === 'link' && owner ? offTheirHost(item, owner) : item
  }
  if (reading === undefined) throw new SourceError(`${file.name} is empty.`)
}

/** After so many URLs, rows are known by their lines. */
const mostCounted = 1_000_000

/**
 * Numbers the rows with the same URL, so that each is the same one when rows are added above it. Of a URL it keeps 48 bits of its
 * digest.
 */
function createWhich(): RowReading['which'] {
  const times = new Map<number, number>()
  return (originalUrl, row) => {
    const key = Number.parseInt(digestOf(originalUrl).slice(0, 12), 16)
    const before = times.get(key) ?? 0
    if (before === 0 && times.size >= mostCounted) return row
    times.set(key, before + 1)
    return `${before + 1}`
  }
}

const readAsWindows1252 =
  'It is not in UTF-8, and is read as Windows-1252. If letters come wrong, save it as UTF-8 and import it again.'
const cutOff =
  'The file ends in this row, before its last cells, as if it was cut off. If the row is whole, put a line break after it.'

/** As if a comma in a text parted it, so that what stands behind is in other columns. */
function tooWide({ cells }: Row, width: number): string {
  return `The row has ${cells.length} cells, and the first row has ${width}: put cells with commas in them into quotation marks.`
}

function requireUrls({ originalUrl }: Columns, { line, cells }: Row): void {
  if (originalUrl !== undefined && originalUrl !== -1) return
  const shown = cells.slice(0, 30).join(', ').slice(0, 500)
  throw new SourceError(
    `No column is known to have the original URLs. Line ${line} has: ${shown}. Name the column, such as originalUrl=Long URL.`,
  )
}

function sayLeftOut(columns: readonly string[]): string {
  const shown = columns.slice(0, 20).map(it => `“${it.trim().slice(0, 60)}”`)
  const more = columns.length - shown.length
  const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
  return `Of these columns nothing comes along: ${list}.`
}
