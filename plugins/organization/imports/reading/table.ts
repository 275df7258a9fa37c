import { setImmediate as ownTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { SourceError, type SourceFile } from '../source.ts'
import { type Encoding, readTextFile } from './text-file.ts'

/** A row of a table. */
export interface Row {
  /** The line in which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Whether the file ends in it, without a line break. */
  readonly isOpen?: boolean
}

/** The longest row, in bytes. What is longer has a quotation mark without an end, or is no table. */
const maxRow = 1_000_000
const maxColumns = 1_000
/** How much is read between two turns of everything else in the process: it may be a row in every second byte. */
const bytesATurn = 4_096

/** The rows of a CSV file, some at a time. Between cells are commas, semicolons, tabs or bars: whatever its first lines have. */
export async function* readTable(
  file: SourceFile,
  encoding: Encoding,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  const bytes = boundLines(readTextFile(file, encoding))
  const start = await startOf(bytes)
  const rows: Row[] = []
  const last = { line: 0, byte: 10 }
  const parser = parse({
    delimiter: delimiterOf(start.toString()),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRow,
    on_record(cells, { lines }) {
      last.line = lines
      rows.push({ cells, line: lines - breaksIn(cells) })
      return undefined
    },
  })
  let failure: Error | null | undefined
  const note = (error: Error | null | undefined) => {
    failure ??= error
  }
  parser.on('error', note)
  /** Waits until the parser has taken what it is given. */
  const taken = (give: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>(resolve =>
      give(error => {
        note(error)
        resolve()
      }),
    )

  /** The rows that are whole by now. What is wrong with the next one is said after them. */
  function* whole(): Generator<Row> {
    signal.throwIfAborted()
    for (const row of rows.splice(0)) {
      const width = row.cells.length
      if (width > maxColumns) throw tooWide(row.line, width)
      if (row.line > 1 || row.cells[0] !== 'sep=') yield unguarded(row)
    }
    if (failure) throw failure instanceof CsvError ? sentenceOf(failure, last.line + 1) : failure
  }

  for await (const part of inOrder(start, bytes)) {
    for (let at = 0; at < part.length; at += bytesATurn) {
      const some = part.subarray(at, at + bytesATurn)
      last.byte = some.at(-1) ?? last.byte
      await taken(done => parser.write(some, done))
      yield* whole()
      await ownTurn()
    }
  }
  await taken(done => parser.end(done))
  const end = rows.pop()
  if (end) rows.push({ ...end, isOpen: last.byte !== 10 && last.byte !== 13 })
  yield* whole()
}

/** Refuses a line that is longer than any row: csv-parse bounds cells, and not how many there are. */
async function* boundLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let line = 1
  let since = 0
  for await (const part of parts) {
    const end = Math.max(part.lastIndexOf(10), part.lastIndexOf(13))
    since = end === -1 ? since + part.length : part.length - end
    if (since > maxRow) throw tooLong(line)
    line += countOf(part, 10)
    yield part
  }
}

function countOf(part: Uint8Array, wanted: number): number {
  let count = 0
  for (let at = part.indexOf(wanted); at !== -1; at = part.indexOf(wanted, at + 1)) count += 1
  return count
}

/** Enough to tell by which character the cells are parted. */
async function startOf(parts: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const start: Uint8Array[] = []
  for (let bytes = 0; bytes < 65_536; ) {
    const { value, done } = await parts.next()
    if (done) break
    start.push(value)
    bytes += value.length
  }
  return Buffer.concat(start)
}

async function* inOrder(first: Uint8Array, others: AsyncIterable<Uint8Array>) {
  yield first
  yield* others
}

const delimiters = [',', ';', '\t', '|'] as const

/** What most of the first lines have as often as the first. A tab where none of them is in a line: no URL has one. */
function delimiterOf(start: string): string {
  // A spreadsheet's own way to say it.
  const said = /^sep=(.)\r?\n/i.exec(start)?.[1]
  if (said) return said
  const lines = start
    .replace(/"[^"]*"/g, '""')
    .split(/\r\n|[\r\n]/, 20)
    .filter(line => line !== '')
  const scores = delimiters.map(delimiter => {
    const [first = 0, ...others] = lines.map(line => line.split(delimiter).length - 1)
    return first === 0 ? 0 : (1 + others.filter(it => it === first).length) * 1_000 + first
  })
  const best = Math.max(...scores)
  return best === 0 ? '\t' : (delimiters[scores.indexOf(best)] ?? ',')
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|[\r\n]/g)?.length ?? 0), 0)
}

/** Programs put an apostrophe before what a spreadsheet would take for a formula: one is theirs, a second is the text's. */
function unguarded({ cells, ...row }: Row): Row {
  return {
    ...row,
    cells: cells.map(cell => (/^'[=+\-@＝＋－＠\t\r\n]/.test(cell) ? cell.slice(1) : cell)),
  }
}

function sentenceOf(error: CsvError, line: number): SourceError {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new SourceError(
      `The row that begins in line ${line} has a quotation mark without an end. Close it, or double it if it belongs to the text.`,
    )
  }
  return error.code === 'CSV_MAX_RECORD_SIZE'
    ? tooLong(line)
    : new SourceError(`The row that begins in line ${line} cannot be read: ${error.message}.`)
}

function tooLong(line: number): SourceError {
  return new SourceError(
    `The row that begins in line ${line} is longer than ${maxRow.toLocaleString('en')} bytes, as if a quotation mark had no end. Look for it there.`,
  )
}

function tooWide(line: number, width: number): SourceError {
  return new SourceError(
    `Line ${line} has ${width.toLocaleString('en')} columns, and a table of links has at most ${maxColumns.toLocaleString('en')}. Leave out what is not needed.`,
  )
}
