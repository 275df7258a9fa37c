import { createWriteStream, existsSync } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as ownTurn } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { type Asked, SourceError } from '../source.ts'
import { keepRoom } from './keep-room.ts'
import { maxValueChars, type TableSink, type Value } from './row-sink.ts'
import { checkSchemaSize, keepPlainTables } from './sqlite-schema.ts'

/** What is longer is no URL. SQLite would have to load it before anybody sees how long it is. */
const maxValueBytes = 2 ** 20
/** More is cut off in any file: of a text so many letters, of bytes as many as these may have. */
const keptBytes = 4 * maxValueChars
/** How long rows are read at a stretch, in milliseconds. */
const turnMs = 2

/**
 * Reads the tables of a SQLite database of others. It may be damaged or made to harm: a copy is read, in which nothing is left but
 * plain tables, and of these not what generated columns would compute.
 */
export async function readSqlite(asked: Asked, tables: TableSink): Promise<void> {
  const copy = await copyOf(asked)
  let db: BetterSqlite3.Database | undefined
  try {
    await checkSchemaSize(copy)
    keepPlainTables(copy)
    db = new BetterSqlite3(copy, { readonly: true, fileMustExist: true, timeout: 0 })
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    db.defaultSafeIntegers(true)
    if (db.pragma('encoding', { simple: true }) !== 'UTF-8') throw new SourceError(inUtf16)
    const { size } = await stat(copy)
    for (const [name, columns] of tablesIn(db)) {
      tables.declare(name, columns)
      await readTable(db, { name, columns, mostRows: size }, tables, asked)
    }
  } catch (error) {
    // A full disk is no fault of the file.
    if (!(error instanceof BetterSqlite3.SqliteError) || error.code === 'SQLITE_FULL') throw error
    throw new SourceError(
      `The database of SQLite cannot be read: ${error.message}. Make a copy with sqlite3 FILE ".backup copy.sqlite" while its program is stopped.`,
    )
  } finally {
    db?.close()
  }
}

/** SQLite makes all of a text UTF-8 before anybody can take its beginning, which of long ones takes seconds. */
const inUtf16 =
  'The database of SQLite is in UTF-16, which those of no program are. Make a copy: sqlite3 FILE .dump | sqlite3 copy.sqlite'

/** Copies what is in the file, which may be compressed, with what is written in its log. */
async function copyOf({ file, folder, signal }: Asked): Promise<string> {
  const copy = join(folder, 'copy.sqlite')
  if (!file) return copy
  const bytes = async function* () {
    for await (const part of file.read()) {
      keepRoom(folder)
      yield part
    }
  }
  await pipeline(bytes, createWriteStream(copy, { mode: 0o600 }), { signal })
  const log = `${file.path}-wal`
  if (existsSync(log)) await copyFile(log, `${copy}-wal`)
  else await markAsWithoutLog(copy)
  return copy
}

/** A database that was written with a log is one without, where there is none: else it could not be read without writing. */
async function markAsWithoutLog(copy: string): Promise<void> {
  const handle = await open(copy, 'r+')
  try {
    await handle.write(Uint8Array.of(1, 1), 0, 2, 18)
  } finally {
    await handle.close()
  }
}

function tablesIn(db: BetterSqlite3.Database): [name: string, columns: string[]][] {
  const names = db
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
    )
    .all()
  // Hidden columns are generated.
  const columnsOf = db.prepare<[string], { name: string }>(
    'SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0',
  )
  return names.map(({ name }) => [name, columnsOf.all(name).map(column => column.name)])
}

async function readTable(
  db: BetterSqlite3.Database,
  table: { readonly name: string; readonly columns: readonly string[]; readonly mostRows: number },
  tables: TableSink,
  { signal, folder }: Asked,
): Promise<void> {
  const { name, columns, mostRows } = table
  const sink = tables.open(name, columns)
  if (!sink) return
  const wanted = columns
    .map((column, index) => ({ column: quoted(column), place: sink.places[index] ?? -1 }))
    .filter(({ place }) => place !== -1)
  const values = wanted.map(
    ({ column }) =>
      `CASE WHEN octet_length(${column}) > ${maxValueBytes} THEN NULL
        WHEN typeof(${column}) = 'text' THEN substr(${column}, 1, ${maxValueChars})
        WHEN typeof(${column}) = 'blob' THEN substr(${column}, 1, ${keptBytes}) ELSE ${column} END`,
  )
  const rows = db.prepare(`SELECT ${values.join(', ')} FROM ${quoted(name)} NOT INDEXED`).raw()
  // In a damaged file, a page may be a part of the table many times.
  let left = mostRows
  let turnAt = performance.now() + turnMs
  for (const row of rows.iterate() as Iterable<unknown[]>) {
    const sent: Value[] = new Array(sink.width).fill(null)
    for (const [index, { place }] of wanted.entries()) sent[place] = toValue(row[index])
    sink.row(sent)
    left -= 1
    if (left < 0) throw new SourceError('The database of SQLite is damaged: its rows have no end.')
    // A row may have megabytes.
    if (performance.now() < turnAt) continue
    signal.throwIfAborted()
    keepRoom(folder)
    await ownTurn()
    turnAt = performance.now() + turnMs
  }
}

function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? value : String(value)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
