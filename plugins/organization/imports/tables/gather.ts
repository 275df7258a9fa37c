import { join } from 'node:path'
import { setImmediate as ownTurn } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import BetterSqlite3 from 'better-sqlite3'
import { remember } from '../../../../core/plugin.ts'
import { type Asked, type Refused, SourceError } from '../source.ts'
import { keepRoom } from './keep-room.ts'
import { dialectOf, isSqlite, startOf } from './kind-of-file.ts'
import { maxValueChars, type RowSink, type TableSink, type Value } from './row-sink.ts'
import { readDump } from './sql-dump.ts'
import { readSqlite } from './sqlite-file.ts'

/** A table that a source reads. */
export interface Wanted {
  /** Columns that it has in every version: a table without them is another one. */
  readonly columns: readonly string[]
  /** Columns that some versions have. They are null in others. */
  readonly more?: readonly string[]
  /** The column that names its rows: of two with the same name, the second is refused. */
  readonly key?: string
  /** Another column by which rows are looked up. */
  readonly by?: string
  /** Whether there may be none. */
  readonly isOptional?: boolean
  /** Whether a text that is not UTF-8 is mended, because visitors sent it. */
  readonly isLoose?: boolean
}

/** A row: everything is text, as the dump writes it. */
export type Row = Readonly<Record<string, string | null>>

/** The tables of a dump or a database, in a database of their own. */
export interface Gathered {
  has(table: string): boolean
  /**
   * Rows by SQL without a limit of its own: the first thousand, which is more than anything has that belongs to one link. Throws
   * `TooLarge` if all that was read since the last row of `each` is more than can come of one.
   */
  all(sql: string, ...values: readonly (string | number | null)[]): readonly Row[]
  /** Finds a column of the row whose key is this, of a table with a key. What is null there is empty. */
  lookUp(table: string, column: string): (key: string) => string | undefined
  /** All rows of a table in its order, some at a time. */
  each(table: string): AsyncGenerator<Row>
  /** The rows that could not be read. */
  refused(): AsyncGenerator<Refused>
  /** For counts. */
  readonly db: BetterSqlite3.Database
  close(): void
}

/** Rows that are read between two turns of everything else in the process. */
const rowsATurn = 50
/** As many characters, if these are long. */
const maxCharsATurn = 2 ** 20

/** How many rows are read by SQL. */
const maxRows = 1_000

/** How many characters all texts have at most that belong to one row. Rows may name one long text a million times. */
const maxCharsOfOne = 2 ** 20

/** Thrown for a row that has more in other tables than can come. */
export class TooLarge extends Error {}

/**
 * Reads the wanted tables of a dump or a database into a database of their own: there they can be looked up, however large they
 * are, and only what we wrote is ever run. `program` is what made them. With `prefix`, names begin with it; null: with anything.
 */
export async function gather(
  asked: Asked,
  program: string,
  wanted: Readonly<Record<string, Wanted>>,
  prefix: string | null = '',
): Promise<Gathered> {
  const { file, folder, signal } = asked
  if (!file) throw new SourceError('No file was given. Choose one.')
  const db = new BetterSqlite3(join(folder, 'gathered.sqlite'))
  try {
    const pages = getHeapStatistics().heap_size_limit < 64 * 2 ** 20 ? 2_048 : 16_384
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', `cache_size = -${pages}`]) {
      db.pragma(pragma)
    }
    const tables = createTables(db, program, wanted, prefix)
    // It is never ended: nobody else reads this database, and it is deleted in the end.
    db.exec('BEGIN')
    const start = await startOf(file)
    if (isSqlite(start)) await readSqlite(asked, tables)
    else {
      const reading = readDump(dialectOf(start), tables)
      reading.next()
      for await (const bytes of file.read()) {
        signal.throwIfAborted()
        keepRoom(folder)
        for (let at = 0; at < bytes.length; at += 65_536) {
          reading.next(bytes.subarray(at, at + 65_536))
          await ownTurn()
        }
      }
      reading.next(undefined)
    }
    tables.finish()
    return gathered(db, wanted, tables.found, signal)
  } catch (error) {
    db.close()
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error
    throw new SourceError(
      `What the file has cannot be kept on this server meanwhile: ${error.message}. It takes as much room as the file has bytes.`,
    )
  }
}

interface Tables extends TableSink {
  /** The tables that were found. */
  readonly found: ReadonlySet<string>
  /** Throws if a table is missing. */
  finish(): void
}

function createTables(
  db: BetterSqlite3.Database,
  program: string,
  wanted: Readonly<Record<string, Wanted>>,
  prefix: string | null,
): Tables {
  db.exec('CREATE TABLE refused_rows (place TEXT, reason TEXT)')
  const refuse = db.prepare('INSERT INTO refused_rows VALUES (?, ?)')
  const inserts = new Map<string, BetterSqlite3.Statement>()
  for (const [name, { key, by, ...table }] of Object.entries(wanted)) {
    const columns = columnsOf(table)
    db.exec(`CREATE TABLE "${name}" (${columns.map(it => `"${it}"`).join(', ')})`)
    if (key) db.exec(`CREATE UNIQUE INDEX "${name}_by_${key}" ON "${name}" ("${key}")`)
    if (by) db.exec(`CREATE INDEX "${name}_by_${by}" ON "${name}" ("${by}")`)
    const places = columns.map(() => '?').join(', ')
    inserts.set(name, db.prepare(`INSERT OR IGNORE INTO "${name}" VALUES (${places})`))
  }
  const seen = new Set<string>()
  const found = new Map<string, { readonly as: string; readonly rows: { count: number } }>()
  const utf8 = new TextDecoder('utf-8', { fatal: true })

  /** Which wanted table this may be, by its name. */
  function named(table: string): string | undefined {
    const names = Object.keys(wanted)
    if (prefix !== null) return names.find(name => `${prefix}${name}` === table)
    return names.find(name => table.endsWith(name))
  }

  function find(table: string, columns: readonly string[]): string | undefined {
    const name = named(table)
    const { columns: needed = [] } = (name !== undefined && wanted[name]) || {}
    if (name === undefined || !needed.every(it => columns.includes(it))) return undefined
    const before = found.get(name)
    if (before && before.as !== table) {
      throw new SourceError(
        `The file has the tables of several ${program}: ${before.as} and ${table}. Say with what the names of yours begin.`,
      )
    }
    if (!before) found.set(name, { as: table, rows: { count: 0 } })
    return name
  }

  function text(value: Value, name: string): string | null {
    if (value === null || typeof value === 'string') return value?.slice(0, maxValueChars) ?? null
    if (wanted[name]?.isLoose) return Buffer.from(value.subarray(0, maxValueChars)).toString()
    try {
      return utf8.decode(value).slice(0, maxValueChars)
    } catch {
      const { as = name, rows } = found.get(name) ?? {}
      throw new SourceError(
        `Row ${(rows?.count ?? 0) + 1} of the table ${as} is not in UTF-8. Make the dump with mysqldump --default-character-set=utf8mb4, or pg_dump --encoding=UTF8.`,
      )
    }
  }

  return {
    get found() {
      return new Set(found.keys())
    },

    declare(table, columns) {
      if (seen.size < 1_000) seen.add(table)
      const name = find(table, columns)
      if (name !== undefined && (found.get(name)?.rows.count ?? 0) > 0) {
        throw new SourceError(
          `The file has several tables called ${table}. Make a dump of one database only.`,
        )
      }
      return named(table) !== undefined
    },

    open(table, columns): RowSink | undefined {
      if (seen.size < 1_000) seen.add(table)
      if (columns === undefined) {
        if (named(table) === undefined) return undefined
        throw new SourceError(
          `The dump does not say which columns the table ${table} has. Make it with the structure of the tables, not only their data.`,
        )
      }
      const name = find(table, columns)
      const insert = name === undefined ? undefined : inserts.get(name)
      const of = name === undefined ? undefined : found.get(name)
      if (name === undefined || !insert || !of) return undefined
      const order = columnsOf(wanted[name] as Wanted)
      const refuseRow = (reason: string) => refuse.run(`${table}, row ${of.rows.count}`, reason)
      return {
        places: columns.map(it => order.indexOf(it)),
        width: order.length,
        row(values) {
          const texts = values.map(value => text(value, name))
          of.rows.count += 1
          if (insert.run(texts).changes === 0)
            refuseRow(`A row before has the same ${wanted[name]?.key}.`)
        },
        refuse(reason) {
          of.rows.count += 1
          refuseRow(reason)
        },
      }
    },

    finish() {
      const missing = Object.keys(wanted).filter(it => !wanted[it]?.isOptional && !found.has(it))
      if (missing.length === 0) return
      const shown = [...seen].slice(0, 10).join(', ')
      const has =
        shown === '' ? 'It has no tables.' : `It has ${shown}${seen.size > 10 ? ' and more' : ''}.`
      throw new SourceError(
        `The file is no database of ${program}: it has no table ${missing.map(it => `${prefix ?? ''}${it}`).join(', ')} with the columns of one. ${has}`,
      )
    },
  }
}

function gathered(
  db: BetterSqlite3.Database,
  wanted: Readonly<Record<string, Wanted>>,
  found: ReadonlySet<string>,
  signal: AbortSignal,
): Gathered {
  const statements = new Map<string, BetterSqlite3.Statement>()
  /** How many characters were read by `all` since the last row of `each`. */
  let charsOfOne = 0
  const prepared = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, known)
    return known
  }
  async function* each(table: string): AsyncGenerator<Row> {
    const page = prepared(
      `SELECT rowid AS "rowid", * FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${rowsATurn}`,
    )
    let last = 0
    for (;;) {
      signal.throwIfAborted()
      const rows: (Row & { readonly rowid: number })[] = []
      let chars = 0
      for (const row of page.iterate(last) as Iterable<(typeof rows)[number]>) {
        rows.push(row)
        chars += charsIn(row)
        if (chars > maxCharsATurn) break
      }
      for (const row of rows) {
        charsOfOne = 0
        yield row
      }
      if (rows.length < rowsATurn && chars <= maxCharsATurn) return
      last = rows.at(-1)?.rowid ?? last
      await ownTurn()
    }
  }
  return {
    db,
    each,
    has: table => found.has(table),
    lookUp(table, column) {
      const key = wanted[table]?.key ?? 'rowid'
      const find = db.prepare<[string], Row>(
        `SELECT substr("${column}", 1, 2048) AS found FROM "${table}" WHERE "${key}" = ?`,
      )
      return remember((it: string) => {
        const row = find.get(it)
        return row && (row.found ?? '')
      }, 4_000)
    },
    all(sql, ...values) {
      const rows: Row[] = []
      for (const row of prepared(`${sql} LIMIT ${maxRows}`).iterate(...values) as Iterable<Row>) {
        charsOfOne += charsIn(row)
        if (charsOfOne > maxCharsOfOne) throw new TooLarge('Other tables have too much of it')
        rows.push(row)
      }
      return rows
    },
    async *refused() {
      for await (const { place, reason } of each('refused_rows')) {
        yield { kind: 'refused', row: `${place}`, reason: `${reason}` }
      }
    },
    close: () => db.close(),
  }
}

function charsIn(row: Row): number {
  let chars = 0
  for (const name in row) chars += row[name]?.length ?? 0
  return chars
}

function columnsOf({ columns, more = [] }: Pick<Wanted, 'columns' | 'more'>): readonly string[] {
  return [...columns, ...more]
}
