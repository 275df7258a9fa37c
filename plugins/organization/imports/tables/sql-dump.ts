import { SourceError } from '../source.ts'
import { unescapeCopied } from './copied-row.ts'
import type { RowSink, TableSink, Value } from './row-sink.ts'
import {
  type Cursor,
  createCursor,
  isOver,
  isSign,
  isWord,
  maxColumns,
  nameIn,
  tooManyColumns,
} from './sql-cursor.ts'
import { createTokens, type Dialect, type Token, type Waiting } from './sql-tokens.ts'
import { computed, readValue } from './sql-value.ts'

const maxColumnsKept = 200_000

/** Words that begin what is no column between the brackets of `CREATE TABLE`. */
const notColumns = /^(CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN|EXCLUDE|LIKE)$/i
const notColumnsOfMysql = /^(KEY|INDEX|FULLTEXT|SPATIAL|PERIOD)$/i

/** A dump that is being read. */
interface Dump {
  readonly dialect: Dialect
  readonly cursor: Cursor
  readonly tables: TableSink
  readonly declared: ReturnType<typeof createDeclared>
}

/**
 * Reads the rows in a dump of MySQL, MariaDB, PostgreSQL or SQLite: those of `INSERT`, and of PostgreSQL's `COPY`. `CREATE TABLE`
 * says which columns a table has. All else is passed over, and nothing is run.
 */
export function* readDump(dialect: Dialect, tables: TableSink): Waiting<void> {
  const heard = { isFromClient: false, isComplete: false }
  const cursor = createCursor(createTokens(dialect, comment => hearComment(comment, heard)))
  const dump: Dump = { dialect, cursor, tables, declared: createDeclared() }
  for (;;) {
    yield* cursor.advance()
    if (cursor.token.kind === 'over') break
    yield* readStatement(dump)
    yield* cursor.skipStatement()
    if (isOver(cursor.token)) throw cutOffIn('a statement')
  }
  if (heard.isFromClient && !heard.isComplete) {
    throw new SourceError(
      'The last line of the dump, which says that it is complete, is missing: it was cut off. Make it anew, or delete its first lines to import what is there.',
    )
  }
}

function* readStatement(dump: Dump): Waiting<void> {
  const { token } = dump.cursor
  if (isWord(token, /^(INSERT|REPLACE)$/i)) yield* readInsert(dump)
  else if (isWord(token, /^CREATE$/i)) yield* readCreate(dump)
  else if (isWord(token, /^COPY$/i)) yield* readCopy(dump)
  else if (isWord(token, /^SET$/i)) yield* readSet(dump)
}

function* readCreate({ dialect, cursor, tables, declared }: Dump): Waiting<void> {
  yield* cursor.takeWords(/^(CREATE|OR|REPLACE|TEMPORARY|TEMP|UNLOGGED|GLOBAL|LOCAL|FOREIGN)$/i)
  if (!isWord(cursor.token, /^TABLE$/i)) return
  yield* cursor.advance()
  yield* cursor.takeWords(/^(IF|NOT|EXISTS)$/i)
  const table = yield* cursor.takeName()
  if (table === undefined || !isSign(cursor.token, '(')) return
  const columns = yield* takeColumns(cursor, dialect)
  if (columns !== undefined && tables.declare(table, columns)) declared.add(table, columns)
}

/** The columns of the tables that are wanted, as `CREATE TABLE` has them. */
function createDeclared() {
  const columnsOf = new Map<string, readonly string[]>()
  let columnsKept = 0
  return {
    columnsOf: (table: string) => columnsOf.get(table),
    add(table: string, columns: readonly string[]) {
      columnsOf.set(table, columns)
      columnsKept += columns.length
      if (columnsKept <= maxColumnsKept) return
      throw new SourceError('The dump has more tables than any program. Make a dump of one only.')
    },
  }
}

/** Takes what stands between the brackets of `CREATE TABLE`, whose first one is the token. Undefined: it has no end. */
function* takeColumns(cursor: Cursor, dialect: Dialect): Waiting<string[] | undefined> {
  const columns: string[] = []
  let depth = 1
  let begins = true
  while (depth > 0) {
    yield* cursor.advance(begins)
    const { token } = cursor
    if (isOver(token) || token.kind === 'end') return undefined
    if (begins && depth === 1 && isColumn(token, dialect)) columns.push(nameIn(token) ?? '')
    if (columns.length > maxColumns) throw tooManyColumns()
    begins = depth === 1 && isSign(token, ',')
    depth += isSign(token, '(') ? 1 : isSign(token, ')') ? -1 : 0
  }
  return columns
}

function isColumn(token: Token, dialect: Dialect): boolean {
  if (token.kind !== 'word') return token.kind === 'name'
  const isNone =
    notColumns.test(token.text) || (dialect === 'mysql' && notColumnsOfMysql.test(token.text))
  return !isNone
}

function* readInsert({ dialect, cursor, tables, declared }: Dump): Waiting<void> {
  yield* cursor.advance()
  yield* cursor.takeWords(/^(LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|OR|REPLACE|INTO)$/i)
  const table = yield* cursor.takeName()
  if (table === undefined) return
  const columns = declared.columnsOf(table)
  const named = isSign(cursor.token, '(') ? yield* cursor.takeNames() : columns
  yield* cursor.takeWords(/^(OVERRIDING|SYSTEM|USER|VALUE)$/i)
  if (isWord(cursor.token, /^VALUES$/i)) yield* cursor.advance()
  const sink = isSign(cursor.token, '(') ? tables.open(table, named) : undefined
  // As of a table that is wanted, and has all columns that this does not name.
  if (!sink && columns) tables.open(table, columns)?.refuse(otherForm)
  if (!sink) return
  const toCompute = dialect === 'mysql' ? hasToCompute : `${hasToCompute} ${takeTheFile}`
  for (;;) {
    yield* readRow(cursor, sink, toCompute)
    if (!isSign(cursor.token, ',')) return
    yield* cursor.advance()
    if (!isSign(cursor.token, '(')) return
  }
}

const otherForm = 'It is written in a form of its own: only rows behind VALUES are read.'
const hasToCompute = 'The row has a value that a database would have to compute.'
const takeTheFile = 'Of SQLite, take the database file itself, and not its .dump.'

/** Reads a row, whose first bracket is the token, and advances behind it. */
function* readRow(cursor: Cursor, sink: RowSink, toCompute: string): Waiting<void> {
  const { places, width } = sink
  const values: Value[] = new Array(width).fill(null)
  let column = 0
  let hasComputed = false
  do {
    const place = places[column] ?? -1
    const value = yield* readValue(cursor, place !== -1)
    if (isOver(cursor.token)) return
    if (cursor.token.kind === 'end') return sink.refuse('The row has no end.')
    if (place !== -1) {
      if (value === computed) hasComputed = true
      else values[place] = value
    }
    column += 1
  } while (isSign(cursor.token, ','))
  if (column !== places.length) sink.refuse(otherWidth(column, sink))
  else if (hasComputed) sink.refuse(toCompute)
  else sink.row(values)
  yield* cursor.advance()
}

function otherWidth(values: number, { places }: RowSink): string {
  return `The row has ${values} values, and the table ${places.length} columns.`
}

function* readCopy({ cursor, tables, declared }: Dump): Waiting<void> {
  yield* cursor.advance()
  const table = yield* cursor.takeName()
  const columns = isSign(cursor.token, '(')
    ? yield* cursor.takeNames()
    : declared.columnsOf(`${table}`)
  if (table === undefined || !isWord(cursor.token, /^FROM$/i)) return
  yield* cursor.advance()
  if (!isWord(cursor.token, /^STDIN$/i)) return
  yield* cursor.advance()
  const sink = tables.open(table, columns)
  if (cursor.token.kind !== 'end') {
    if (sink)
      throw new SourceError(`The dump has the table ${table} in a form of its own. ${plain}`)
    return
  }
  for (let isFirst = true; ; isFirst = false) {
    const line = yield* cursor.nextCopied(isFirst, sink !== undefined)
    if (line === null) return
    if (line === undefined) throw cutOffIn(`the table ${table}`)
    if (sink) sendCopied(line, sink)
  }
}

const plain = 'Make it with mysqldump or pg_dump, and without options about the format.'

/** Sends a row of `COPY`, between whose values are tabs. */
function sendCopied(line: Buffer, sink: RowSink): void {
  const { places, width } = sink
  const values: Value[] = new Array(width).fill(null)
  let column = 0
  let start = 0
  for (; start <= line.length; column++) {
    const tab = line.indexOf(9, start)
    const end = tab === -1 ? line.length : tab
    const place = places[column] ?? -1
    if (place !== -1) values[place] = unescapeCopied(line.subarray(start, end))
    start = end + 1
  }
  if (column === places.length) sink.row(values)
  else sink.refuse(otherWidth(column, sink))
}

function* readSet({ cursor }: Dump): Waiting<void> {
  yield* cursor.advance()
  const name = nameIn(cursor.token)?.toLowerCase()
  if (name !== 'names' && name !== 'client_encoding') return
  yield* cursor.advance()
  if (isSign(cursor.token, '=') || isWord(cursor.token, /^TO$/i)) yield* cursor.advance()
  const { token } = cursor
  checkEncoding(token.kind === 'text' ? token.bytes.toString() : (nameIn(token) ?? ''))
}

/** What the programs write that make dumps. */
function hearComment(comment: string, heard: { isFromClient: boolean; isComplete: boolean }): void {
  if (/^\s*(MySQL|MariaDB) dump \d|^\s*PostgreSQL database dump\s*$/.test(comment)) {
    heard.isFromClient = true
    heard.isComplete = false
  }
  if (/^\s*Dump completed|^\s*PostgreSQL database dump complete/.test(comment)) {
    heard.isComplete = true
  }
  const [, names] = /\bSET NAMES '?(\w+)/i.exec(comment) ?? []
  if (names !== undefined) checkEncoding(names)
}

function checkEncoding(name: string): void {
  if (/^(utf-?8.*|unicode|binary|default|sql_ascii|us-?ascii|ascii|)$/i.test(name)) return
  throw new SourceError(
    `The dump is written in ${name}. Make it in UTF-8: mysqldump --default-character-set=utf8mb4, or pg_dump --encoding=UTF8.`,
  )
}

function cutOffIn(what: string): SourceError {
  return new SourceError(`The dump ends in the middle of ${what}: it was cut off. Make it anew.`)
}
