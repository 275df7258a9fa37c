import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'

type AnyDatabase = Pick<Kysely<never>, 'getExecutor'>

/** What SQLite and PostgreSQL say in different words. */
export interface DatabaseKind {
  readonly isInProcess: boolean
  joined(bytes: Expression<unknown>): RawBuilder<Buffer | null>
  contains(text: Expression<string>, part: string): RawBuilder<SqlBool>
  readonly foreignKeys: RawBuilder<ForeignKeyRow>
}

interface ForeignKeyRow {
  of_table: string
  of_column: string
  to_table: string
  to_column: string
}

/** Whether queries run on this thread, and keep redirects waiting; otherwise each takes a round trip. */
export function isInProcess(db: AnyDatabase): boolean {
  return kindOf(db).isInProcess
}

/** How work of many callers is done in one go: see `batchConcurrent`. */
export function pace(db: AnyDatabase): { readonly atMost: number; readonly inTurn: boolean } {
  // While we wait for another process, redirects have their turn, and more callers can gather.
  return isInProcess(db) ? { atMost: 16, inTurn: false } : { atMost: 64, inTurn: true }
}

/** The bytes of many rows, one after another; null if there are no rows. */
export function joined(db: AnyDatabase, bytes: Expression<unknown>): RawBuilder<Buffer | null> {
  return kindOf(db).joined(bytes)
}

/** Whether a text contains this part, letter by letter. */
export function contains(
  db: AnyDatabase,
  text: Expression<string>,
  part: string,
): RawBuilder<SqlBool> {
  return kindOf(db).contains(text, part)
}

/** A subquery with the foreign keys of all tables. */
export function foreignKeysOf(db: AnyDatabase): RawBuilder<ForeignKeyRow> {
  return kindOf(db).foreignKeys
}

function kindOf(db: AnyDatabase): DatabaseKind {
  const { adapter } = db.getExecutor()
  return 'kind' in adapter ? (adapter.kind as DatabaseKind) : kindOfSqlite
}

const kindOfSqlite: DatabaseKind = {
  isInProcess: true,
  joined: bytes => sql`cast(group_concat(${bytes}, '') as blob)`,
  contains(text, part) {
    // Takes little more than half as long as `instr` or `like … escape`, but tries a whole pattern again at each letter.
    const end = [...part].slice(-8).join('')
    const isNear = sql<SqlBool>`${text} glob ${`*${end.replace(/[*?[]/g, '[$&]')}*`}`
    return end === part ? isNear : sql`(${isNear} and instr(${text}, ${part}) > 0)`
  },
  // Without a column, the primary key is meant, which is that of one column here.
  foreignKeys: sql`(
    select name as of_table, "from" as of_column, "table" as to_table, coalesce("to", 'id') as to_column
    from sqlite_master join pragma_foreign_key_list(name) where type = 'table'
  )`,
}

export const kindOfPostgres: DatabaseKind = {
  isInProcess: false,
  joined: bytes => sql`string_agg(${bytes}, ''::bytea)`,
  contains: (text, part) => sql`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
  foreignKeys: sql`(
    select child.relname::text as of_table, own.attname::text as of_column,
      parent.relname::text as to_table, other.attname::text as to_column
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_class parent on parent.oid = confrelid
    join pg_attribute own on own.attrelid = conrelid and own.attnum = conkey[1]
    join pg_attribute other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and array_length(conkey, 1) = 1
      and child.relnamespace = current_schema()::regnamespace
  )`,
}
