import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'

type AnyDatabase = Pick<Kysely<never>, 'getExecutor'>

/** What SQLite and PostgreSQL say in different words. */
export interface DatabaseKind {
  readonly isInProcess: boolean
  joined(bytes: Expression<unknown>): RawBuilder<Buffer | null>
  contains(text: Expression<string>, part: string): RawBuilder<SqlBool>
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

function kindOf(db: AnyDatabase): DatabaseKind {
  const { adapter } = db.getExecutor()
  return 'kind' in adapter ? (adapter.kind as DatabaseKind) : kindOfSqlite
}

const kindOfSqlite: DatabaseKind = {
  isInProcess: true,
  joined: bytes => sql`cast(group_concat(${bytes}, '') as blob)`,
  // Takes little more than half as long as `instr` or `like … escape`.
  contains: (text, part) => sql`${text} glob ${`*${part.replace(/[*?[]/g, '[$&]')}*`}`,
}

export const kindOfPostgres: DatabaseKind = {
  isInProcess: false,
  joined: bytes => sql`string_agg(${bytes}, ''::bytea)`,
  contains: (text, part) => sql`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`,
}
