import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'

/** The differences between SQLite and PostgreSQL that matter to code with queries. */
export interface DatabaseKind {
  /** Whether each statement is a round trip: then one statement is better than several. */
  readonly isRemote: boolean
  /** The bytes of many rows, one after another; null if there are no rows. */
  joined(bytes: Expression<unknown>): RawBuilder<Buffer | null>
  /** Whether a text contains the part that `patternOf` was given. */
  isLike(text: Expression<string>, pattern: Expression<unknown>): RawBuilder<SqlBool>
  patternOf(part: string): string
}

/** The kind of the database that `db` is connected to. */
export function kindOfDatabase(db: Pick<Kysely<unknown>, 'getExecutor'>): DatabaseKind {
  const { adapter } = db.getExecutor()
  return 'kind' in adapter ? (adapter.kind as DatabaseKind) : kindOfSqlite
}

const kindOfSqlite: DatabaseKind = {
  isRemote: false,
  joined: bytes => sql`cast(group_concat(${bytes}, '') as blob)`,
  // Takes SQLite little more than half as long as `instr` or `like … escape`.
  isLike: (text, pattern) => sql`${text} glob ${pattern}`,
  patternOf: part => `*${part.replace(/[*?[]/g, '[$&]')}*`,
}

export const kindOfPostgres: DatabaseKind = {
  isRemote: true,
  joined: bytes => sql`string_agg(${bytes}, ''::bytea)`,
  isLike: (text, pattern) => sql`${text} like ${pattern}`,
  patternOf: part => `%${part.replace(/[\\%_]/g, '\\$&')}%`,
}
