import BetterSqlite3 from 'better-sqlite3'
import { toSnake } from '../../lib/text/casing.ts'
import { onBackup, UnusableDatabase } from '../files/inspect-file.ts'
import { sqliteHistory } from '../tables.ts'

interface Part {
  readonly type: string
  readonly name: string
  readonly table: string
  readonly sql: string | null
}

/**
 * Throws `UnusableDatabase` unless a copy has all tables and indexes of this version as Linnet makes them, and beside them
 * only plain ones of plugins that made tables in it, and of Litestream. Triggers, views and columns that are computed would run while the
 * server works with them. `newest` is what `version` is compared with: an older copy, which the next start brings up to
 * date, may lack parts. Takes milliseconds, because it reads no rows but the names of plugins.
 */
export function expectSchema(
  copy: BetterSqlite3.Database,
  from: string,
  { version, newest }: { readonly version: number; readonly newest: number },
): void {
  const refuse = (what: string) => {
    throw new UnusableDatabase(
      `${from} is no backup as Linnet makes it: ${what}. ${onBackup.foreign}`,
    )
  }
  const found = partsOf(copy)
  const ours = ownParts()
  const known = new Map(ours.map(part => [part.name, part]))
  for (const { type, name, sql } of found) {
    const isPlain = type === 'index' || (type === 'table' && !/^create\s+virtual/i.test(sql ?? ''))
    if (!isPlain) refuse(`it has the ${type === 'table' ? 'virtual table' : type} ${name}`)
    if (type === 'table' && isComputed(copy, name))
      refuse(`its table ${name} has a computed column`)
  }
  if (version >= newest) {
    const there = new Map(found.map(part => [part.name, part.sql]))
    const changed = ours.find(({ name, sql }) => there.get(name) !== sql)
    if (changed) refuse(`its ${changed.type} ${changed.name} is missing or was changed`)
  }
  const prefixes = prefixesIn(copy)
  // Litestream, which may copy the database all the time, has two small tables in it.
  const mayBeThere = (name: string) =>
    name.startsWith('_litestream_') ||
    prefixes.some(prefix => name === prefix || name.startsWith(`${prefix}_`))
  const foreign = found.find(({ name, table }) => !known.has(name) && !mayBeThere(table))
  if (foreign) refuse(`the ${foreign.type} ${foreign.name} is not Linnet's`)
}

/** Without what SQLite itself adds: the rows of `autoincrement`, statistics, and indexes of keys. */
function partsOf(db: BetterSqlite3.Database): readonly Part[] {
  const own = "name not glob 'sqlite_*'"
  return db
    .prepare<[], Part>(
      `select type, name, tbl_name as "table", sql from sqlite_schema where ${own}`,
    )
    .all()
}

function ownParts(): readonly Part[] {
  const db = new BetterSqlite3(':memory:')
  try {
    for (const statement of sqliteHistory.tables) db.exec(statement)
    return partsOf(db)
  } finally {
    db.close()
  }
}

function isComputed(db: BetterSqlite3.Database, table: string): boolean {
  const columns = db.prepare('select 1 from pragma_table_xinfo(?) where hidden > 0')
  return columns.get(table) !== undefined
}

/** What the names of tables of plugins begin with, also of those that are no longer there. */
function prefixesIn(db: BetterSqlite3.Database): readonly string[] {
  const features = db.prepare<[], string>('select distinct feature from plugin_migrations').pluck()
  return features.all().map(feature => toSnake(feature).replace(/[^a-z0-9]+/g, '_'))
}
