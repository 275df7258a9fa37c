import { SourceError } from '../source.ts'
import { unescapeCopied } from './copied-row.ts'
import type { RowSink, TableSink, Value } from './row-sink.ts'
import { createTokens, type Dialect, type Token, type Waiting } from './sql-tokens.ts'

/** More columns than any database has in a table, and longer names. */
const maxColumns = 32_767
const maxNameChars = 128
const maxColumnsKept = 200_000

/** Words that begin what is no column between the brackets of `CREATE TABLE`. */
const notColumns = /^(CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN|EXCLUDE|LIKE)$/i
const notColumnsOfMysql = /^(KEY|INDEX|FULLTEXT|SPATIAL|PERIOD)$/i

/** What is to be computed rather than written down: nobody does that here. */
const computed = Symbol('computed')

/**
 * Reads the rows in a dump of MySQL, MariaDB, PostgreSQL or SQLite: those of `INSERT`, and of PostgreSQL's `COPY`. `CREATE TABLE`
 * says which columns a table has. All else is passed over, and nothing is run.
 */
export function* readDump(dialect: Dialect, tables: TableSink): Waiting<void> {
  const heard = { isFromClient: false, isComplete: false }
  const tokens = createTokens(dialect, comment => hearComment(comment, heard))
  const columnsOf = new Map<string, readonly string[]>()
  let columnsKept = 0
  let token: Token = { kind: 'end' }

  function* advance(isKept = true): Waiting<Token> {
    token = yield* tokens.next(isKept)
    return token
  }

  function* skipStatement(): Waiting<void> {
    while (token.kind !== 'end' && !isOver(token)) yield* advance(false)
  }

  /** Takes a name such as `public.links`, of which it returns the last part, and advances behind it. */
  function* takeName(): Waiting<string | undefined> {
    let name: string | undefined
    for (;;) {
      const part = nameIn(token)
      if (part === undefined) return name
      name = part
      yield* advance()
      if (!isSign(token, '.')) return name
      yield* advance()
    }
  }

  /** Takes names between brackets, whose first one is the token, and advances behind them. */
  function* takeNames(): Waiting<string[] | undefined> {
    const names: string[] = []
    while (names.length <= maxColumns) {
      yield* advance()
      const name = nameIn(token)
      if (name === undefined) return undefined
      names.push(name)
      yield* advance()
      if (isSign(token, ')')) {
        yield* advance()
        return names
      }
      if (!isSign(token, ',')) return undefined
    }
    throw new SourceError('A table of the dump has more columns than any database allows.')
  }

  function* readCreate(): Waiting<void> {
    while (isWord(token, /^(CREATE|OR|REPLACE|TEMPORARY|TEMP|UNLOGGED|GLOBAL|LOCAL|FOREIGN)$/i)) {
      yield* advance()
    }
    if (!isWord(token, /^TABLE$/i)) return
    yield* advance()
    while (isWord(token, /^(IF|NOT|EXISTS)$/i)) yield* advance()
    const table = yield* takeName()
    if (table === undefined || !isSign(token, '(')) return
    const columns: string[] = []
    let depth = 1
    let begins = true
    while (depth > 0) {
      yield* advance(begins)
      if (isOver(token) || token.kind === 'end') return
      if (begins && depth === 1 && isColumn(token, dialect)) columns.push(nameIn(token) ?? '')
      if (columns.length > maxColumns) {
        throw new SourceError('A table of the dump has more columns than any database allows.')
      }
      begins = depth === 1 && isSign(token, ',')
      depth += isSign(token, '(') ? 1 : isSign(token, ')') ? -1 : 0
    }
    if (!tables.declare(table, columns)) return
    columnsOf.set(table, columns)
    columnsKept += columns.length
    if (columnsKept > maxColumnsKept) {
      throw new SourceError('The dump has more tables than any program. Make a dump of one only.')
    }
  }

  function* readInsert(): Waiting<void> {
    yield* advance()
    while (isWord(token, /^(LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|OR|REPLACE|INTO)$/i)) {
      yield* advance()
    }
    const table = yield* takeName()
    if (table === undefined) return
    const declared = columnsOf.get(table)
    const named = isSign(token, '(') ? yield* takeNames() : declared
    while (isWord(token, /^(OVERRIDING|SYSTEM|USER|VALUE)$/i)) yield* advance()
    if (isWord(token, /^VALUES$/i)) yield* advance()
    const sink = isSign(token, '(') ? tables.open(table, named) : undefined
    // As of a table that is wanted, and has all columns that this does not name.
    if (!sink && declared) tables.open(table, declared)?.refuse(otherForm)
    if (!sink) return
    for (;;) {
      yield* readRow(sink)
      if (!isSign(token, ',')) return
      yield* advance()
      if (!isSign(token, '(')) return
    }
  }

  /** Reads a row, whose first bracket is the token, and advances behind it. */
  function* readRow(sink: RowSink): Waiting<void> {
    const { places, width } = sink
    const values: Value[] = new Array(width).fill(null)
    let column = 0
    let hasComputed = false
    do {
      const place = places[column] ?? -1
      const value = yield* readValue(place !== -1)
      if (isOver(token)) return
      if (token.kind === 'end') return sink.refuse('The row has no end.')
      if (place !== -1) {
        if (value === computed) hasComputed = true
        else values[place] = value
      }
      column += 1
    } while (isSign(token, ','))
    if (column !== places.length) {
      sink.refuse(`The row has ${column} values, and the table ${places.length} columns.`)
    } else if (hasComputed) {
      sink.refuse(dialect === 'mysql' ? hasToCompute : `${hasToCompute} ${takeTheFile}`)
    } else sink.row(values)
    yield* advance()
  }

  /** Reads a value, and stops at the comma or bracket behind it. */
  function* readValue(isKept: boolean): Waiting<Value | typeof computed> {
    let value: Value | typeof computed | undefined
    let prefix = ''
    let depth = 0
    let isCast = false
    for (;;) {
      yield* advance(isKept)
      if (isOver(token) || token.kind === 'end') return null
      if (depth === 0 && (isSign(token, ',') || isSign(token, ')'))) return value ?? null
      if (isSign(token, '(')) depth += 1
      else if (isSign(token, ')')) depth -= 1
      // What stands behind `::` is the type of the value.
      if (isSign(token, ':') && value !== undefined) isCast = true
      if (!isKept || isCast) continue
      if (token.kind === 'text' || token.kind === 'name') {
        value = value === undefined ? decoded(prefix, token.bytes) : computed
        prefix = ''
      } else if (token.kind === 'word' && value === undefined) {
        if (/^(_\w+|[xbne])$/i.test(token.text)) prefix = token.text
        else value = literal(prefix, token.text)
      } else if (isSign(token, '+') && value === undefined) continue
      else if (isSign(token, '-') && value === undefined && prefix === '') prefix = '-'
      else value = computed
    }
  }

  function* readCopy(): Waiting<void> {
    yield* advance()
    const table = yield* takeName()
    const columns = isSign(token, '(') ? yield* takeNames() : columnsOf.get(`${table}`)
    if (table === undefined || !isWord(token, /^FROM$/i)) return
    yield* advance()
    if (!isWord(token, /^STDIN$/i)) return
    yield* advance()
    const sink = tables.open(table, columns)
    if (token.kind !== 'end') {
      if (sink)
        throw new SourceError(`The dump has the table ${table} in a form of its own. ${plain}`)
      return
    }
    for (let isFirst = true; ; isFirst = false) {
      const line = yield* tokens.nextCopied(isFirst, sink !== undefined)
      if (line === null) return
      if (line === undefined) throw cutOffIn(`the table ${table}`)
      if (sink) sendCopied(line, sink)
    }
  }

  function* readSet(): Waiting<void> {
    yield* advance()
    const name = nameIn(token)?.toLowerCase()
    if (name !== 'names' && name !== 'client_encoding') return
    yield* advance()
    if (isSign(token, '=') || isWord(token, /^TO$/i)) yield* advance()
    checkEncoding(token.kind === 'text' ? token.bytes.toString() : (nameIn(token) ?? ''))
  }

  for (;;) {
    yield* advance()
    if (token.kind === 'over') break
    if (isWord(token, /^(INSERT|REPLACE)$/i)) yield* readInsert()
    else if (isWord(token, /^CREATE$/i)) yield* readCreate()
    else if (isWord(token, /^COPY$/i)) yield* readCopy()
    else if (isWord(token, /^SET$/i)) yield* readSet()
    yield* skipStatement()
    if (isOver(token)) throw cutOffIn('a statement')
  }
  if (heard.isFromClient && !heard.isComplete) {
    throw new SourceError(
      'The last line of the dump, which says that it is complete, is missing: it was cut off. Make it anew, or delete its first lines to import what is there.',
    )
  }
}

const otherForm = 'It is written in a form of its own: only rows behind VALUES are read.'
const hasToCompute = 'The row has a value that a database would have to compute.'
const takeTheFile = 'Of SQLite, take the database file itself, and not its .dump.'

const plain = 'Make it with mysqldump or pg_dump, and without options about the format.'

function cutOffIn(what: string): SourceError {
  return new SourceError(`The dump ends in the middle of ${what}: it was cut off. Make it anew.`)
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

function isOver({ kind }: Token): boolean {
  return kind === 'over' || kind === 'cutOff'
}

function isSign(token: Token, sign: string): boolean {
  return token.kind === 'sign' && token.sign === sign
}

function isWord(token: Token, word: RegExp): boolean {
  return token.kind === 'word' && word.test(token.text)
}

function nameIn(token: Token): string | undefined {
  if (token.kind === 'word') return token.text.slice(0, maxNameChars)
  return token.kind === 'name' ? token.bytes.subarray(0, maxNameChars).toString() : undefined
}

function isColumn(token: Token, dialect: Dialect): boolean {
  if (token.kind !== 'word') return token.kind === 'name'
  const isNone =
    notColumns.test(token.text) || (dialect === 'mysql' && notColumnsOfMysql.test(token.text))
  return !isNone
}

/** A value in quotes, behind what says how it is written, such as `x`. */
function decoded(prefix: string, bytes: Buffer): Value | typeof computed {
  const digits = bytes.toString('latin1')
  if (/^x$/i.test(prefix)) return Buffer.from(digits, 'hex')
  if (/^b$/i.test(prefix)) return bits(digits)
  return prefix === '-' ? computed : bytes
}

function bits(digits: string): Value | typeof computed {
  return /^[01]{1,64}$/.test(digits) ? BigInt(`0b${digits}`).toString() : computed
}

function literal(prefix: string, word: string): Value | typeof computed {
  if (/^\d/.test(word)) {
    if (/^0x/i.test(word)) return Buffer.from(word.slice(2), 'hex')
    if (/^0b/i.test(word)) return bits(word.slice(2))
    return prefix + word
  }
  if (prefix !== '') return computed
  if (/^(NULL|DEFAULT)$/i.test(word)) return null
  if (/^TRUE$/i.test(word)) return '1'
  return /^FALSE$/i.test(word) ? '0' : computed
}

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
  else sink.refuse(`The row has ${column} values, and the table ${places.length} columns.`)
}
