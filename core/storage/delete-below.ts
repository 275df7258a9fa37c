import { type RawBuilder, sql } from 'kysely'
import { yieldToRedirects } from '../lib/async/yield-to-redirects.ts'
import type { Database } from './database.ts'
import { isInProcess } from './database-kind.ts'
import { isDangling } from './foreign-keys.ts'

/** So many, and what else goes with them, take some hundredths of a second. */
const rowsAtOnce = 64

/** The values of columns of a row by their names. */
type Row = Readonly<Record<string, unknown>>

/**
 * Deletes all that would go with rows of a table, down to what refers to what refers to them, in tables of plugins too, with turns for
 * redirects in between: in one statement, all that an account has keeps the event loop for seconds. The rows themselves stay. Where
 * the database is another process, it does that by itself.
 */
export type DeleteBelow = (
  db: Database,
  table: string,
  ids: readonly number[],
  /** Tables whose rows stay, with all that refers to them. */
  but?: readonly string[],
) => Promise<void>

/** Reads once for many what refers to what. Without a transaction, each part is one. */
export async function prepareDeleteBelow(db: Database): Promise<DeleteBelow> {
  if (!isInProcess(db)) return async () => undefined
  const all = await readReferences(db)
  return (db, table, ids, but = []) =>
    deleteUnder(
      db,
      all,
      [...but, table],
      ids.map(id => ({ id })),
    )
}

/** Deletes what refers to rows of the last of these tables: by the ones before it was found which rows. */
async function deleteUnder(
  db: Database,
  all: readonly Reference[],
  path: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  // What refers to rows of its own table, in however many steps, is left to the statement that deletes these.
  const own = all.filter(({ to, table }) => to === path.at(-1) && !path.includes(table))
  for (const reference of own) {
    while (await deleteSome(db, all, path, reference, rows)) await yieldToRedirects()
  }
}

/** Whether there may be more. What cannot go before other rows go is left to the statement that deletes all. */
async function deleteSome(
  db: Database,
  all: readonly Reference[],
  path: readonly string[],
  reference: Reference,
  to: readonly Row[],
): Promise<boolean> {
  const { table, key, columns, toColumns, isKept } = reference
  const below = isKept ? [] : all.filter(it => it.to === table)
  const read = new Set([...key, ...below.flatMap(it => it.toColumns)])
  const some = sql<Row>`
    select ${namesOf([...read])} from ${sql.table(table)}
    where ${isAmong(columns, valuesOf(toColumns, to))} limit ${sql.lit(rowsAtOnce)}
  `
  try {
    if (below.length === 0) return (await change(db, reference, some)) === BigInt(rowsAtOnce)
    const { rows } = await some.execute(db)
    if (rows.length === 0) return false
    await deleteUnder(db, all, [...path, table], rows)
    const gone = await change(db, reference, valuesOf(key, rows))
    return gone > 0n && rows.length === rowsAtOnce
  } catch (error) {
    if (isDangling(error)) return false
    throw error
  }
}

/** Deletes the rows that have one of these keys, or lets them refer to nothing any more. */
async function change(
  db: Database,
  { table, key, columns, isKept }: Reference,
  keys: RawBuilder<unknown>,
): Promise<bigint> {
  const emptied = sql.join(columns.map(it => sql`${sql.ref(it)} = null`))
  const what = isKept
    ? sql`update ${sql.table(table)} set ${emptied}`
    : sql`delete from ${sql.table(table)}`
  const { numAffectedRows = 0n } = await sql`${what} where ${isAmong(key, keys)}`.execute(db)
  return numAffectedRows
}

function isAmong(columns: readonly string[], keys: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${namesOf(columns)}) in (${keys})`
}

function valuesOf(columns: readonly string[], rows: readonly Row[]): RawBuilder<unknown> {
  return sql`values ${sql.join(rows.map(row => sql`(${sql.join(columns.map(it => row[it]))})`))}`
}

function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map(it => sql.ref(it)))
}

/** Columns of a table that refer to rows with which its own go, or without which they are kept. */
interface Reference {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
  readonly isKept: boolean
}

/**
 * How the rows of all tables, also of plugins, go with others, as far as they are found by an index: the newest tables first, as they may
 * refer to those before.
 */
async function readReferences(db: Database): Promise<readonly Reference[]> {
  const { rows } = await sql<Record<'table' | 'key' | 'columns' | 'to' | 'toColumns', string>>`
    select child.name as "table", part."table" as "to", on_delete = 'SET NULL' as "isKept",
      json_group_array("from") as "columns",
      json_group_array(coalesce("to", (select name from pragma_table_info(part."table") where pk = seq + 1))) as "toColumns",
      (select json_group_array(name) from pragma_table_info(child.name) where pk > 0) as "key"
    from sqlite_master child join pragma_foreign_key_list(child.name) part
    where child.type = 'table' and on_delete in ('CASCADE', 'SET NULL')
    group by child.rowid, id
    having max("from" in (
      select info.name from pragma_index_list(child.name) list join pragma_index_info(list.name) info
      where seqno = 0 and partial = 0
      union all select name from pragma_table_info(child.name) where pk = 1
    ))
    order by child.rowid desc
  `.execute(db)
  return rows.map(row => ({
    ...row,
    key: row.key === '[]' ? ['rowid'] : JSON.parse(row.key),
    columns: JSON.parse(row.columns),
    toColumns: JSON.parse(row.toColumns),
  })) as never
}
